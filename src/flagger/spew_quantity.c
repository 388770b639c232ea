/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "flagger/spew.h"
#include "value/natural.h"

/*
 * What apimachinery's ParseQuantity leaves in the struct depends on the spelling, not only on the
 * value: an int64 and a scale where the digits fit its estimate of precision, else a big decimal of
 * scale 9; and the text itself is kept where a quick look says that it is canonical.
 */

#define MAX_DIGITS 18    /* decimal digits that surely fit an int64 */
#define SMALLEST_SCALE 9 /* nano */
#define MAX_POWER 4096   /* digits and powers of ten beyond it are not worked out */

struct suffix {
	const char *text;
	int base, exponent;
};

static const struct suffix suffixes[] = {
	{"", 10, 0},   {"m", 10, -3}, {"Mi", 2, 20}, {"Gi", 2, 30}, {"Ki", 2, 10}, {"k", 10, 3},
	{"M", 10, 6},  {"G", 10, 9},  {"Ti", 2, 40}, {"Pi", 2, 50}, {"Ei", 2, 60}, {"n", 10, -9},
	{"u", 10, -6}, {"T", 10, 12}, {"P", 10, 15}, {"E", 10, 18},
};

struct quantity {
	const char *text; /* trimmed */
	size_t len;
	bool negative;
	const char *num, *denom; /* digits before the point without leading zeros, and after it */
	size_t num_len, denom_len;
	bool has_digit; /* before the suffix */
	int base;
	int32_t exponent;
	const char *format;
};

/* Blanks that strings.TrimSpace takes off and that JSON text can hold unescaped. */
static size_t blank_length(const char *text, size_t len, bool at_end)
{
	static const char *const blanks[] = {
		" ", "\u00a0", "\xc2\x85", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
		"\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
	};

	unsigned char edge = len == 0 ? '0' : (unsigned char)(at_end ? text[len - 1] : text[0]);

	if (edge != ' ' && edge < 0x80)
		return 0;
	for (size_t i = 0; i < sizeof(blanks) / sizeof(*blanks); i++) {
		size_t n = strlen(blanks[i]);

		if (n <= len && memcmp(at_end ? text + len - n : text, blanks[i], n) == 0)
			return n;
	}
	return 0;
}

static void trim(struct quantity *q)
{
	size_t n;

	while ((n = blank_length(q->text, q->len, false))) {
		q->text += n;
		q->len -= n;
	}
	while ((n = blank_length(q->text, q->len, true)))
		q->len -= n;
}

static size_t digits_at(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - start);
}

/* e9, E-3, e+400: an int64 that is then cut to an int32, as Go does. */
static bool read_exponent(struct quantity *q, const char *p, const char *end)
{
	bool negative = p < end && *p == '-';
	uint64_t n = 0;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	if (p == end || digits_at(p, end) != (size_t)(end - p))
		return false;
	for (; p < end; p++) {
		if (n > (uint64_t)INT64_MAX / 10)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (n > (uint64_t)INT64_MAX + negative)
		return false;
	q->base = 10;
	q->exponent = (int32_t)(uint32_t)(negative ? 0 - n : n);
	q->format = "DecimalExponent";
	return true;
}

static bool read_suffix(struct quantity *q, const char *p, const char *end)
{
	size_t len = (size_t)(end - p);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const struct suffix *s = &suffixes[i];

		if (strlen(s->text) != len || memcmp(s->text, p, len) != 0)
			continue;
		q->base = s->base;
		q->exponent = s->exponent;
		q->format = s->base == 2 ? "BinarySI" : "DecimalSI";
		return true;
	}
	return len > 1 && (*p == 'e' || *p == 'E') && read_exponent(q, p + 1, end);
}

static bool read_quantity(struct quantity *q)
{
	const char *p = q->text, *end = q->text + q->len;

	if (p == end)
		return false;
	q->negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	while (p < end && *p == '0') {
		q->has_digit = true;
		p++;
	}
	q->num = p;
	q->num_len = digits_at(p, end);
	p += q->num_len;
	if (p < end && *p == '.') {
		q->denom = ++p;
		q->denom_len = digits_at(p, end);
		p += q->denom_len;
	}
	q->has_digit = q->has_digit || q->num_len + q->denom_len > 0;
	if (q->num_len == 0) {
		q->num = "0";
		q->num_len = 1;
	}
	return read_suffix(q, p, end);
}

/* num and denom as one number, if the quick path takes them. */
static bool fits(const struct quantity *q, int64_t *value, int32_t *scale)
{
	int64_t n = 0;

	if (q->base == 2) {
		if (q->denom_len > 0 ||
		    15 - (int64_t)q->num_len - (int)((float)q->exponent * 3 / 10) - 1 < 0)
			return false;
		*scale = 0;
	} else {
		if (q->num_len + q->denom_len > MAX_DIGITS)
			return false;
		*scale = (int32_t)((uint32_t)q->exponent - (uint32_t)q->denom_len);
		if (*scale < -SMALLEST_SCALE)
			return false;
	}
	for (size_t i = 0; i < q->num_len; i++)
		n = n * 10 + (q->num[i] - '0');
	for (size_t i = 0; i < q->denom_len; i++)
		n = n * 10 + (q->denom[i] - '0');
	*value = n;
	return true;
}

static bool ends_in_three_zeros(const struct quantity *q)
{
	size_t zeros = 0, len = q->num_len + q->denom_len;

	for (size_t i = len; i > 0 && zeros < 3; i--, zeros++)
		if ((i > q->num_len ? q->denom[i - q->num_len - 1] : q->num[i - 1]) != '0')
			return false;
	return zeros == 3;
}

