/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A canary that was let go, until Flagger is through with it: it begins at a tick of its analysis
 * interval, which shows in its phase or in lastAppliedSpec, and is over once it is settled or has
 * failed. Kept as bytes, since the arena is rewound in between.
 */
#ifndef PERCH_BEGUN_H
#define PERCH_BEGUN_H

#include "perch/live.h"

struct begun {
	char namespace[256], name[256]; /* name "": none */
	char applied[64];               /* lastAppliedSpec when it was let go */
	int64_t within_ms;              /* it begins, if at all */
};

/* How long it may take until Flagger begins. */
int64_t begun_within_ms(const struct canary *c);
void begun_expect(struct begun *out, const struct canary *c);
/* Polls. One that doesn't begin within two of its intervals isn't waited for. ERR_TIMEOUT. */
int begun_wait(const struct begun *b, const struct live_run *r, struct error *err);

#endif
