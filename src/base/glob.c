/* SPDX-License-Identifier: Apache-2.0 */
#include "base/glob.h"

#include <string.h>

#include "base/arena.h"

/*
 * One row of the usual table: reach[i] says whether the pattern so far matches the first i bytes.
 * No backtracking, so no pattern is slow.
 */
struct row {
	bool *reach;
	const bool *ends_segment; /* does byte i end a segment? */
	const char *text;
	size_t len;
};

static void star(struct row *r, bool across)
{
	for (size_t i = 0; i < r->len; i++)
		if (r->reach[i] && (across || !r->ends_segment[i]))
			r->reach[i + 1] = true;
}

static void byte(struct row *r, char c)
{
	for (size_t i = r->len; i > 0; i--) {
		bool fits = c == '?' ? !r->ends_segment[i - 1] : r->text[i - 1] == c;

		r->reach[i] = r->reach[i - 1] && fits;
	}
	r->reach[0] = false;
}

bool glob_match(const char *pattern, const char *text, const char *separators)
{
	struct arena_mark mark = arena_mark();
	size_t len = strlen(text);
	bool *ends = NEW_ARRAY(bool, len + 1);
	struct row r = {NEW_ARRAY(bool, len + 1), ends, text, len};
	bool matched;
	int depth = 0;

	for (size_t i = 0; i < len; i++) {
		depth += (text[i] == '[') - (text[i] == ']' && depth > 0);
		ends[i] = depth == 0 && strchr(separators, text[i]);
	}
	r.reach[0] = true;
	while (*pattern) {
		size_t stars = strspn(pattern, "*");

		if (stars)
			star(&r, stars > 1);
		else
			byte(&r, *pattern);
		pattern += stars ? stars : 1;
	}
	matched = r.reach[len];
	arena_rewind(mark);
	return matched;
}
