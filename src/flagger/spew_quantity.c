/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "flagger/spew.h"
#include "value/natural.h"
#include "value/quantity.h"

#define MAX_DIGITS 4096 /* a longer big integer is not worked out */

static void print_format(struct spew *s, enum quantity_format format)
{
	const char *name = quantity_format_name(format);

	SPEW_LITERAL(s, " Format:(resource.Format)");
	spew_text(s, name, strlen(name));
	SPEW_LITERAL(s, "}");
}

static void print_small(struct spew *s, const struct quantity *q)
{
	SPEW_LITERAL(s, "{i:(resource.int64Amount){value:(int64)");
	spew_integer(s, q->value);
	SPEW_LITERAL(s, " scale:(resource.Scale)");
	spew_integer(s, q->scale);
	SPEW_LITERAL(s, "} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)");
	if (q->kept)
		spew_text(s, q->kept, q->kept_len);
	print_format(s, q->format);
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
		spew_text(s, word, strlen(word));
	}
	SPEW_LITERAL(s, "]");
}

/* The decimal as Go holds it: an integer over ten to big_scale. */
static void print_big(struct spew *s, const struct quantity *q)
{
	int64_t zeros = *q->digits ? q->exponent + q->big_scale : 0;
	struct natural unscaled = natural_of(0);

	if (zeros < 0 || zeros + (int64_t)strlen(q->digits) > MAX_DIGITS) {
		spew_fail(s, SPEW_UNKNOWABLE);
		return;
	}
	for (const char *digit = q->digits; *digit; digit++)
		natural_digit(&unscaled, (unsigned)(*digit - '0'));
	natural_times_power_of_ten(&unscaled, (unsigned)zeros);
	SPEW_LITERAL(s, "{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} "
			"d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)");
	if (q->negative)
		SPEW_LITERAL(s, "true");
	else
		SPEW_LITERAL(s, "false");
	SPEW_LITERAL(s, " abs:(big.nat)");
	print_words(s, &unscaled);
	SPEW_LITERAL(s, "} scale:(inf.Scale)");
	spew_integer(s, q->big_scale);
	SPEW_LITERAL(s, "}} s:(string)");
	print_format(s, q->format);
}

void spew_quantity(struct spew *s, const char *text)
{
	struct quantity q;

	if (!quantity_parse(&q, text))
		spew_fail(s, SPEW_UNDECODABLE);
	else if (q.big)
		print_big(s, &q);
	else
		print_small(s, &q);
}
