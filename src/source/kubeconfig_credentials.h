/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who asks, as api.h wants it: a token at hand, a file with one that is read again after 50 seconds
 * and when the server refuses it (as client-go does; a Pod's token is replaced long before it
 * ends), basic auth, or a credential plugin, whose answer is kept until it expires or is refused.
 * What is renewed lives in a room of its own that is taken once, so that a renewal may come at any
 * time, within any arena mark. Source: client-go's transport/token_source.go.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_CREDENTIALS_H
#define PERCH_SOURCE_KUBECONFIG_CREDENTIALS_H

#include "io/api.h"
#include "source/kubeconfig_plugin.h"

struct renewable {
	const char *who;                        /* "user 'admin'" */
	struct credentials fixed;
	const char *token_file;                 /* NULL: none; it wins over fixed.token */
	const struct kubeconfig_plugin *plugin; /* NULL: none */
	int64_t deadline;                       /* clock.h */
	/* The newest answer. */
	struct credentials now;
	bool known;
	char *room;
};

/* Takes the room, and reads a token file a first time; ERR_INPUT where there is no token to use. */
int credentials_open(struct renewable *r, struct error *err);
/* For api_options.credentials; arg is the renewable. */
int credentials_get(void *arg, struct credentials *out, bool refused, struct error *err);

#endif
