/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster, read into a dump: what dump.h reads is written to a file without a name, so that all
 * that works on a dump works on a cluster, and no fleet is ever in memory. A fleet costs a constant
 * number of lists, read side by side in rounds: the server's version and Flagger's Deployments,
 * Canaries, then only the kinds that those canaries use, then the configs that their targets refer
 * to. One canary costs a constant number of GETs, in the same rounds, or in one less where its target
 * is a Deployment of its own name: that is asked for along with it, and so are the configs that D's
 * refers to. Secrets are read only where asked for, and only their checksums are kept. A kind that may
 * not be read is left unread, with a warning, unless nothing can be said without it.
 */
#ifndef PERCH_SOURCE_CLUSTER_H
#define PERCH_SOURCE_CLUSTER_H

#include "base/notes.h"
#include "base/options.h"
#include "io/api.h"
#include "source/dump.h"
#include "source/manifests.h"

struct cluster_scope {
	const char *namespace;      /* NULL: all of them */
	const struct strings *names; /* NAME or NAMESPACE/NAME; none: every canary in scope */
	const char *selector;       /* -l, of canaries; NULL: any */
	bool whole;                 /* for `perch dump`: every object of the kinds, used or not */
	bool secrets;               /* read Secrets too, for their checksums */
	bool for_writing;           /* targets and their history that may not be read are ERR_FORBIDDEN */
	bool release_known;         /* by the caller: Flagger's own Deployment isn't looked for */
	bool canaries_only;         /* neither targets nor configs: for status and holds */
	const struct manifests *desired; /* D: what it refers to is used, too; NULL: none */
	bool desired_only;          /* for diff: what D holds, one by one, and no canary */
};

/* `no_canaries`: the server has no such kind. That is an answer: the dump is empty. */
int cluster_read(struct dump *out, struct api *api, const struct cluster_scope *scope,
		 bool *no_canaries, struct notes *warnings, struct error *err);
/* The same as text, to a descriptor: `perch dump`. */
int cluster_write(int fd, struct api *api, const struct cluster_scope *scope, bool *no_canaries,
		  struct notes *warnings, struct error *err);

/* The API kinds of the objects that perch reads and writes. NULL for KIND_OTHER and KIND_CLUSTERINFO. */
const struct api_kind *cluster_kind(enum object_kind kind);

#endif
