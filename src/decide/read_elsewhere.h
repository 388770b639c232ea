/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a label or annotation of the pod template read by anything else in the object? Then changing
 * it changes more than metadata, and policy may not ignore it: fieldRefs and downward API volumes,
 * the workload's selector, affinity and spread selectors, matchLabelKeys.
 */
#ifndef PERCH_DECIDE_READ_ELSEWHERE_H
#define PERCH_DECIDE_READ_ELSEWHERE_H

#include "k8s/change.h"

/* Who reads it ("fieldRef", "selector", …), or NULL. */
const char *read_elsewhere(const struct change *change, const struct tree *target);

#endif
