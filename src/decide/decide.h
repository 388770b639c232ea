/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One canary, decided: gathers the facts (apply, diff, trigger, proof, policy), looks the verdict
 * up and, where a flow is asked for, the action. Pure: all it knows comes in. The decision is what
 * every report prints and what act carries out.
 */
#ifndef PERCH_DECIDE_DECIDE_H
#define PERCH_DECIDE_DECIDE_H

#include "decide/action.h"
#include "decide/policy.h"
#include "decide/ship.h"
#include "flagger/proof.h"
#include "flagger/trigger.h"
#include "k8s/apply.h"

struct question {
	const struct flagger *flagger;
	const struct policy *policy;   /* NULL: none */
	const struct applier *applier; /* --applier; NULL: found from the live object */
	int server_minor;
	enum flow flow;
	bool brief;                    /* nobody reads which schema explains the stored hashes */
};

struct decision {
	struct canary canary;
	enum verdict verdict;
	const char *reason;              /* one line, why this verdict */
	struct action action;            /* with a flow only */
	struct changes changes, ignored, foreign;
	struct notes notes, warnings;
	struct trigger trigger;
	struct proof proof;
	struct ship ship;                /* of the live T, whatever D makes of it */
	bool by_policy;                  /* `proved` rests on what the policy ignores */
	const struct tree *applied;      /* T′, or T where there is no D; NULL where there is neither */
	int explains_applied, explains_promoted; /* minors whose hash of T is in status; 0: none */
};

/* Fails only where D can't be applied (ERR_INPUT); bad live objects are verdict unknown. */
int decide(struct decision *out, const struct subject *subject, const struct question *question,
	   struct error *err);

#endif
