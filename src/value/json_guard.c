/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_guard.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "value/number.h"
#include "value/swar.h"
#include "value/tree.h"

#define KEYS_MAX 512    /* of all open maps together; beyond, the tree is looked through instead */
#define KEYS_IN_MAP 64
#define MARKED_EXTRA 3  /* two quotes and the mark */

struct guard {
	const unsigned char *start, *p, *end;
	unsigned char *out, *o, *out_end;
	size_t nodes;
	unsigned depth;
	bool marked, doubtful, odd_escape;
	unsigned keys_count;
	uint64_t keys[KEYS_MAX]; /* digests of the keys of the open maps, innermost last */
	const char *name;
	unsigned first_line;
	struct error *err;
};

static unsigned line_of(const struct guard *g)
{
	unsigned line = g->first_line;

	for (const unsigned char *p = g->start; p < g->p; p++)
		line += *p == '\n';
	return line;
}

static int fail(const struct guard *g, const char *what)
{
	return error_set(g->err, ERR_INPUT, "%s:%u: %s", g->name, line_of(g), what);
}

/* `wanted` was not there. */
static int unexpected(const struct guard *g, const char *wanted)
{
	char found[16];

	if (g->p == g->end)
		return error_set(g->err, ERR_INPUT, "%s:%u: the text ends where %s should be", g->name,
				 line_of(g), wanted);
	if (*g->p > ' ' && *g->p < 0x7F)
		snprintf(found, sizeof(found), "'%c'", *g->p);
	else
		snprintf(found, sizeof(found), "byte 0x%02x", *g->p);
	return error_set(g->err, ERR_INPUT, "%s:%u: %s where %s should be", g->name, line_of(g), found,
			 wanted);
}

static inline void skip_blanks(struct guard *g)
{
	const unsigned char *p = g->p;

	while (p < g->end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) {
		p++;
		while (g->end - p >= SWAR_SIZE) {
			uint64_t other = swar_load(p) ^ SWAR_EACH(' ');

			if (other) {
				p += swar_first(other);
				break;
			}
			p += SWAR_SIZE;
		}
	}
	g->p = p;
}

static inline bool take(struct guard *g, unsigned char c)
{
	if (g->p == g->end || *g->p != c)
		return false;
	g->p++;
	*g->o++ = c;
	return true;
}

static void copy(struct guard *g, size_t n)
{
	memcpy(g->o, g->p, n);
	g->o += n;
	g->p += n;
}

/* The code unit of \uXXXX at p, or -1. */
static int code_unit(const unsigned char *p, const unsigned char *end)
{
	int unit = 0;

	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int c = p[i] | 0x20;

		if (p[i] >= '0' && p[i] <= '9')
			unit = unit * 16 + p[i] - '0';
		else if (c >= 'a' && c <= 'f')
			unit = unit * 16 + c - 'a' + 10;
		else
			return -1;
	}
	return unit;
}

static int escape(struct guard *g)
{
	int unit, low;

	if (g->end - g->p < 2)
		return fail(g, "the text ends inside a string");
	if (g->p[1] != 'u') {
		if (!strchr("\"\\/bfnrt", g->p[1]) || !g->p[1])
			return fail(g, "a string has an unknown escape");
		g->odd_escape |= g->p[1] == '/';
		copy(g, 2);
		return 0;
	}
	g->odd_escape = true;
	unit = code_unit(g->p, g->end);
	if (unit < 0)
		return fail(g, "a string has a \\u escape without four hexadecimal digits");
	if (unit == 0)
		return fail(g, "a string holds a NUL character");
	if (unit < 0xD800 || unit > 0xDFFF) {
		copy(g, 6);
		return 0;
	}
	low = code_unit(g->p + 6, g->end);
	if (unit > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
		return fail(g, "a string holds half a surrogate pair");
	copy(g, 12);
	return 0;
}

/* What stopped a run of plain characters, other than the closing quote. */
static int odd_character(struct guard *g)
{
	size_t n;

	if (g->p == g->end)
		return fail(g, "the text ends inside a string");
	if (*g->p == '\\')
		return escape(g);
	if (*g->p < 0x20)
		return fail(g, "a string holds a raw control character");
	n = utf8_length(g->p, g->end);
	if (!n)
		return fail(g, "a string is not valid UTF-8");
	copy(g, n);
	return 0;
}

/* The rest of a string, its opening quote being read. */
static int string(struct guard *g)
{
	for (;;) {
		const unsigned char *p = g->p;
		unsigned char *o = g->o;

		while (g->end - p >= SWAR_SIZE) {
			uint64_t word = swar_load(p);
			uint64_t stop = swar_equal(word, '"') | swar_equal(word, '\\') |
					swar_below(word, 0x20) | swar_high(word);

			memcpy(o, p, SWAR_SIZE);
			if (stop) {
				p += swar_first(stop);
				o += swar_first(stop);
				break;
			}
			p += SWAR_SIZE;
			o += SWAR_SIZE;
		}
		g->p = p;
		g->o = o;
		if (take(g, '"'))
			return 0;
		if (odd_character(g))
			return -1;
	}
}

/* Distinct keys may share a digest; then the tree is looked through for nothing. */
static uint64_t digest(const unsigned char *key, size_t len)
{
	uint64_t first = swar_load(key), last = 0;

	if (len < SWAR_SIZE)
		first &= ((uint64_t)1 << (8 * len)) - 1;
	else
		last = swar_load(key + len - SWAR_SIZE);
	return (first * 0x9E3779B97F4A7C15) ^ (last * 0xC2B2AE3D27D4EB4F) ^ len;
}

static void note_key(struct guard *g, const unsigned char *key, unsigned base)
{
	uint64_t d = digest(key, (size_t)(g->o - key) - 1);

	g->doubtful |= g->odd_escape;
	if (g->keys_count == KEYS_MAX || g->keys_count - base == KEYS_IN_MAP) {
		g->doubtful = true;
		return;
	}
	for (unsigned i = base; i < g->keys_count; i++)
		g->doubtful |= g->keys[i] == d;
	g->keys[g->keys_count++] = d;
}

static void make_room(struct guard *g)
{
	size_t used = (size_t)(g->o - g->out), rest = (size_t)(g->end - g->p);
	unsigned char *bigger;

	if ((size_t)(g->out_end - g->o) >= rest + MARKED_EXTRA + SWAR_SIZE)
		return;
	bigger = arena_alloc_raw(used + rest + rest / 2 + 1024);
	memcpy(bigger, g->out, used);
	g->out_end = bigger + used + rest + rest / 2 + 1024;
	g->out = bigger;
	g->o = bigger + used;
}

static int number(struct guard *g)
{
	size_t n = number_length((const char *)g->p, (size_t)(g->end - g->p));

	if (!n)
		return fail(g, "a number is malformed");
	if (number_plain((const char *)g->p, n)) {
		copy(g, n);
		return 0;
	}
	g->marked = true;
	make_room(g);
	*g->o++ = '"';
	*g->o++ = (unsigned char)TREE_NUMBER_MARK;
	copy(g, n);
	*g->o++ = '"';
	return 0;
}

static int literal(struct guard *g, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(g->end - g->p) < n || memcmp(g->p, word, n) != 0)
		return unexpected(g, "a value");
	copy(g, n);
	return 0;
}

