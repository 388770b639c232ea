/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The action: verdict × flow × who holds (DESIGN.md §2; cells in actions.def). An action is data:
 * what would be written and what happens to a hold; src/act carries it out. Invariants, kept here
 * and nowhere else: the flow that owns a hold ends it, a canary that others suspended is never held,
 * and what is written is what the verdict proved.
 */
#ifndef PERCH_DECIDE_ACTION_H
#define PERCH_DECIDE_ACTION_H

#include "decide/verdict.h"

enum flow { FLOW_NONE, FLOW_GUARD, FLOW_RECONCILE, FLOW_RESUME, FLOW_COMMIT };

const char *flow_name(enum flow flow);
enum flow flow_parse(const char *name); /* FLOW_NONE for a name that is none */

enum hashes { HASHES_LEAVE, HASHES_APPLIED, HASHES_BOTH };
enum hold { HOLD_LEAVE, HOLD_END, HOLD_KEEP, HOLD_SET };

/* Whose hold it is: perch.dev/held-for, or a suspend that isn't perch's. */
enum holder { HOLDER_NOBODY, HOLDER_UPGRADE, HOLDER_COMMIT, HOLDER_POLICY, HOLDER_MANUAL, HOLDER_OTHERS };

struct circumstances {
	enum verdict verdict;
	enum flow flow;
	enum holder holder;
	enum phase phase;
	bool equals_primary, equals_applied; /* proofs (b) and (d) */
	bool release_known;   /* the running release is, so a hash of its can be written */
	bool promoted_found;  /* the promoted template is in T's history, so its hash can be written */
};

struct action {
	enum hashes hashes;
	enum hold hold;
	bool ship;        /* promote without analysis */
	bool alert;       /* say it where an operator looks */
	bool withheld;    /* a hash should be written, and the release isn't known: what it holds may run */
	const char *text; /* one line: "write both hashes, end the hold" */
};

struct action action_of(const struct circumstances *c);
enum holder holder_of(const struct canary *c);

const char *hashes_name(enum hashes hashes);
const char *hold_name(enum hold hold);

#endif
