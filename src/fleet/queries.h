/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many metric queries a canary's analysis makes in an hour: one for each of its metrics at each
 * interval. What a fleet that rolls at once would ask of a metric provider that limits its rate.
 */
#ifndef PERCH_FLEET_QUERIES_H
#define PERCH_FLEET_QUERIES_H

#include <stddef.h>

#include "value/tree.h"

size_t queries_per_hour(const struct tree *canary);

#endif
