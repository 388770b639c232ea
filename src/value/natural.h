/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Natural numbers of any size, for what does not fit 64 bits: base 2³² limbs, lowest first, without
 * leading zeros (zero has none). The limbs live on the arena. No operation fails; callers bound what
 * they ask for.
 */
#ifndef PERCH_VALUE_NATURAL_H
#define PERCH_VALUE_NATURAL_H

#include <stddef.h>
#include <stdint.h>

struct natural {
	uint32_t *limbs;
	size_t n, cap;
};

struct natural natural_of(uint64_t value);
/* Appends a decimal digit: x = 10x + digit. */
void natural_digit(struct natural *x, unsigned digit);
void natural_times_power_of_ten(struct natural *x, unsigned exponent);
void natural_times_power_of_two(struct natural *x, unsigned exponent);
/* Its digits ("" for zero); leaves zero behind. */
char *natural_decimal(struct natural *x);
/* <0, 0 or >0, as memcmp. */
int natural_compare(const struct natural *a, const struct natural *b);

#endif
