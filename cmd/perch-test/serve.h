/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded exchange, and the server that plays it. Everything lives on the arena; what the server
 * and its parent share is in memory that a fork shares.
 */
#ifndef PERCH_TEST_SERVE_H
#define PERCH_TEST_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"

struct answer {
	int status; /* 0: the connection is closed without one */
	const char *body, *type, *location, *retry_after;
	size_t len;
	size_t cut; /* of the body only so many bytes are sent, then the connection is closed */
	int slow_ms;
	const char *stored; /* a file: the request's body is merged into it, and that is the answer */
	struct answer *next;
};

struct exchange {
	const char *method, *path;
	struct strings query; /* NAME=VALUE that the request must have, among others */
	bool required;
	const struct answer *answers;
	struct exchange *next;
	unsigned line;
	unsigned *used; /* how often, shared */
};

/* Reads FILE; bodies in files are relative to its folder. Exits 2 where it can't. */
struct exchange *exchange_read(const char *file);
/* The exchange for a request: of those that match, the one with the most parameters. NULL: none. */
const struct exchange *exchange_find(const struct exchange *all, const char *method, const char *target);
/* Its next answer, the last of them again and again. */
const struct answer *exchange_answer(const struct exchange *e);
/*
 * Merges a patch of this content type into the object in a file, as a server does (an apply is perch's), and
 * gives the code of the answer. Another resourceVersion than the object's is 409. Without a body the object is
 * the answer; a dry run isn't stored.
 */
int serve_merge(const char **answer, const char *file, const char *type, const char *body, size_t body_len, bool dry);
/* A Status as the API server words it. */
const char *exchange_status(int code, const char *message);

struct server {
	int listener;
	unsigned port;
	int log;                 /* a line per request; "!" before one that nothing matches */
	const char *shown;       /* names of headers to log, with commas between; "" for none */
	unsigned tunnel;         /* the port that tunnels lead to; 0: this server itself */
	const struct exchange *all;
};
/* Listens on a free port of the loopback address. */
void server_open(struct server *s);
/* Serves until it is killed. */
_Noreturn void server_run(const struct server *s);
/* Passes bytes between a client and a port of this machine, in a process of its own. */
void tunnel_start(int client, unsigned port);

#endif
