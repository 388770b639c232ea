/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict: what is true of one canary, from facts alone. The table is verdicts.def (DESIGN.md
 * §2): rows in order, the first that holds decides. Facts are gathered in decide.c; here is no look
 * at any tree.
 */
#ifndef PERCH_DECIDE_VERDICT_H
#define PERCH_DECIDE_VERDICT_H

#include <stdbool.h>

#include "decide/policy.h"
#include "flagger/canary.h"
#include "flagger/configs.h"

enum verdict {
#define VERDICT(id, name, exit, meaning) VERDICT_##id,
#include "decide/verdicts.def"
#undef VERDICT
	VERDICT_COUNT,
};

struct facts {
	const char *unusable;   /* why nothing can be said: an input is missing, wrong or contradictory */
	bool deleting;          /* deletionTimestamp, or phase Terminating */
	bool baseline_missing;  /* no status, no status.conditions, or Initializing */
	bool created;           /* D is at hand and T is not there yet */
	bool primary_missing;
	bool asked_for;         /* lastAppliedSpec is empty: someone nudged it */
	enum phase phase;
	bool promotion_failed;  /* Failed in promoting: the canary takes the traffic, not the primary */
	bool equals_primary;    /* proof (b) */
	bool equals_applied;    /* proof (d) */
	bool new_revision;      /* D makes another template of T, or T's is younger than the failure */
	bool proved;
	bool real;              /* a real change: template or config data */
	bool tracker_fires;     /* the config tracker sees a change … */
	bool tracker_alone;     /* … though no data changed: that can't be absorbed */
	enum policy_effect policy; /* the strictest over the real changes */
	enum answer would_run;
};

/* `reason` gets the row's own line; decide.c says it in more words where it can. */
enum verdict verdict_of(const struct facts *facts, const char **reason);

const char *verdict_name(enum verdict verdict);
/* The exit code of `plan` for one such verdict: 0, 1 or 7. */
int verdict_exit_code(enum verdict verdict);

#endif
