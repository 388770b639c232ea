/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out what was decided for one canary: takes a stale ship off, notes what the policy's word
 * stands for, writes hashes, then sets or ends a hold or ships, and reads back what each write made
 * of it. Every write says which object it was decided on (uid and
 * resourceVersion); where that has moved on nothing is written and the caller decides again. A
 * killed run leaves a state from which the next one, deciding anew, goes on: hashes come before the
 * end of a hold, and a hold's annotations come with it in one write.
 */
#ifndef PERCH_ACT_ACT_H
#define PERCH_ACT_ACT_H

#include "act/hold.h"
#include "decide/decide.h"
#include "io/api.h"

enum dry_run { DRY_NONE, DRY_CLIENT, DRY_SERVER };

struct actor {
	struct api *api;
	enum dry_run dry;
	const struct flagger *flagger;
	enum flow flow;
	const struct hold_terms *terms; /* for HOLD_SET; reason NULL: the decision's */
	bool take_over;                 /* a hold of others is ended too, if asked */
	bool ship_or_run;               /* what can't be shipped isn't kept held: Flagger analyses it */
	const char *ended_at;           /* what is let go is marked so (perch.dev/ended); NULL: it isn't */
	bool events;                    /* say it on the Canary */
	void (*trace)(void *arg, const char *line); /* -v */
	void *arg;
};

enum outcome_kind {
	OUTCOME_NOTHING,  /* there was nothing to write */
	OUTCOME_DONE,     /* written and read back */
	OUTCOME_MOVED,    /* the object has changed since it was read: decide again */
	OUTCOME_GONE,     /* deleted, or recreated under another uid */
	OUTCOME_OWNED,    /* another manager owns the field: text says who and what ends the fight */
	OUTCOME_REFUSED,  /* a safety rule or the admission said no */
	OUTCOME_LOST,     /* written, but read back as something else: pruned, or overwritten at once */
};

struct outcome {
	enum outcome_kind kind;
	bool hashes, held, ended, shipped, unshipped; /* what was done, also where a later step was not */
	const char *text;          /* one line */
};

/* Should something have been written, and wasn't? Of a canary that is gone nothing can be. */
bool outcome_undone(const struct outcome *o);

/* Fails only where the API does; all else is an outcome. */
int act_on(struct outcome *out, const struct actor *a, const struct decision *d,
	   const struct subject *s, struct error *err);

/* What the verbs that aren't a flow write. */
int act_nudge(struct outcome *out, const struct actor *a, const struct canary *c, struct error *err);
/* Takes the ship off, told with `why` ("it is promoted"), by one apply that leaves a hold as it is. */
int act_unship(struct outcome *out, const struct actor *a, const struct canary *c, const char *why,
	       struct error *err);
/* Takes perch.dev/ended off. */
int act_forget(struct outcome *out, const struct actor *a, const struct canary *c, struct error *err);
int act_accept(struct outcome *out, const struct actor *a, const struct canary *c,
	       const char *fingerprint, struct error *err);

#endif
