/* SPDX-License-Identifier: Apache-2.0 */
#include "value/natural.h"

#include <string.h>

#include "base/arena.h"

#define TEN_TO_9 1000000000u

static void reserve(struct natural *x, size_t cap)
{
	size_t want = x->cap * 2 > cap ? x->cap * 2 : cap;

	if (cap <= x->cap)
		return;
	x->limbs = arena_grow(x->limbs, x->cap * sizeof(*x->limbs), want * sizeof(*x->limbs));
	x->cap = want;
}

static void trim(struct natural *x)
{
	while (x->n && x->limbs[x->n - 1] == 0)
		x->n--;
}

/* x = x · factor + summand */
static void multiply_add(struct natural *x, uint32_t factor, uint32_t summand)
{
	uint64_t carry = summand;

	for (size_t i = 0; i < x->n; i++) {
		carry += (uint64_t)x->limbs[i] * factor;
		x->limbs[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry) {
		reserve(x, x->n + 1);
		x->limbs[x->n++] = (uint32_t)carry;
	}
}

/* x = x / divisor; the remainder */
static uint32_t divide(struct natural *x, uint32_t divisor)
{
	uint64_t rest = 0;

	for (size_t i = x->n; i > 0; i--) {
		rest = rest << 32 | x->limbs[i - 1];
		x->limbs[i - 1] = (uint32_t)(rest / divisor);
		rest %= divisor;
	}
	trim(x);
	return (uint32_t)rest;
}

static uint32_t power_of_ten(unsigned exponent)
{
	uint32_t power = 1;

	while (exponent--)
		power *= 10;
	return power;
}

struct natural natural_of(uint64_t value)
{
	struct natural x = {0};

	reserve(&x, 4);
	x.limbs[0] = (uint32_t)value;
	x.limbs[1] = (uint32_t)(value >> 32);
	x.n = 2;
	trim(&x);
	return x;
}

void natural_digit(struct natural *x, unsigned digit)
{
	multiply_add(x, 10, digit);
}

void natural_times_power_of_ten(struct natural *x, unsigned exponent)
{
	for (; exponent > 9; exponent -= 9)
		multiply_add(x, TEN_TO_9, 0);
	multiply_add(x, power_of_ten(exponent), 0);
}

void natural_times_power_of_two(struct natural *x, unsigned exponent)
{
	size_t limbs = exponent / 32;

	multiply_add(x, (uint32_t)1 << exponent % 32, 0);
	if (!x->n || !limbs)
		return;
	reserve(x, x->n + limbs);
	memmove(x->limbs + limbs, x->limbs, x->n * sizeof(*x->limbs));
	memset(x->limbs, 0, limbs * sizeof(*x->limbs));
	x->n += limbs;
}

char *natural_decimal(struct natural *x)
{
	size_t size = x->n * 10 + 1; /* a limb has fewer than ten digits */
	char *p = (char *)arena_alloc(size) + size - 1;

	while (x->n) {
		uint32_t nine = divide(x, TEN_TO_9);

		for (int i = 0; i < 9 && (nine || x->n); i++, nine /= 10)
			*--p = (char)('0' + nine % 10);
	}
	return p;
}

int natural_compare(const struct natural *a, const struct natural *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = a->n; i > 0; i--)
		if (a->limbs[i - 1] != b->limbs[i - 1])
			return a->limbs[i - 1] < b->limbs[i - 1] ? -1 : 1;
	return 0;
}
