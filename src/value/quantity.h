/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resource.Quantity, exact (no double): sign, digits, fraction, and a suffix of n u m k M G T P E,
 * Ki…Ei or an exponent. Parsed to a decimal integer times ten or two to a power; source: apimachinery's
 * ParseQuantity, Cmp and CanonicalizeBytes (kubernetes-diff.md §2.6).
 */
#ifndef PERCH_VALUE_QUANTITY_H
#define PERCH_VALUE_QUANTITY_H

#include <stdbool.h>

#include "base/buffer.h"

/* Is it a quantity at all? Outer blanks are trimmed as on decode. */
bool quantity_valid(const char *text);
/* Equal in value? Both must be valid. */
bool quantity_same(const char *a, const char *b);
/* The text that the API server writes back (1000m → "1"); spellings it keeps are kept. */
const char *quantity_canonical(const char *text);
/* The same after defaulting's rounding up to milli, as in limits, requests and overhead. */
const char *quantity_canonical_milli(const char *text);

#endif
