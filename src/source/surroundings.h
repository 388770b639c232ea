/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `perch doctor` looks at besides what a dump holds: the kinds of Argo CD, Flux, Kubernetes and
 * Flagger that say how objects get into a cluster. They are read and shown one by one, none is kept, and
 * no dump is made of them. A group that the server doesn't have is no error; a kind that may not be
 * read is told (`unread`).
 */
#ifndef PERCH_SOURCE_SURROUNDINGS_H
#define PERCH_SOURCE_SURROUNDINGS_H

#include "base/options.h"
#include "io/api.h"
#include "value/tree.h"

struct surroundings_kind {
	const char *group, *version, *older, *plural, *kind;
	enum { READ_SCOPE, READ_HOME_TOO, READ_ALL, READ_ONE } how;
	const char *name; /* READ_ONE: of what is got by itself */
};

struct surroundings {
	const char *namespace; /* the scope; NULL: all */
	/* Before an object is on the arena, which is rewound after it. */
	void (*before)(void *arg);
	int (*object)(void *arg, const struct tree *object, struct error *err);
	/* All of a kind in scope were shown (there is none, if the server doesn't know it). */
	void (*listed)(void *arg, const struct surroundings_kind *kind);
	void (*unread)(void *arg, const struct surroundings_kind *kind, const char *why);
	void *arg;
};

/* Side by side. -1 where the API fails; ERR_FORBIDDEN where canaries may not be read. */
int surroundings_read(const struct surroundings *s, struct api *api, struct error *err);
/* The Jobs and CronJobs of namespaces outside of the scope; NULL ends them. */
int surroundings_read_homes(const struct surroundings *s, struct api *api, const char *const *namespaces,
			    struct error *err);
/* What an account may do: the status of a SelfSubjectRulesReview; NULL with *why where the server says no. */
int surroundings_rights(const struct tree **out, const char **why, struct api *api, const char *namespace,
			struct error *err);
/* May it do this one thing? `namespace` "": in all of them. */
int surroundings_may(bool *out, struct api *api, const char *namespace, const char *verb, const char *group,
		     const char *resource, const char *name, struct error *err);

/* The objects of dumps of any kind: files, folders or `-`, JSON or YAML; Lists are taken apart. */
int surroundings_read_files(const struct surroundings *s, const struct strings *paths, struct error *err);

#endif
