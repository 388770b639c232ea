/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Would Flagger run? Its own rule over lastAppliedSpec and lastPromotedSpec (flagger.md §2.6, §3.2)
 * for one release and phase, with its hash of the target, then its config tracker. Suspension is
 * left out: the answer is what it would do if nothing were suspended.
 */
#ifndef PERCH_FLAGGER_TRIGGER_H
#define PERCH_FLAGGER_TRIGGER_H

#include "flagger/configs.h"
#include "flagger/hash.h"

struct trigger {
	enum answer would_run; /* start a run, or start over when in flight */
	bool by_hash, by_config;
	char now[HASH_SIZE];   /* the release's hash of the target; "" where it can't be computed */
	const char *reason;    /* one line */
};

void trigger_judge(struct trigger *out, const struct canary *c, const struct tree *target,
		   const struct flagger *flagger, const struct configs *configs);

#endif
