/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often Flagger looks at a canary: spec.analysis.interval as its GetAnalysisInterval reads it
 * (flagger.md §1): a minute where it is absent or no duration, ten seconds at least.
 */
#ifndef PERCH_FLEET_INTERVAL_H
#define PERCH_FLEET_INTERVAL_H

#include <stdint.h>

#include "value/tree.h"

int64_t interval_ms(const struct tree *canary);

#endif