static bool keeps_text(const struct quantity *q, int64_t value, int32_t scale)
{
	if (q->base == 2)
		return (value & 7) != 0;
	return scale % 3 == 0 && !ends_in_three_zeros(q) && q->num[0] != '0';
}

static void add(struct spew *s, const char *text)
{
	spew_text(s, text, strlen(text));
}

static void print_small(struct spew *s, const struct quantity *q, int64_t value, int32_t scale,
			bool keep)
{
	SPEW_LITERAL(s, "{i:(resource.int64Amount){value:(int64)");
	spew_integer(s, value);
	SPEW_LITERAL(s, " scale:(resource.Scale)");
	spew_integer(s, scale);
	SPEW_LITERAL(s, "} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)");
	if (keep)
		spew_text(s, q->text, q->len);
	SPEW_LITERAL(s, " Format:(resource.Format)");
	add(s, q->format);
	SPEW_LITERAL(s, "}");
}

/* A big.Int's magnitude: words of 64 bits, lowest first. */
static void print_words(struct spew *s, const struct natural *x)
{
	char word[24];

	if (!x->n) {
		SPEW_LITERAL(s, "<nil>");
		return;
	}
	SPEW_LITERAL(s, "[");
	for (size_t i = 0; i < x->n; i += 2) {
		uint64_t high = i + 1 < x->n ? x->limbs[i + 1] : 0;

		snprintf(word, sizeof(word), "%s%" PRIu64, i ? " " : "", high << 32 | x->limbs[i]);
		add(s, word);
	}
	SPEW_LITERAL(s, "]");
}

static void print_big(struct spew *s, const struct natural *x, bool negative, int32_t scale,
		      const char *format)
{
	SPEW_LITERAL(s, "{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} "
			"d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)");
	add(s, negative && x->n ? "true" : "false");
	SPEW_LITERAL(s, " abs:(big.nat)");
	print_words(s, x);
	SPEW_LITERAL(s, "} scale:(inf.Scale)");
	spew_integer(s, scale);
	SPEW_LITERAL(s, "}} s:(string) Format:(resource.Format)");
	add(s, format);
	SPEW_LITERAL(s, "}");
}

/* Makes the scale 9, rounding away from zero, as every big quantity but zero gets it. */
static bool rescale(struct natural *x, int32_t scale)
{
	if (scale <= SMALLEST_SCALE) {
		if (SMALLEST_SCALE - (int64_t)scale > MAX_POWER)
			return false;
		natural_times_power_of_ten(x, (unsigned)(SMALLEST_SCALE - scale));
	} else if (natural_over_power_of_ten(x, (unsigned)(scale - SMALLEST_SCALE))) {
		natural_increment(x);
	}
	return true;
}

static struct natural read_digits(const struct quantity *q)
{
	struct natural x = natural_of(0);

	for (size_t i = 0; i < q->num_len; i++)
		natural_digit(&x, (unsigned)(q->num[i] - '0'));
	for (size_t i = 0; i < q->denom_len; i++)
		natural_digit(&x, (unsigned)(q->denom[i] - '0'));
	return x;
}

static enum spew_result big_quantity(struct spew *s, const struct quantity *q)
{
	const char *format = q->format;
	int32_t scale = (int32_t)q->denom_len;
	struct natural x = read_digits(q), largest = natural_of(INT64_MAX), one = natural_of(1);

	if (q->base == 2)
		natural_times_power_of_two(&x, (unsigned)q->exponent);
	else
		scale = (int32_t)((uint32_t)scale - (uint32_t)q->exponent);
	if (x.n) {
		if (!rescale(&x, scale))
			return SPEW_UNKNOWABLE;
		scale = SMALLEST_SCALE;
		natural_times_power_of_ten(&largest, SMALLEST_SCALE);
		natural_times_power_of_ten(&one, SMALLEST_SCALE);
	}
	if (q->base == 2 && x.n && natural_compare(&x, &largest) > 0) {
		x = natural_of(INT64_MAX);
		scale = 0;
	} else if (q->base == 2 && x.n && natural_compare(&x, &one) < 0) {
		format = "DecimalSI";
	}
	print_big(s, &x, q->negative, scale, format);
	return SPEW_OK;
}

void spew_quantity(struct spew *s, const char *text)
{
	struct quantity q = {.text = text, .len = strlen(text), .denom = ""};
	enum spew_result result = SPEW_OK;
	int64_t value;
	int32_t scale;

	trim(&q);
	if (q.len == 1 && *q.text == '0') {
		q.format = "DecimalSI";
		print_small(s, &q, 0, 0, true);
	} else if (!read_quantity(&q)) {
		result = SPEW_UNDECODABLE;
	} else if (fits(&q, &value, &scale)) {
		bool keep = keeps_text(&q, value, scale);

		if (q.base == 2)
			value *= (int64_t)1 << q.exponent;
		print_small(s, &q, q.negative ? -value : value, scale, keep);
	} else if (!q.has_digit) {
		result = SPEW_UNDECODABLE; /* the quick path takes "." for zero, the other does not */
	} else if (q.num_len + q.denom_len > MAX_POWER) {
		result = SPEW_UNKNOWABLE;
	} else {
		result = big_quantity(s, &q);
	}
	if (result != SPEW_OK)
		spew_fail(s, result);
}
