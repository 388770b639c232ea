/* SPDX-License-Identifier: Apache-2.0 */
#include "value/number.h"

#include <string.h>

#define EXPONENT_MAX ((int64_t)1 << 40) /* beyond any text's length: saturates, still orders right */

/* The significant digits in [first, end), a dot between them possibly, times ten to `exponent`. */
struct decimal {
	const char *first, *end; /* equal: zero */
	bool negative;
	int64_t exponent;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && is_digit(text[n]))
		n++;
	return n;
}

size_t number_length(const char *text, size_t len)
{
	size_t n = len && text[0] == '-', whole = digits(text + n, len - n), more;

	if (!whole || (whole > 1 && text[n] == '0'))
		return 0;
	n += whole;
	if (n < len && text[n] == '.') {
		more = digits(text + n + 1, len - n - 1);
		if (!more)
			return 0;
		n += 1 + more;
	}
	if (n < len && (text[n] | 0x20) == 'e') {
		size_t sign = n + 1 < len && (text[n + 1] == '-' || text[n + 1] == '+');

		more = digits(text + n + 1 + sign, len - n - 1 - sign);
		if (!more)
			return 0;
		n += 1 + sign + more;
	}
	return n;
}

bool number_plain(const char *text, size_t len)
{
	size_t sign = len && text[0] == '-', n = len - sign;

	if (n < 1 || n > 15 || digits(text + sign, n) != n)
		return false;
	return text[sign] != '0' || (n == 1 && !sign);
}

static int64_t parse_exponent(const char *p)
{
	bool negative = *p == '-';
	int64_t n = 0;

	if (*p == '-' || *p == '+')
		p++;
	for (; is_digit(*p); p++)
		if (n < EXPONENT_MAX)
			n = n * 10 + (*p - '0');
	return negative ? -n : n;
}

static struct decimal parse(const char *text)
{
	struct decimal d = {.negative = *text == '-'};
	const char *dot = NULL, *p = text + d.negative;

	d.first = p;
	for (; is_digit(*p) || *p == '.'; p++)
		if (*p == '.')
			dot = p;
	d.end = p;
	if (*p == 'e' || *p == 'E')
		d.exponent = parse_exponent(p + 1);
	if (dot)
		d.exponent -= d.end - dot - 1;
	while (d.first < d.end && (*d.first == '0' || *d.first == '.'))
		d.first++;
	for (; d.first < d.end && (d.end[-1] == '0' || d.end[-1] == '.'); d.end--)
		d.exponent += d.end[-1] == '0';
	return d;
}

bool number_same(const char *a, const char *b)
{
	struct decimal x = parse(a), y = parse(b);
	bool zero = x.first == x.end;

	if (zero || y.first == y.end)
		return zero && y.first == y.end;
	if (x.negative != y.negative || x.exponent != y.exponent)
		return false;
	while (x.first < x.end && y.first < y.end) {
		x.first += *x.first == '.';
		y.first += *y.first == '.';
		if (*x.first++ != *y.first++)
			return false;
	}
	return x.first == x.end && y.first == y.end;
}

bool number_int64(const char *text, int64_t *out)
{
	struct decimal d = parse(text);
	uint64_t n = 0, limit = (uint64_t)INT64_MAX + d.negative;

	if (d.first < d.end && (d.exponent < 0 || d.exponent > 18))
		return false;
	for (const char *p = d.first; p < d.end; p++) {
		if (*p == '.')
			continue;
		if (n > limit / 10)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	for (int64_t i = 0; i < d.exponent && n; i++) {
		if (n > limit / 10)
			return false;
		n *= 10;
	}
	if (n > limit)
		return false;
	*out = d.negative ? (int64_t)(0 - n) : (int64_t)n;
	return true;
}