static int value(struct guard *g);

static int list(struct guard *g)
{
	skip_blanks(g);
	if (take(g, ']'))
		return 0;
	do {
		skip_blanks(g);
		if (value(g))
			return -1;
		skip_blanks(g);
	} while (take(g, ','));
	return take(g, ']') ? 0 : unexpected(g, "',' or ']'");
}

static int entry(struct guard *g, unsigned base)
{
	const unsigned char *key;

	skip_blanks(g);
	if (!take(g, '"'))
		return unexpected(g, "a key in quotes");
	g->odd_escape = false;
	key = g->o;
	if (string(g))
		return -1;
	note_key(g, key, base);
	skip_blanks(g);
	if (!take(g, ':'))
		return unexpected(g, "':'");
	skip_blanks(g);
	if (value(g))
		return -1;
	skip_blanks(g);
	return 0;
}

static int map(struct guard *g)
{
	unsigned base = g->keys_count;

	skip_blanks(g);
	if (take(g, '}'))
		return 0;
	do {
		if (entry(g, base))
			return -1;
	} while (take(g, ','));
	g->keys_count = base;
	return take(g, '}') ? 0 : unexpected(g, "',' or '}'");
}

static int nested(struct guard *g, int (*inside)(struct guard *))
{
	if (++g->depth > TREE_MAX_DEPTH)
		return fail(g, "values are nested too deeply");
	*g->o++ = *g->p++;
	if (inside(g))
		return -1;
	g->depth--;
	return 0;
}

static int value(struct guard *g)
{
	if (++g->nodes > TREE_MAX_NODES)
		return fail(g, "the text holds too many values");
	if (take(g, '"'))
		return string(g);
	if (g->p == g->end)
		return unexpected(g, "a value");
	switch (*g->p) {
	case '{':
		return nested(g, map);
	case '[':
		return nested(g, list);
	case 't':
		return literal(g, "true");
	case 'f':
		return literal(g, "false");
	case 'n':
		return literal(g, "null");
	default:
		if (*g->p == '-' || (*g->p >= '0' && *g->p <= '9'))
			return number(g);
		return unexpected(g, "a value");
	}
}

static void start(struct guard *g)
{
	size_t len = (size_t)(g->end - g->p);

	if (len >= 3 && memcmp(g->p, "\xEF\xBB\xBF", 3) == 0)
		g->p += 3;
	g->out = g->o = arena_alloc_raw(len + 64);
	g->out_end = g->out + len + 64;
}

int json_guard(struct guarded *out, const char *text, size_t len, const char *name, unsigned line,
	       struct error *err)
{
	struct guard g;

	g.start = g.p = (const unsigned char *)text;
	g.end = g.start + len;
	g.nodes = g.depth = g.keys_count = 0;
	g.marked = g.doubtful = g.odd_escape = false;
	g.name = name;
	g.first_line = line;
	g.err = err;
	if (len > TREE_MAX_BYTES)
		return error_set(err, ERR_INPUT, "%s: one value is larger than %zu MiB", name,
				 TREE_MAX_BYTES >> 20);
	if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
		return fail(&g, "the text is UTF-16, which must be converted to UTF-8");
	start(&g);
	skip_blanks(&g);
	if (value(&g))
		return -1;
	skip_blanks(&g);
	if (g.p < g.end)
		return unexpected(&g, "the end");
	*out = (struct guarded){(char *)g.out, (size_t)(g.o - g.out), g.marked, g.doubtful};
	return 0;
}
