/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The action: verdict × flow × who holds (DESIGN.md §2; cells in actions.def). An action is data:
 * what would be written and what happens to a hold; src/act carries it out.
 */
#ifndef PERCH_DECIDE_ACTION_H
#define PERCH_DECIDE_ACTION_H

#include "decide/verdict.h"

enum flow { FLOW_NONE, FLOW_GUARD, FLOW_RECONCILE, FLOW_RESUME, FLOW_COMMIT };

const char *flow_name(enum flow flow);
/* Returns FLOW_NONE for a name that is none. */
enum flow flow_parse(const char *name);

enum hashes_written { WRITE_NOTHING, WRITE_APPLIED, WRITE_BOTH };
enum hold_effect { HOLD_LEAVE, HOLD_END, HOLD_KEEP, HOLD_SET };

struct action {
	enum hashes_written hashes;
	enum hold_effect hold;
	const char *text; /* one line for people: "write both hashes, end hold" */
};

#endif
