/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP by libcurl, whose only user this is. A client speaks to one origin over as few connections as
 * it can (HTTP/2 when offered, one connection kept), and carries out a batch of requests side by
 * side. Redirects are refused, bodies bounded, TLS 1.2 at least. No header and no body is ever
 * traced: -v shows method, path, status, size and time only. A status of any kind is an answer; an
 * error is one of transport.
 */
#ifndef PERCH_IO_HTTP_H
#define PERCH_IO_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

#define HTTP_MAX_BODY ((size_t)256 << 20)

/* Certificates and keys are PEM: bytes that are at hand, else a file. NULL: not given. */
struct pem {
	const char *file;
	const char *data;
	size_t len;
};

struct http_options {
	const char *origin;      /* https://host:port/prefix, without a slash at the end */
	struct pem ca, certificate, key;
	const char *server_name; /* tls-server-name: instead of the origin's host */
	bool insecure;           /* the certificate isn't checked */
	const char *proxy;       /* NULL: as the environment says (HTTPS_PROXY, NO_PROXY) */
	int64_t request_ms;      /* the longest that one request may take */
	int64_t deadline;        /* clock.h */
	void (*trace)(void *arg, const char *line); /* NULL: none */
	void *arg;
};

struct http_header {
	const char *name, *value; /* Authorization, Impersonate-User, Accept … */
};

/*
 * Where a long body goes instead of memory: all but its end, which is the request's `answer` then. Its
 * maker closes the file, which nobody else sees; zero but for fd, it serves one request after another.
 */
struct http_spool {
	int fd;                   /* files_spool()'s; -1: none yet */
	uint64_t size;            /* what of the file counts */
};

struct http_request {
	const char *method;       /* "GET" */
	const char *path;         /* with its query, begins with / */
	const char *content_type; /* of the body; NULL: there is none */
	const char *body;
	size_t body_len;
	struct http_spool *spool; /* for the body of a 2xx; NULL: all of any body stays in memory */
	/* The answer. */
	int status;               /* 0: there was none, see `failure` */
	struct buffer answer;     /* on the arena */
	int64_t retry_after_ms;   /* -1: the server didn't say */
	bool sent;                /* the request may have reached the server */
	bool permanent;           /* the failure: another try would fail alike */
	const char *location;     /* of a 3xx: where it wanted to go, without query; else NULL */
	struct error failure;     /* ERR_UNREACHABLE or ERR_TIMEOUT, or ERR_INPUT of the spool */
};

struct http;

int http_open(struct http **out, const struct http_options *o, struct error *err);
/* These go with every request from now on; values aren't kept beyond the client. */
void http_headers(struct http *h, const struct http_header *headers, size_t n);
/* Another client certificate, as an exec plugin gives one, for connections from now on. */
int http_certificate(struct http *h, const struct pem *certificate, const struct pem *key,
		     struct error *err);
/*
 * Sends them side by side and returns when each has its answer or its failure. An answer's buffer
 * is used again where the request has one. Nothing that the client keeps is on the arena, so a
 * caller may rewind past it.
 */
void http_perform(struct http *h, struct http_request *const *requests, size_t n);
void http_close(struct http *h);

#endif
