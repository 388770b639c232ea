/* SPDX-License-Identifier: Apache-2.0 */
#include "value/yaml_scalar.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define TAG_PREFIX "tag:yaml.org,2002:"

static const struct word {
	const char *text;
	enum scalar_kind kind;
	bool truth;
	double real;
} words[] = {
	{"", SCALAR_NULL}, {"~", SCALAR_NULL},
	{"null", SCALAR_NULL}, {"Null", SCALAR_NULL}, {"NULL", SCALAR_NULL},
	{"y", SCALAR_BOOL, true}, {"Y", SCALAR_BOOL, true},
	{"yes", SCALAR_BOOL, true}, {"Yes", SCALAR_BOOL, true}, {"YES", SCALAR_BOOL, true},
	{"true", SCALAR_BOOL, true}, {"True", SCALAR_BOOL, true}, {"TRUE", SCALAR_BOOL, true},
	{"on", SCALAR_BOOL, true}, {"On", SCALAR_BOOL, true}, {"ON", SCALAR_BOOL, true},
	{"n", SCALAR_BOOL, false}, {"N", SCALAR_BOOL, false},
	{"no", SCALAR_BOOL, false}, {"No", SCALAR_BOOL, false}, {"NO", SCALAR_BOOL, false},
	{"false", SCALAR_BOOL, false}, {"False", SCALAR_BOOL, false}, {"FALSE", SCALAR_BOOL, false},
	{"off", SCALAR_BOOL, false}, {"Off", SCALAR_BOOL, false}, {"OFF", SCALAR_BOOL, false},
	{".nan", SCALAR_FLOAT, false, NAN}, {".NaN", SCALAR_FLOAT, false, NAN},
	{".NAN", SCALAR_FLOAT, false, NAN},
	{".inf", SCALAR_FLOAT, false, INFINITY}, {".Inf", SCALAR_FLOAT, false, INFINITY},
	{".INF", SCALAR_FLOAT, false, INFINITY}, {"+.inf", SCALAR_FLOAT, false, INFINITY},
	{"+.Inf", SCALAR_FLOAT, false, INFINITY}, {"+.INF", SCALAR_FLOAT, false, INFINITY},
	{"-.inf", SCALAR_FLOAT, false, -INFINITY}, {"-.Inf", SCALAR_FLOAT, false, -INFINITY},
	{"-.INF", SCALAR_FLOAT, false, -INFINITY},
};

static bool resolve_word(struct scalar *out, const char *text)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i].text, text) != 0)
			continue;
		out->kind = words[i].kind;
		out->truth = words[i].truth;
		out->real = words[i].real;
		return true;
	}
	return false;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

static bool parse_natural(uint64_t *out, const char *p, unsigned base)
{
	uint64_t n = 0;

	if (!*p)
		return false;
	for (; *p; p++) {
		unsigned d = (unsigned)digit_value(*p);

		if (d >= base || n > (UINT64_MAX - d) / base)
			return false;
		n = n * base + d;
	}
	*out = n;
	return true;
}

/* Go's strconv with base 0: 0x, 0b, 0o or a plain 0 in front of the digits. */
static bool parse_prefixed(uint64_t *out, const char *p)
{
	char prefix = p[0] == '0' && p[1] && p[2] ? (char)(p[1] | 0x20) : '\0';

	switch (prefix) {
	case 'x':
		return parse_natural(out, p + 2, 16);
	case 'b':
		return parse_natural(out, p + 2, 2);
	case 'o':
		return parse_natural(out, p + 2, 8);
	default:
		return parse_natural(out, p[0] == '0' && p[1] ? p + 1 : p, p[0] == '0' ? 8 : 10);
	}
}

static bool set_integer(struct scalar *out, uint64_t n, bool negative)
{
	if (n > (uint64_t)INT64_MAX + negative)
		return false;
	out->kind = SCALAR_INT;
	out->integer = negative ? (int64_t)(0 - n) : (int64_t)n;
	return true;
}

static bool set_natural(struct scalar *out, uint64_t n)
{
	out->kind = SCALAR_UINT;
	out->natural = n;
	return true;
}

static bool resolve_integer(struct scalar *out, const char *p)
{
	bool negative = *p == '-', sign = negative || *p == '+';
	uint64_t n;

	if (!parse_prefixed(&n, p + sign))
		return false;
	return set_integer(out, n, negative) || (!sign && set_natural(out, n));
}

