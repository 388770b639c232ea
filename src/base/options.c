/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

#define MAX_WORD 32

struct words {
	int argc, next;
	char **argv;
};

void strings_add(struct strings *list, const char *item)
{
	size_t size = sizeof(*list->items) * list->count;

	list->items = arena_grow(list->items, size, size + sizeof(*list->items));
	list->items[list->count++] = item;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many letters one would have to change, add, leave out or swap with the next. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][MAX_WORD + 1], la = strlen(a), lb = strlen(b);

	if (la > MAX_WORD || lb > MAX_WORD)
		return MAX_WORD;
	for (size_t i = 0; i <= la; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *over = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			if (i == 0) {
				row[j] = j;
				continue;
			}
			row[j] = smallest(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = smallest(row[j], over[j - 2] + 1, MAX_WORD);
		}
	}
	return rows[la % 3][lb];
}

const char *nearest_word(const char *word, const char *(*at)(const void *arg, size_t i),
			 const void *arg)
{
	size_t least = strlen(word) < 4 ? 2 : 3; /* farther is no slip of the hand */
	const char *best = NULL, *candidate;

	for (size_t i = 0; (candidate = at(arg, i)); i++) {
		size_t d = distance(word, candidate);

		if (d < least) {
			least = d;
			best = candidate;
		}
	}
	return best;
}

static const char *option_at(const void *arg, size_t i)
{
	return ((const struct option *)arg)[i].name;
}

static const struct option *find_name(const struct option *table, const char *name, size_t len)
{
	for (const struct option *o = table; o->name; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return NULL;
}

static const struct option *find_letter(const struct option *table, char letter)
{
	for (const struct option *o = table; o->name; o++)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

static void store(void *settings, const struct option *o, const char *value)
{
	char *place = (char *)settings + o->offset;

	switch (o->kind) {
	case OPTION_SWITCH:
		*(bool *)place = true;
		break;
	case OPTION_TEXT:
		*(const char **)place = value;
		break;
	case OPTION_LIST:
		strings_add((struct strings *)place, value);
		break;
	}
}

static int take_long(void *settings, const struct option *table, struct words *w, const char *word,
		     struct error *err)
{
	size_t len = strcspn(word, "=");
	const struct option *o = find_name(table, word, len);
	const char *value = word[len] ? word + len + 1 : NULL, *near;

	if (!o) {
		near = nearest_word(arena_strndup(word, len), option_at, table);
		return error_set(err, ERR_USAGE, near ? "unknown option '--%.*s', did you mean '--%s'?" :
							"unknown option '--%.*s'", (int)len, word, near);
	}
	if (o->kind == OPTION_SWITCH && value)
		return error_set(err, ERR_USAGE, "option '--%s' takes no value", o->name);
	if (o->kind != OPTION_SWITCH && !value) {
		if (w->next >= w->argc)
			return error_set(err, ERR_USAGE, "option '--%s' needs %s", o->name, o->argument);
		value = w->argv[w->next++];
	}
	store(settings, o, value);
	return 0;
}

static int take_letters(void *settings, const struct option *table, struct words *w,
			const char *letters, struct error *err)
{
	for (; *letters; letters++) {
		const struct option *o = find_letter(table, *letters);

		if (!o)
			return error_set(err, ERR_USAGE, "unknown option '-%c'", *letters);
		if (o->kind == OPTION_SWITCH) {
			store(settings, o, NULL);
			continue;
		}
		if (letters[1]) {
			store(settings, o, letters + 1 + (letters[1] == '='));
			return 0;
		}
		if (w->next >= w->argc)
			return error_set(err, ERR_USAGE, "option '-%c' needs %s", o->letter, o->argument);
		store(settings, o, w->argv[w->next++]);
		return 0;
	}
	return 0;
}

int options_parse(void *settings, struct strings *operands, const struct option *table, int argc,
		  char **argv, struct error *err)
{
	struct words w = {argc, 1, argv};
	bool options = true;

	while (w.next < argc) {
		const char *word = argv[w.next++];

		if (options && strcmp(word, "--") == 0) {
			options = false;
		} else if (options && word[0] == '-' && word[1] == '-') {
			if (take_long(settings, table, &w, word + 2, err) != 0)
				return -1;
		} else if (options && word[0] == '-' && word[1]) {
			if (take_letters(settings, table, &w, word + 1, err) != 0)
				return -1;
		} else {
			strings_add(operands, word);
		}
	}
	return 0;
}

int options_word(int *out, const char *what, const char *given, const char *const words[], struct error *err)
{
	struct buffer all = {0};

	*out = 0;
	for (int i = 0; words[i]; i++) {
		if (given && strcmp(words[i], given) == 0) {
			*out = i;
			return 0;
		}
		buffer_printf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	return given ? error_set(err, ERR_USAGE, "%s: unknown word '%s', there are %s", what, given, buffer_text(&all))
		     : 0;
}
