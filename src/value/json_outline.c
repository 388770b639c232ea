/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_outline.h"

#include <string.h>

#include "value/json_scan.h"

struct scan {
	const char *p, *end;
	struct buffer *out;
	const char *copied; /* everything before it is in `out`, or left out */
	const char *const *emptied;
};

static bool blanks(struct scan *s)
{
	while (s->p < s->end && json_is_blank(*s->p))
		s->p++;
	return s->p < s->end;
}

static bool take(struct scan *s, char c)
{
	if (!blanks(s) || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* Past a string whose opening quote is passed. */
static bool string(struct scan *s)
{
	for (;;) {
		s->p = json_scan_string(s->p, s->end);
		if (s->p == s->end)
			return false;
		if (*s->p++ == '"')
			return true;
		if (s->p++ == s->end)
			return false;
	}
}

/* Past a list or map whose opening bracket is passed. */
static bool nested(struct scan *s)
{
	for (size_t depth = 1; depth > 0;) {
		s->p = json_scan_mark(s->p, s->end);
		if (s->p == s->end)
			return false;
		if (*s->p == '"') {
			s->p++;
			if (!string(s))
				return false;
			continue;
		}
		depth += *s->p == '{' || *s->p == '[' ? 1 : (size_t)-1;
		s->p++;
	}
	return true;
}

static bool value(struct scan *s)
{
	if (take(s, '"'))
		return string(s);
	if (take(s, '{') || take(s, '['))
		return nested(s);
	while (s->p < s->end && !json_is_blank(*s->p) && !memchr(",]}", *s->p, 3))
		s->p++;
	return true;
}

/* A list or map of which only the brackets stay. */
static bool empty(struct scan *s)
{
	if (!blanks(s) || (*s->p != '{' && *s->p != '['))
		return value(s);
	s->p++;
	buffer_add(s->out, s->copied, (size_t)(s->p - s->copied));
	if (!nested(s))
		return false;
	s->copied = s->p - 1;
	return true;
}

/* A key without escapes, as it stands in the text. */
static bool key(struct scan *s, const char **at, size_t *len)
{
	if (!take(s, '"'))
		return false;
	*at = s->p;
	s->p = json_scan_string(s->p, s->end);
	if (s->p == s->end || *s->p != '"')
		return false;
	*len = (size_t)(s->p++ - *at);
	return take(s, ':');
}

/* Is the key the last step of a path below `parent` ("" at the top)? */
static bool named(const char *path, const char *parent, const char *at, size_t len)
{
	size_t above = strlen(parent);

	if (above && (strncmp(path, parent, above) != 0 || path[above++] != '/'))
		return false;
	return strncmp(path + above, at, len) == 0 && !path[above + len];
}

static bool is_emptied(const struct scan *s, const char *parent, const char *at, size_t len)
{
	for (const char *const *path = s->emptied; *path; path++)
		if (named(*path, parent, at, len))
			return true;
	return false;
}

static bool leads_to(const struct scan *s, const char *at, size_t len)
{
	for (const char *const *path = s->emptied; *path; path++)
		if (strncmp(*path, at, len) == 0 && (*path)[len] == '/')
			return true;
	return false;
}

static bool map(struct scan *s, const char *parent);

static bool entry(struct scan *s, const char *parent)
{
	const char *at;
	size_t len;

	if (!key(s, &at, &len))
		return false;
	if (is_emptied(s, parent, at, len))
		return empty(s);
	if (!*parent && leads_to(s, at, len) && blanks(s) && *s->p == '{') {
		char below[32];

		if (len >= sizeof(below))
			return false;
		memcpy(below, at, len);
		below[len] = '\0';
		return map(s, below);
	}
	return value(s);
}

static bool map(struct scan *s, const char *parent)
{
	if (!take(s, '{'))
		return false;
	if (take(s, '}'))
		return true;
	do
		if (!entry(s, parent))
			return false;
	while (take(s, ','));
	return take(s, '}');
}

bool json_outline(struct buffer *out, const char *text, size_t len, const char *const *emptied)
{
	struct scan s = {text, text + len, out, text, emptied};

	if (!map(&s, ""))
		return false;
	buffer_add(out, s.copied, (size_t)(s.end - s.copied));
	return true;
}
