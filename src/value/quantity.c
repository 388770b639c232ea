/* SPDX-License-Identifier: Apache-2.0 */
#include "value/quantity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "value/decimal.h"

#define NANO (-9)
#define MILLI (-3)

static const char *const decimal_suffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
static const char *const binary_suffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

const char *quantity_format_name(enum quantity_format format)
{
	static const char *const names[] = {"DecimalSI", "BinarySI", "DecimalExponent"};

	return names[format];
}

static struct decimal decimal_of(const struct quantity *q)
{
	uint64_t magnitude = q->value < 0 ? 0 - (uint64_t)q->value : (uint64_t)q->value;

	if (q->big)
		return (struct decimal){q->digits, q->exponent};
	return decimal_make(arena_printf("%" PRIu64, magnitude), q->scale);
}

static bool is_negative(const struct quantity *q)
{
	return q->big ? q->negative : q->value < 0;
}

static struct quantity parsed(const char *text)
{
	struct quantity q;

	if (!quantity_parse(&q, text))
		BUG("'%s' is no quantity", text);
	return q;
}

bool quantity_valid(const char *text)
{
	struct quantity q;

	return quantity_parse(&q, text);
}

bool quantity_same(const char *a, const char *b)
{
	struct quantity x = parsed(a), y = parsed(b);
	struct decimal dx = decimal_of(&x), dy = decimal_of(&y);

	if (!*dx.digits || !*dy.digits)
		return !*dx.digits && !*dy.digits;
	return is_negative(&x) == is_negative(&y) && dx.exponent == dy.exponent &&
	       strcmp(dx.digits, dy.digits) == 0;
}

/* Digits with their power of ten brought down to a multiple of three, then its suffix. A power that
 * has no suffix is dropped, as Go drops it. */
static const char *write_decimal(const struct decimal *d, bool negative, bool as_exponent)
{
	int32_t exponent = (int32_t)d->exponent; /* Go's has 32 bits too, and wraps */
	int zeros = (exponent % 3 + 3) % 3, index;
	const char *suffix = "", *number = arena_printf("%s%s%.*s", negative ? "-" : "", d->digits, zeros, "00");

	exponent = (int32_t)((uint32_t)exponent - (uint32_t)zeros);
	if (as_exponent)
		return exponent ? arena_printf("%se%" PRId32, number, exponent) : number;
	index = exponent / 3 + 3;
	if (index >= 0 && index < (int)(sizeof(decimal_suffixes) / sizeof(*decimal_suffixes)))
		suffix = decimal_suffixes[index];
	return arena_printf("%s%s", number, suffix);
}

/* An integer of at least 1024 that fits an int64, by the largest power of 1024 that divides it. */
static const char *write_binary(const struct decimal *d, bool negative)
{
	uint64_t n = decimal_natural(d);
	size_t power = 0;

	for (; n % 1024 == 0; n /= 1024)
		power++;
	return arena_printf("%s%" PRIu64 "%s", negative ? "-" : "", n, binary_suffixes[power]);
}

static const char *write_canonical(const struct quantity *q, const struct decimal *d)
{
	bool negative = is_negative(q);

	if (!*d->digits)
		return "0";
	if (q->format == QUANTITY_BINARY_SI && d->exponent >= 0 && decimal_natural(d) >= 1024)
		return write_binary(d, negative);
	return write_decimal(d, negative, q->format == QUANTITY_DECIMAL_EXPONENT);
}

const char *quantity_canonical(const char *text)
{
	struct quantity q = parsed(text);
	struct decimal d;

	if (q.kept)
		return arena_strndup(q.kept, q.kept_len);
	d = decimal_of(&q);
	return write_canonical(&q, &d);
}

const char *quantity_canonical_milli(const char *text)
{
	struct quantity q = parsed(text);
	struct decimal d;

	if (!q.big && q.scale >= MILLI)
		return quantity_canonical(text);
	d = decimal_of(&q);
	d = decimal_round_up(&d, MILLI);
	return write_canonical(&q, &d);
}
