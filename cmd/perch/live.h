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
#include "act/via.h"
#include "perch/fleet.h"
#include "perch/inputs.h"
#include "report/report.h"
#include "source/cluster.h"
#include "source/kubeconfig.h"

struct live {
	struct access access;
	struct api *api;
	int64_t deadline;
};

/* Warnings of the kubeconfig are told at once. */
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
	const struct running *running; /* who acts next, where the verb knows; NULL: as the cluster says */
	const char *guard_namespace; /* of guard's ConfigMap, where no Deployment of Flagger's says; NULL: not asked */
	const struct inputs *given; /* D, policy and app, where the verb has read them; NULL: --policy alone */
	/* Told what a pass has read, before its first canary; NULL: nobody is. */
	int (*opened)(void *arg, const struct inputs *in, struct error *err);
	/* May change the action, or skip the canary (*skip); NULL: as decided. */
	int (*before)(void *arg, struct decision *d, bool *skip, struct error *err);
	/* Told what became of each. */
	int (*after)(void *arg, const struct decision *d, const struct outcome *o, struct error *err);
	void *arg;
	bool unawaited;             /* what --via configmap writes is applied later, by the sync that this is part of */
	const char *verb;           /* as the closing sentence has it; NULL: the flow's name */
	const char *about;          /* tally.h */
	/* The canary at hand, for before() and after(). */
	const struct subject *subject;
	const struct flagger *flagger;
	bool overtaken;             /* decided again, since guard has begun with another Flagger meanwhile */
	/* Set by live_begin(). */
	struct report report;
	struct tally tally;
	struct talk_some alerts;
	bool begun;
	struct awaiting *awaiting;  /* live_via.h */
	struct error unapplied;     /* what Flux hasn't applied in time */
	struct error refusal;       /* what isn't known of the running release, where that kept something back */
};
/*
 * 0 or the exit code: 7 where some were left unknown, unproved or undone; -1 with err where the API
 * failed, or ERR_REFUSED where the running release isn't known. What was done is told in any case.
 * OUTCOME_MOVED is decided again a bounded number of times.
 */
int live_run(struct live_run *r, struct error *err);
/* Its parts, for a verb that goes through its canaries several times: each pass reads them anew. */
int live_begin(struct live_run *r, struct error *err);
int live_pass(struct live_run *r, struct error *err);
/* After a pass that failed too: then with its error, which it leaves as it is. */
int live_end(struct live_run *r, bool failed, struct error *err);
/* Reads a scope; and opens the report with what was read, once. */
int live_read(struct inputs *in, const struct live_run *r, const struct cluster_scope *scope, struct error *err);
void live_head(struct live_run *r, const struct inputs *in);
/* What a canary's row, the tally and the talk say. `why`: somebody has to look; NULL: nobody. */
void live_tell(struct live_run *r, const struct outcome_item *item, const char *why);

/* Between two looks; false: the deadline has come. */
bool live_pause(const struct live *l, int64_t ms);
/* Is a hold of perch's past its time? One whose time can't be read is. */
bool live_expired(const struct canary *c, int64_t now);
enum deed live_deed(const struct decision *d, const struct outcome *o);
/* Something was kept back since this Flagger's release isn't known: live_end() says so. */
void live_refuse(struct live_run *r, const struct flagger *f);

/* --dry-run; ERR_USAGE for a word that is none. */
int live_dry_run(enum dry_run *out, const struct settings *s, struct error *err);
/* "perch resume (host)": who holds, as held-by says it. */
const char *live_who(const char *verb);
/* Prints cluster, server and count; asks on a terminal, needs --yes elsewhere when -A. */
int live_confirm(const struct settings *s, const struct live *l, size_t canaries, const char *what,
		 struct error *err);

#endif
