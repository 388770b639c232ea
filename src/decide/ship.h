/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ship: spec.skipAnalysis for one change, which annotation perch.dev/ship names, so that it can be
 * told from the next one. The name is the running release's hash of the live target, and where data
 * of its configs wait to be run, `+` and their fingerprint (the hash doesn't see those). Seen in
 * Flagger's scheduler, 1.37 to 1.44: with skipAnalysis it still asks confirm-rollout, and then neither
 * confirm-traffic-increase, confirm-promotion, pre-rollout, rollout and rollback webhooks nor metrics;
 * and what it promotes is the target as it is at that tick, whatever was meant.
 */
#ifndef PERCH_DECIDE_SHIP_H
#define PERCH_DECIDE_SHIP_H

#include "flagger/canary.h"
#include "flagger/subject.h"

struct ship {
	const char *name;      /* of what is live now; NULL: it can't be named, see `nameless` */
	const char *nameless;  /* why */
	const char *stale;     /* why the ship on the canary isn't for that any more, or is over; NULL: there is
				* none, or it stays */
	const char *forbidden; /* why Flagger must not be told to ship this canary; NULL: it may */
};

/* `gates_open`: the policy that ships says so in spite of the canary's gates. */
void ship_judge(struct ship *out, const struct canary *c, const struct subject *s,
		const struct flagger *flagger, bool gates_open);

#endif
