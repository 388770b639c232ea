/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flagger's own transform of a target into its primary, forward only (flagger.md §5): the template
 * that a promotion of T would give P. Nothing is guessed: renamed refs are the keys of
 * status.trackedConfigs, the selector label is P.spec.selector's only key, and whether refs of init
 * containers are renamed is what P itself shows (either form is right; 1.44 changed it).
 * Fields that the promoting release doesn't know are left in; proof.h tells them apart.
 */
#ifndef PERCH_FLAGGER_PRIMARY_H
#define PERCH_FLAGGER_PRIMARY_H

#include "base/error.h"
#include "flagger/canary.h"

/*
 * forward(T) as an object whose spec.template compares with P's. `selector_labels` is Flagger's
 * flag, comma-separated. ERR_INPUT where T or P contradict themselves (no selector label).
 */
const struct tree *primary_forward(const struct canary *c, const struct tree *target,
				   const struct tree *primary, const char *selector_labels,
				   struct error *err);

#endif
