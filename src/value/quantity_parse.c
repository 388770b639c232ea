/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "value/decimal.h"
#include "value/quantity.h"

#define SMALL_DIGITS 18
#define NANO (-9)

static const struct suffix {
	const char *text;
	enum quantity_format format;
	int32_t exponent; /* of ten, for BinarySI of two */
} suffixes[] = {
	{"", QUANTITY_DECIMAL_SI, 0},   {"m", QUANTITY_DECIMAL_SI, -3}, {"Mi", QUANTITY_BINARY_SI, 20},
	{"Gi", QUANTITY_BINARY_SI, 30}, {"Ki", QUANTITY_BINARY_SI, 10}, {"k", QUANTITY_DECIMAL_SI, 3},
	{"M", QUANTITY_DECIMAL_SI, 6},  {"G", QUANTITY_DECIMAL_SI, 9},  {"Ti", QUANTITY_BINARY_SI, 40},
	{"Pi", QUANTITY_BINARY_SI, 50}, {"Ei", QUANTITY_BINARY_SI, 60}, {"n", QUANTITY_DECIMAL_SI, -9},
	{"u", QUANTITY_DECIMAL_SI, -6}, {"T", QUANTITY_DECIMAL_SI, 12}, {"P", QUANTITY_DECIMAL_SI, 15},
	{"E", QUANTITY_DECIMAL_SI, 18},
};

struct parts {
	const char *text; /* trimmed */
	size_t len;
	bool negative;
	const char *num, *denom; /* digits before the point without leading zeros ("0" if none), and after */
	size_t num_len, denom_len;
	bool has_digit;
	enum quantity_format format;
	int32_t exponent;
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

static void trim(struct parts *p)
{
	size_t n;

	while ((n = blank_length(p->text, p->len, false))) {
		p->text += n;
		p->len -= n;
	}
	while ((n = blank_length(p->text, p->len, true)))
		p->len -= n;
}

static size_t digits_at(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (size_t)(p - start);
}

/* e9, E-3, e+400: an int64 that is then cut to an int32, as Go does. */
static bool read_exponent(struct parts *q, const char *p, const char *end)
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
	q->format = QUANTITY_DECIMAL_EXPONENT;
	q->exponent = (int32_t)(uint32_t)(negative ? 0 - n : n);
	return true;
}

static bool read_suffix(struct parts *q, const char *p, const char *end)
{
	size_t len = (size_t)(end - p);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (strlen(suffixes[i].text) != len || memcmp(suffixes[i].text, p, len) != 0)
			continue;
		q->format = suffixes[i].format;
		q->exponent = suffixes[i].exponent;
		return true;
	}
	return len > 1 && (*p == 'e' || *p == 'E') && read_exponent(q, p + 1, end);
}

static bool read_parts(struct parts *q)
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

/* Go's estimate whether an int64 will do; a binary one must be whole. */
static bool is_small(const struct parts *q, int32_t *scale)
{
	if (q->format == QUANTITY_BINARY_SI) {
		*scale = 0;
		return q->denom_len == 0 && 15 - (int64_t)q->num_len - q->exponent * 3 / 10 - 1 >= 0;
	}
	if (q->num_len + q->denom_len > SMALL_DIGITS)
		return false;
	*scale = (int32_t)((uint32_t)q->exponent - (uint32_t)q->denom_len);
	return *scale >= NANO;
}

static bool ends_in_three_zeros(const struct parts *q)
{
	size_t zeros = 0, len = q->num_len + q->denom_len;

	for (size_t i = len; i > 0 && zeros < 3; i--, zeros++)
		if ((i > q->num_len ? q->denom[i - q->num_len - 1] : q->num[i - 1]) != '0')
			return false;
	return zeros == 3;
}

/* A quick look whether the text is canonical already. */
static bool keeps_text(const struct parts *q, int64_t value, int32_t scale)
{
	if (q->format == QUANTITY_BINARY_SI)
		return (value & 7) != 0;
	return scale % 3 == 0 && !ends_in_three_zeros(q) && q->num[0] != '0';
}

static void make_small(struct quantity *out, const struct parts *q, int32_t scale)
{
	int64_t n = 0;

	for (size_t i = 0; i < q->num_len; i++)
		n = n * 10 + (q->num[i] - '0');
	for (size_t i = 0; i < q->denom_len; i++)
		n = n * 10 + (q->denom[i] - '0');
	if (keeps_text(q, n, scale)) {
		out->kept = q->text;
		out->kept_len = q->len;
	}
	if (q->format == QUANTITY_BINARY_SI)
		n *= (int64_t)1 << q->exponent;
	out->value = q->negative ? -n : n;
	out->scale = scale;
}

static struct decimal all_digits(const struct parts *q)
{
	char *digits = arena_alloc_raw(q->num_len + q->denom_len + 1);

	memcpy(digits, q->num, q->num_len);
	if (q->denom_len)
		memcpy(digits + q->num_len, q->denom, q->denom_len);
	digits[q->num_len + q->denom_len] = '\0';
	return decimal_make(digits, -(int64_t)q->denom_len);
}

/* Every big quantity but zero is rounded up to nano; a binary one is capped at 2⁶³−1. */
static void make_big(struct quantity *out, const struct parts *q)
{
	static const struct decimal largest = {"9223372036854775807", 0};
	bool binary = q->format == QUANTITY_BINARY_SI;
	struct decimal d = all_digits(q);

	out->big = true;
	out->negative = q->negative && *d.digits;
	out->big_scale = (int32_t)((uint32_t)q->denom_len - (binary ? 0 : (uint32_t)q->exponent));
	if (*d.digits) {
		if (binary)
			d = decimal_shift_left(&d, (unsigned)q->exponent);
		else
			d.exponent += q->exponent;
		d = decimal_round_up(&d, NANO);
		out->big_scale = -NANO;
	}
	if (binary && strcmp(d.digits, largest.digits) == 0 && d.exponent == 0)
		out->big_scale = 0;
	if (binary && *d.digits && (int64_t)strlen(d.digits) + d.exponent <= 0)
		out->format = QUANTITY_DECIMAL_SI;
	out->digits = d.digits;
	out->exponent = d.exponent;
}

bool quantity_parse(struct quantity *out, const char *text)
{
	struct parts q = {.text = text, .len = strlen(text), .denom = ""};
	int32_t scale;

	*out = (struct quantity){.format = QUANTITY_DECIMAL_SI};
	trim(&q);
	if (q.len == 1 && *q.text == '0') {
		out->kept = q.text;
		out->kept_len = q.len;
		return true;
	}
	if (!read_parts(&q))
		return false;
	out->format = q.format;
	if (is_small(&q, &scale))
		make_small(out, &q, scale);
	else if (q.has_digit)
		make_big(out, &q);
	else
		return false; /* the quick path takes "." for zero, the other does not */
	return true;
}
