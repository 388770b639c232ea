/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_outline.h"

#include <string.h>

#include "value/json_scan.h"

struct scan {
	const char *p, *end;
	struct buffer *out;
	const char *copied; /* everything before it is in `out`, or left out */
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

static bool listed(const char *const *names, const char *at, size_t len)
{
	for (; *names; names++)
		if (strncmp(*names, at, len) == 0 && !(*names)[len])
			return true;
	return false;
}

/* A wanted entry's value: a map loses what is to be emptied. */
static bool thin(struct scan *s, const char *const *emptied)
{
	const char *at;
	size_t len;

	if (!take(s, '{'))
		return value(s);
	if (take(s, '}'))
		return true;
	do {
		if (!key(s, &at, &len) || !(listed(emptied, at, len) ? empty(s) : value(s)))
			return false;
	} while (take(s, ','));
	return take(s, '}');
}

static bool entry(struct scan *s, const char *const *wanted, const char *const *emptied, size_t *missing)
{
	const char *at;
	size_t len;

	if (!key(s, &at, &len))
		return false;
	if (!listed(wanted, at, len))
		return value(s);
	buffer_str(s->out, s->out->len ? "," : "{");
	s->copied = at - 1;
	if (!thin(s, emptied))
		return false;
	buffer_add(s->out, s->copied, (size_t)(s->p - s->copied));
	(*missing)--;
	return true;
}

bool json_outline(struct buffer *out, const char *text, size_t len, const char *const *wanted,
		  const char *const *emptied)
{
	struct scan s = {text, text + len, out, text};
	size_t missing = 0;

	while (wanted[missing])
		missing++;
	if (!take(&s, '{'))
		return false;
	if (!take(&s, '}')) {
		do
			if (!entry(&s, wanted, emptied, &missing))
				return false;
		while (missing && take(&s, ','));
		if (missing && !take(&s, '}'))
			return false;
	}
	buffer_str(out, out->len ? "}" : "{}");
	return true;
}
