/* SPDX-License-Identifier: Apache-2.0 */
#include "value/decimal.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "value/natural.h"

#define WHOLE_MAX 19     /* digits of 2⁶³−1 */
#define FRACTION_MAX 100 /* a longer fraction never becomes whole nanos by a shift of up to 60 */

struct decimal decimal_make(char *digits, int64_t exponent)
{
	size_t len;

	digits += strspn(digits, "0");
	len = strlen(digits);
	for (; len && digits[len - 1] == '0'; len--)
		exponent++;
	digits[len] = '\0';
	return (struct decimal){digits, len ? exponent : 0};
}

/* Adds one in the last place; there is a zero in front. */
static void increment(char *digits)
{
	char *p = digits + strlen(digits) - 1;

	for (; *p == '9'; p--)
		*p = '0';
	++*p;
}

struct decimal decimal_round_up(const struct decimal *d, int64_t place)
{
	size_t len = strlen(d->digits);
	int64_t below = place - d->exponent;
	char *kept;

	if (!len || below <= 0)
		return *d;
	if (below > (int64_t)len)
		below = (int64_t)len;
	kept = arena_alloc_raw(len + 2);
	kept[0] = '0';
	memcpy(kept + 1, d->digits, len - (size_t)below);
	kept[1 + len - (size_t)below] = '\0';
	increment(kept); /* the last digit dropped is none of the zeros at the end, for there are none */
	return decimal_make(kept, place);
}

static struct natural natural_of_digits(const char *digits, size_t len)
{
	struct natural x = natural_of(0);

	for (size_t i = 0; i < len; i++)
		natural_digit(&x, (unsigned)(digits[i] - '0'));
	return x;
}

struct decimal decimal_shift_left(const struct decimal *d, unsigned power)
{
	size_t len = strlen(d->digits);
	int64_t exponent = d->exponent;
	struct natural x, largest = natural_of(INT64_MAX);
	bool cut = exponent < -FRACTION_MAX;

	if ((int64_t)len + exponent > WHOLE_MAX)
		return decimal_make(natural_decimal(&largest), 0);
	if (cut) {
		len = (int64_t)len > -FRACTION_MAX - exponent ? len - (size_t)(-FRACTION_MAX - exponent) : 0;
		exponent = -FRACTION_MAX;
	}
	x = natural_of_digits(d->digits, len);
	if (cut) { /* what is cut off still counts for rounding up */
		natural_digit(&x, 1);
		exponent--;
	}
	natural_times_power_of_two(&x, power);
	natural_times_power_of_ten(exponent > 0 ? &x : &largest, (unsigned)(exponent > 0 ? exponent : -exponent));
	if (natural_compare(&x, &largest) > 0)
		x = largest;
	return decimal_make(natural_decimal(&x), exponent > 0 ? 0 : exponent);
}

uint64_t decimal_natural(const struct decimal *d)
{
	uint64_t n = 0;

	if (d->exponent > WHOLE_MAX)
		return UINT64_MAX;
	for (const char *p = d->digits; *p; p++) {
		if (n > (UINT64_MAX - 9) / 10)
			return UINT64_MAX;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	for (int64_t i = 0; i < d->exponent && n < UINT64_MAX; i++)
		n = n > UINT64_MAX / 10 ? UINT64_MAX : n * 10;
	return n;
}
