/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster of a command line: connected once, read for what the operands name, and for the verbs
 * that write the loop read → decide → act → read again, one canary after another. What a run did is
 * told to people (talk), to the Canary (Events) and in one sentence to the Pod (its termination
 * message).
 */
#ifndef PERCH_LIVE_H
#define PERCH_LIVE_H

#include "act/act.h"
#include "perch/fleet.h"
#include "perch/inputs.h"
#include "source/cluster.h"
#include "source/kubeconfig.h"

struct live {
	struct access access;
	struct api *api;
	int64_t deadline;
	struct notes warnings;
};

int live_connect(struct live *out, const struct settings *s, struct error *err);
void live_close(struct live *l);
/* What the command line asks for: -n, -A, -l, operands; the context's namespace if none. */
struct cluster_scope live_scope(const struct live *l, const struct settings *s);

/* A verb that writes: every canary in scope is decided for `flow` and acted on. */
struct live_run {
	const struct settings *s;
	struct live *live;
	enum flow flow;
	struct actor actor;         /* api, flow and flagger are filled in per canary */
	/* May change the action, or skip the canary (*skip); NULL: as decided. */
	int (*before)(void *arg, struct decision *d, bool *skip, struct error *err);
	/* Told what became of each. */
	int (*after)(void *arg, const struct decision *d, const struct outcome *o, struct error *err);
	void *arg;
};
/*
 * 0 or the exit code: 7 where some were left unknown, unproved or undone; -1 with err where the API
 * failed. OUTCOME_MOVED is decided again a bounded number of times.
 */
int live_run(struct live_run *r, struct error *err);
/* Prints cluster, server and count; asks on a terminal, needs --yes elsewhere when -A. */
int live_confirm(const struct settings *s, const struct live *l, size_t canaries, const char *what,
		 struct error *err);

#endif
