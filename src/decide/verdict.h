/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict: a table over facts, first match wins (DESIGN.md §2; rows in verdicts.def). Facts are
 * gathered by decide.h; here is no look at any tree.
 */
#ifndef PERCH_DECIDE_VERDICT_H
#define PERCH_DECIDE_VERDICT_H

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_DELETING,
	VERDICT_INITIALIZE,
	VERDICT_PRIMARY_MISSING,
	VERDICT_BUSY,
	VERDICT_RESTART,
	VERDICT_ROLLBACK,
	VERDICT_FAILED,
	VERDICT_HOLD,
	VERDICT_SHIP,
	VERDICT_RUN,
	VERDICT_SWALLOWED,
	VERDICT_ADOPT,
	VERDICT_NONE,
	VERDICT_UNPROVED,
	VERDICT_COUNT,
};

const char *verdict_name(enum verdict verdict);

#endif
