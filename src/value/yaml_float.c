/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/yaml_scalar.h"

/* 0.DIGITS times ten to `point`. */
struct digits {
	char text[24];
	int count, point;
	bool negative;
};

static bool reads_back(const char *text, double d, bool single)
{
	return single ? strtof(text, NULL) == (float)d : strtod(text, NULL) == d;
}

/* One more in the last place of D.DDDe±X; false where that would carry over. */
static bool next_in_last_place(char *text)
{
	char *last = strchr(text, 'e') - 1;

	if (*last == '9')
		return false;
	++*last;
	return true;
}

/*
 * The fewest digits that read back as the same float. Below a power of two the floats lie twice as
 * close as above it, so there the nearest text of a length may miss where its upper neighbour hits.
 */
static struct digits shortest(double d, bool single)
{
	struct digits s = {.negative = signbit(d)};
	char text[40];
	int exponent;
	bool found = false;

	for (int precision = 0; !found && precision < 18; precision++) {
		snprintf(text, sizeof(text), "%.*e", precision, fabs(d));
		found = reads_back(text, fabs(d), single) ||
			(frexp(fabs(d), &exponent) == 0.5 && next_in_last_place(text) &&
			 reads_back(text, fabs(d), single));
	}
	for (const char *p = text; *p != 'e'; p++)
		if (*p != '.')
			s.text[s.count++] = *p;
	while (s.count > 1 && s.text[s.count - 1] == '0')
		s.count--;
	s.point = d == 0 ? 1 : (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
	return s;
}

static void print_plain(char out[FLOAT_SIZE], const struct digits *s)
{
	const char *sign = s->negative ? "-" : "";

	if (s->point <= 0)
		snprintf(out, FLOAT_SIZE, "%s0.%.*s%.*s", sign, -s->point, "0000000000", s->count, s->text);
	else if (s->count <= s->point)
		snprintf(out, FLOAT_SIZE, "%s%.*s%.*s", sign, s->count, s->text, s->point - s->count,
			 "000000000000000000000");
	else
		snprintf(out, FLOAT_SIZE, "%s%.*s.%.*s", sign, s->point, s->text, s->count - s->point,
			 s->text + s->point);
}

static void print_exponent(char out[FLOAT_SIZE], const struct digits *s, int exponent_digits)
{
	int exponent = s->point - 1;

	snprintf(out, FLOAT_SIZE, "%s%c%s%.*se%c%0*d", s->negative ? "-" : "", s->text[0],
		 s->count > 1 ? "." : "", s->count - 1, s->text + 1, exponent < 0 ? '-' : '+',
		 exponent_digits, abs(exponent));
}

void scalar_float_json(char out[FLOAT_SIZE], double d)
{
	struct digits s = shortest(d, false);

	if (d != 0 && (fabs(d) < 1e-6 || fabs(d) >= 1e21))
		print_exponent(out, &s, 1);
	else
		print_plain(out, &s);
}

void scalar_float_key(char out[FLOAT_SIZE], double d)
{
	float f = (float)d;
	struct digits s;

	if (isnan(f) || isinf(f)) {
		snprintf(out, FLOAT_SIZE, "%s", isnan(f) ? ".nan" : f > 0 ? ".inf" : "-.inf");
		return;
	}
	s = shortest(f, true);
	if (f != 0 && (s.point - 1 < -4 || s.point - 1 >= 6))
		print_exponent(out, &s, 2);
	else
		print_plain(out, &s);
}
