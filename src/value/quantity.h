/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resource.Quantity, exact (no double): sign, digits, fraction, and a suffix of n u m k M G T P E,
 * Ki…Ei or an exponent. Source: apimachinery's ParseQuantity, Cmp, RoundUp and CanonicalizeBytes
 * (kubernetes-diff.md §2.6), which are followed in their oddities too: "Ki" is zero, 1000E is
 * written back as "1".
 */
#ifndef PERCH_VALUE_QUANTITY_H
#define PERCH_VALUE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

/*
 * What ParseQuantity leaves in the Go struct, which depends on the spelling and not only on the
 * value. A small one is an int64 and a power of ten (`i`). A big one is a decimal (`d`): its digits,
 * no zeros at either end, times ten to `exponent`, at Go's `big_scale`. `kept` is the text that Go
 * keeps (`s`); without it Go writes the canonical text.
 */
struct quantity {
	enum quantity_format format;
	bool big, negative;
	int64_t value;
	int32_t scale;
	const char *digits;
	int64_t exponent;
	int32_t big_scale;
	const char *kept; /* borrowed from the text parsed */
	size_t kept_len;
};

/* False: no quantity. Outer blanks are trimmed as on decode. Only a big one uses the arena. */
bool quantity_parse(struct quantity *out, const char *text);
const char *quantity_format_name(enum quantity_format format); /* "DecimalSI", … */

bool quantity_valid(const char *text);
/* Equal in value? Both must be valid. */
bool quantity_same(const char *a, const char *b);
/* The text that the API server writes back (1000m → "1"); spellings it keeps are kept. */
const char *quantity_canonical(const char *text);
/* The same after defaulting's rounding up to milli, as in limits, requests and overhead. */
const char *quantity_canonical_milli(const char *text);

#endif
