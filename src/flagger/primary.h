/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flagger's own transform of a target into its primary, forward only (flagger.md §5): the template
 * that a promotion of T would give P. Nothing is guessed: renamed refs are the keys of
 * status.trackedConfigs, the selector label is P.spec.selector's only key, and whether refs of init
 * containers are renamed is what P itself shows (either form is right; 1.44 changed it).
 * Fields that the promoting release doesn't know are left in; proof.h tells them apart.
 *
 * All of these give new objects with nothing but their identity and spec.template. A place in T is
 * the same place in forward(T), and a place in P the same in the other two: only names change, and
 * map entries go.
 */
#ifndef PERCH_FLAGGER_PRIMARY_H
#define PERCH_FLAGGER_PRIMARY_H

#include "base/error.h"
#include "flagger/canary.h"

/* Flagger's -selector-labels where nobody says otherwise. */
#define SELECTOR_LABELS_DEFAULT "app,name,app.kubernetes.io/name"

/*
 * forward(T) as an object whose spec.template compares with P's. `selector_labels` is Flagger's
 * flag, comma-separated; NULL means its default. ERR_INPUT where T or P contradict themselves (no
 * selector label).
 */
const struct tree *primary_forward(const struct canary *c, const struct tree *target,
				   const struct tree *primary, const char *selector_labels,
				   struct error *err);
/* P as forward(T) is compared with it: without what Flagger stamps on at each promotion. */
const struct tree *primary_comparable(const struct tree *primary);
/* The same in T's terms, for people to read: suffixes taken off again. */
const struct tree *primary_backward(const struct canary *c, const struct tree *primary,
				    const char *selector_labels);

#endif
