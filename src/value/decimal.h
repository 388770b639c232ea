/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decimal magnitudes of any length: digits without zeros at either end ("" is zero), times ten to
 * a power. Every value has one form, so equal ones compare equal. Text lives on the arena.
 */
#ifndef PERCH_VALUE_DECIMAL_H
#define PERCH_VALUE_DECIMAL_H

#include <stdint.h>

struct decimal {
	const char *digits;
	int64_t exponent;
};

/* Any digits times ten to a power; takes the text over. */
struct decimal decimal_make(char *digits, int64_t exponent);
/* No digit below ten to `place`: rounded away from zero. */
struct decimal decimal_round_up(const struct decimal *d, int64_t place);
/* times two to a power, worked out to well below nano; at most 2⁶³−1 */
struct decimal decimal_shift_left(const struct decimal *d, unsigned power);
/* An integer's value; UINT64_MAX where it is larger. */
uint64_t decimal_natural(const struct decimal *d);

#endif