/* go-yaml's second look at 0b and -0b, which lets a sign stand after the prefix. */
static bool resolve_binary(struct scalar *out, const char *p)
{
	bool negative = *p == '-', inner;
	uint64_t n;

	p += negative;
	if (strncmp(p, "0b", 2) != 0)
		return false;
	p += 2;
	inner = !negative && (*p == '-' || *p == '+');
	negative |= inner && *p == '-';
	return parse_natural(&n, p + inner, 2) &&
	       (set_integer(out, n, negative) || (!negative && !inner && set_natural(out, n)));
}

static const char *skip_digits(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool looks_like_float(const char *p)
{
	const char *whole, *end;

	p += *p == '-' || *p == '+';
	whole = p;
	p = skip_digits(p);
	if (*p == '.') {
		end = skip_digits(p + 1);
		if (p == whole && end == p + 1)
			return false;
		p = end;
	} else if (p == whole) {
		return false;
	}
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '-' || p[1] == '+');
		end = skip_digits(p);
		if (end == p)
			return false;
		p = end;
	}
	return !*p;
}

static bool resolve_float(struct scalar *out, const char *text)
{
	double d;

	if (!looks_like_float(text))
		return false;
	d = strtod(text, NULL);
	if (isinf(d))
		return false; /* too large: Go reports an error, so it stays a string */
	out->kind = SCALAR_FLOAT;
	out->real = d;
	return true;
}

static const char *without_underscores(const char *text)
{
	char *plain, *p;

	if (!strchr(text, '_'))
		return text;
	plain = p = arena_alloc_raw(strlen(text) + 1);
	for (; *text; text++)
		if (*text != '_')
			*p++ = *text;
	*p = '\0';
	return plain;
}

/* After a leading dot underscores may stand between digits only. */
static bool underscores_fit(const char *text)
{
	for (const char *p = text; (p = strchr(p, '_')); p++)
		if (p == text || !isdigit((unsigned char)p[-1]) || !isdigit((unsigned char)p[1]))
			return false;
	return true;
}

static void resolve(struct scalar *out, const char *text)
{
	const char *plain;

	if (*text && !strchr("+-0123456789.yYnNtTfFoO~", *text))
		return;
	if (resolve_word(out, text))
		return;
	plain = without_underscores(text);
	if (*text == '.') {
		if (underscores_fit(text))
			resolve_float(out, plain);
	} else if (strchr("+-0123456789", *text)) {
		if (!resolve_integer(out, plain) && !resolve_float(out, plain))
			resolve_binary(out, plain);
	}
}

static bool fits_tag(struct scalar *s, const char *tag)
{
	if (strcmp(tag, "float") == 0 && s->kind == SCALAR_INT) {
		s->kind = SCALAR_FLOAT;
		s->real = (double)s->integer;
	}
	switch (s->kind) {
	case SCALAR_NULL:
		return strcmp(tag, "null") == 0;
	case SCALAR_BOOL:
		return strcmp(tag, "bool") == 0;
	case SCALAR_INT:
	case SCALAR_UINT:
		return strcmp(tag, "int") == 0;
	case SCALAR_FLOAT:
		return strcmp(tag, "float") == 0;
	default:
		return false;
	}
}

const char *scalar_tag_name(const char *tag)
{
	size_t n = strlen(TAG_PREFIX);

	return strncmp(tag, TAG_PREFIX, n) == 0 ? arena_printf("!!%s", tag + n) : tag;
}

int scalar_resolve(struct scalar *out, const char *tag, const char *text)
{
	static const char *const resolvable[] = {"bool", "int", "float", "null"};
	size_t n = strlen(TAG_PREFIX);

	*out = (struct scalar){.kind = SCALAR_STRING, .text = text};
	if (!*tag) {
		resolve(out, text);
		return 0;
	}
	if (strncmp(tag, TAG_PREFIX, n) != 0)
		return 0;
	tag += n;
	if (strcmp(tag, "binary") == 0)
		return (out->text = scalar_binary(text)) ? 0 : -1;
	if (strcmp(tag, "timestamp") == 0)
		return scalar_is_timestamp(text) ? 0 : -1;
	for (size_t i = 0; i < sizeof(resolvable) / sizeof(*resolvable); i++) {
		if (strcmp(tag, resolvable[i]) == 0) {
			resolve(out, text);
			return fits_tag(out, tag) ? 0 : -1;
		}
	}
	return 0;
}

const char *scalar_key(const struct scalar *s)
{
	char text[FLOAT_SIZE];

	switch (s->kind) {
	case SCALAR_STRING:
		return s->text;
	case SCALAR_BOOL:
		return s->truth ? "true" : "false";
	case SCALAR_INT:
		return arena_printf("%" PRId64, s->integer);
	case SCALAR_FLOAT:
		scalar_float_key(text, s->real);
		return arena_strdup(text);
	default:
		return NULL;
	}
}
