/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/json.h"
#include "value/json_guard.h"
#include "value/pointer.h"

/* All of this walks text that the guard has passed, so its grammar is sure. */

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
	for (p++; *p != '"'; p++)
		p += *p == '\\';
	return p + 1;
}

static const char *skip_value(const char *p)
{
	size_t depth = 0;

	if (!strchr("{[\"", *p))
		return p + strcspn(p, ",]} \t\r\n");
	do {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
	} while (depth);
	return p;
}

/* Is the string at p, escapes and all, this one? */
static bool string_is(const char *p, const char *text)
{
	struct error ignored;
	const struct tree *key = json_parse(p, (size_t)(skip_string(p) - p), "-", &ignored);

	return key && strcmp(tree_string(key), text) == 0;
}

/* The key, of equal ones the last, or NULL. */
static const char *find_key(const char *p, const char *step)
{
	const char *found = NULL;

	for (p = skip_blanks(p + 1); *p == '"'; p = skip_blanks(p)) {
		if (string_is(p, step))
			found = p;
		p = skip_blanks(skip_string(p));
		p = skip_blanks(skip_value(skip_blanks(p + 1)));
		p += *p == ',';
	}
	return found;
}

static const char *find_item(const char *p, const char *step)
{
	char *end;
	unsigned long index = strtoul(step, &end, 10);

	if (end == step || *end)
		return NULL;
	for (p = skip_blanks(p + 1); *p != ']'; p = skip_blanks(p)) {
		if (index-- == 0)
			return p;
		p = skip_blanks(skip_value(p));
		p += *p == ',';
	}
	return NULL;
}

static unsigned line_of(const char *text, const char *place)
{
	unsigned line = 1;

	for (; text < place; text++)
		line += *text == '\n';
	return line;
}

const char *json_places(const char *text, size_t len)
{
	struct guarded guarded;
	struct error ignored;

	return json_guard(&guarded, text, len, "-", 1, &ignored) ? NULL : arena_strndup(text, len);
}

unsigned json_line(const char *start, const char *pointer)
{
	const char *at, *place, *step;

	at = place = skip_blanks(start + (strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0));
	while ((step = pointer_next(&pointer))) {
		const char *hit = *at == '{' ? find_key(at, step) : *at == '[' ? find_item(at, step) : NULL;

		if (!hit)
			break;
		place = hit;
		if (*at == '{')
			hit = skip_blanks(skip_blanks(skip_string(hit)) + 1);
		at = hit;
	}
	return line_of(start, place);
}
