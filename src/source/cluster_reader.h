/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One reading of a cluster under way, for cluster*.c alone: the dump that is made of it, and the two
 * ways to read, by lists and one by one.
 */
#ifndef PERCH_SOURCE_CLUSTER_READER_H
#define PERCH_SOURCE_CLUSTER_READER_H

#include "source/cluster.h"

struct cluster_reader {
	struct dump *dump;
	struct api *api;
	const struct cluster_scope *scope;
	struct notes *warnings;
	unsigned unread;    /* kinds, as bits, of which something may not be read */
	struct buffer text; /* the object at hand, as the dump gets it */
	bool no_canaries;
};

/* An object as the server wrote it goes into the dump, unless the filter leaves it out. */
int cluster_take(bool *taken, struct cluster_reader *r, enum object_kind kind, const char *text, size_t len,
		 const struct dump_filter *filter, struct error *err);
/* A kind that may not be read: said once, or ERR_FORBIDDEN where nothing can be done without it. */
int cluster_refused(struct cluster_reader *r, enum object_kind kind, const struct error *refusal,
		    struct error *err);

/* Objects to be got one by one, each asked for once and taken once it is used. */
struct get {
	struct api_call call;
	enum object_kind kind;
	const char *namespace, *name;
	bool used;   /* else it is only guessed that it will be */
	bool taken;  /* into the dump, where it exists */
	bool target; /* the configs that it refers to count */
	struct get *next;
};
struct gets {
	struct get *first, **end;
	size_t count;
};
struct get *gets_add(struct gets *gets, enum object_kind kind, const char *namespace, const char *name);
/* What was added since, side by side; in one round with the server's version and Flagger's Deployments if `first`. */
int gets_perform(struct gets *gets, struct cluster_reader *r, bool first, struct error *err);

int cluster_by_name(struct cluster_reader *r, struct error *err);
int cluster_desired(struct cluster_reader *r, struct error *err);
int cluster_lists(struct cluster_reader *r, struct error *err);
/* All revisions that a target controls. */
int cluster_history(struct cluster_reader *r, enum object_kind kind, const struct tree *target, struct error *err);

#endif
