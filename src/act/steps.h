/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of an action, in the order in which they are carried out, so that a run that is killed in
 * between leaves nothing that isn't safe. A stale ship goes first: it would let the next change
 * through unanalysed. What the policy's word stands for is noted before the hashes that rest on it.
 * Hashes come before the end of a hold: a canary stays held rather than being let go too soon. Each
 * is a row of the table in steps.c and gives one write, nothing, or why a safety rule forbids it.
 * Another way to hold (a ConfigMap that Flux substitutes from) is another row.
 */
#ifndef PERCH_ACT_STEPS_H
#define PERCH_ACT_STEPS_H

#include "act/act.h"
#include "act/write.h"

/* An action under way. */
struct job {
	const struct actor *actor;
	const struct decision *decision;
	const struct subject *subject;
	struct canary canary; /* as the last answer has it */
};

enum making { MAKING_NOTHING, MAKING_WRITE, MAKING_REFUSED };

struct step {
	/* `why` gets one line: why it is refused or, where it is worth saying, why there is nothing. */
	enum making (*make)(struct write *out, const struct job *job, const char **why);
	void (*done)(struct outcome *out, const struct write *w);
};
extern const struct step steps[]; /* ends with a NULL make */

/* Why the ship on it has to go first; NULL: it stays, or there is none. */
const char *steps_unship(const struct job *job);
/* Why nothing at all may be written to this object; NULL: it may. */
const char *steps_unfit(const struct canary *c);

#endif
