/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of api.h share: the client, calls with their retries, and what an answer that is
 * no success says. What a client keeps between calls isn't on the arena, but for api_open()'s own.
 */
#ifndef PERCH_IO_API_CLIENT_H
#define PERCH_IO_API_CLIENT_H

#include "io/api.h"

struct api {
	struct api_options o;
	struct http *http;
	bool asked;      /* for credentials */
	int64_t expires; /* they do; 0: never */
	size_t requests;
	unsigned seed;   /* of the jitter */
};

/* A call under way. */
struct attempt {
	struct api_call *call;
	/* Is the answer of a 2xx whole? ERR_INPUT where not; NULL: it must be one JSON value. */
	int (*check)(void *arg, struct api_call *call, struct error *err);
	void *arg;
	bool answered;
	int retries;      /* so far */
	struct error err; /* of the newest try */
};

/* Returns when each has its answer, or -1 with the first that failed. */
int api_attempts(struct api *api, struct attempt *attempts, size_t n, struct error *err);

/* Makes the requests' headers, asking for credentials where that is due or they were `refused`. */
int api_authenticate(struct api *api, bool refused, struct error *err);

/* Fills in message, reason and status from an answer that is no 2xx. */
void api_read_status(struct api_call *call);
/* The error that such an answer is. */
int api_refusal(const struct api *api, const struct api_call *call, struct error *err);
/* "add to its Role: {…}" for a request that RBAC forbids. */
const char *api_missing_rule(const struct api *api, const struct api_call *call);

#endif
