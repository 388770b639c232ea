/* SPDX-License-Identifier: Apache-2.0 */
#include "report/markdown.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "report/human.h"
#include "report/visible.h"

/* With title, sentence and what is left out they stay below MARKDOWN_MAX. */
#define MAX_ROWS  ((size_t)20 << 10)
#define MAX_FOLDS ((size_t)40 << 10)
#define MAX_FOLD  ((size_t)12 << 10) /* of one object */
#define MAX_NOTES ((size_t)4 << 10)
#define MAX_VALUE ((size_t)2 << 10)
#define MAX_CELL  ((size_t)1 << 10)  /* of text, before entities */
#define MAX_HEAD  ((size_t)2 << 10)

static struct buffer room(size_t size)
{
	return (struct buffer){.data = arena_alloc_raw(size + 1), .cap = size + 1, .max = size};
}

void markdown_begin(struct markdown *m, const char *const *columns)
{
	*m = (struct markdown){.columns = columns, .rows = room(MAX_ROWS), .folds = room(MAX_FOLDS)};
}

/* Whole or not at all. */
static void add_block(struct buffer *to, const struct buffer *block, size_t *left)
{
	if (block->full || block->len > to->max - to->len)
		++*left;
	else
		buffer_add(to, block->data, block->len);
}

static const char *shortened(const char *text)
{
	size_t len = strlen(text), kept = utf8_cut(text, len, MAX_CELL);

	return kept < len ? arena_printf("%.*s…", (int)kept, text) : text;
}

/* A mention or a reference to an issue is looked for in what a browser would show: it must be broken. */
static const char *entities(const char *text, bool code)
{
	struct buffer b = {0};

	for (text = shortened(visible_text(text)); *text; text++) {
		if (strchr("&<>|`\\*_[]~!", *text) || (*text == ':' && text[1] && text[1] != ' '))
			buffer_printf(&b, "&#%d;", *text);
		else if (strchr("@#", *text))
			buffer_printf(&b, code ? "&#%d;" : "&#%d;&#8203;", *text);
		else
			buffer_char(&b, *text);
	}
	return buffer_text(&b);
}

const char *markdown_prose(const char *text)
{
	return entities(text, false);
}

const char *markdown_code(const char *text)
{
	return arena_printf("<code>%s</code>", entities(text, true));
}

void markdown_row(struct markdown *m, const char *cell, ...)
{
	struct buffer b = {0};
	va_list ap;

	buffer_char(&b, '|');
	va_start(ap, cell);
	for (; cell; cell = va_arg(ap, const char *))
		buffer_printf(&b, " %s |", cell);
	va_end(ap);
	buffer_char(&b, '\n');
	add_block(&m->rows, &b, &m->rows_left);
}

/* "- LINE" for each line of the value, and how much of it isn't shown. */
static void value_lines(struct buffer *b, char sign, const struct tree *value, bool secret)
{
	const char *text = secret ? "***" : tree_kind(value) == TREE_STRING ? tree_string(value) : human_value(value);
	size_t len = strlen(text), kept = utf8_cut(text, len, MAX_VALUE);
	const char *end = text + kept;

	do {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = stop ? stop : end;

		buffer_printf(b, "%c ", sign);
		visible_add(b, arena_strndup(text, (size_t)(line_end - text)));
		buffer_char(b, '\n');
		text = stop ? stop + 1 : end;
	} while (text < end);
	if (kept < len)
		buffer_printf(b, "%c … %zu more bytes\n", sign, len - kept);
}

static void change_lines(struct buffer *b, const struct change *c, bool secret)
{
	const char *place = human_place(c);

	secret |= strncmp(c->path, "secret/", 7) == 0; /* a tracked one: its checksum tells of it */
	buffer_str(b, "@@ ");
	visible_add(b, c->path);
	buffer_str(b, " @@");
	if (*place) {
		buffer_char(b, ' ');
		visible_add(b, place);
	}
	buffer_char(b, '\n');
	if (c->old_value)
		value_lines(b, '-', c->old_value, secret);
	if (c->new_value)
		value_lines(b, '+', c->new_value, secret);
}

static size_t longest_run(const char *text, char c)
{
	size_t run = 0, longest = 2;

	for (; *text; text++) {
		run = *text == c ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* As many changes as fit. */
static struct buffer diff_of(const struct changes *changes, bool secret)
{
	struct buffer diff = {.max = MAX_FOLD};
	size_t shown = 0, left = 0;

	change_each(c, changes) {
		struct buffer one = {.max = MAX_FOLD};

		change_lines(&one, c, secret);
		if (!left)
			add_block(&diff, &one, &left);
		else
			left++;
		shown += !left;
	}
	diff.max += 64;
	if (shown < changes->count)
		buffer_printf(&diff, "@@ %zu more changes @@\n", changes->count - shown);
	return diff;
}

static struct buffer notes_of(const struct notes *notes)
{
	struct buffer b = {.max = MAX_NOTES};

	note_each(n, notes) {
		size_t before = b.len;

		buffer_printf(&b, "\nnote: %s\n", markdown_prose(n->text));
		if (b.full)
			b.len = before;
	}
	return b;
}

void markdown_fold(struct markdown *m, const char *prose, const struct changes *changes,
		   const struct notes *notes, bool secret)
{
	struct buffer diff = diff_of(changes, secret), told = notes_of(notes), b = {.max = MAX_FOLDS};
	size_t run = longest_run(buffer_text(&diff), '`') + 1;
	char *fence = memset(arena_alloc(run + 1), '`', run);

	buffer_printf(&b, "\n<details><summary>%s</summary>\n\n%sdiff\n%s%s\n%s\n</details>\n", prose, fence,
		      buffer_text(&diff), fence, buffer_text(&told));
	add_block(&m->folds, &b, &m->folds_left);
}

static void heading(struct buffer *b, const struct markdown *m)
{
	buffer_str(b, "\n|");
	for (size_t i = 0; m->columns[i]; i++)
		buffer_printf(b, " %s |", m->columns[i]);
	buffer_str(b, "\n|");
	for (size_t i = 0; m->columns[i]; i++)
		buffer_str(b, "---|");
	buffer_char(b, '\n');
}

static void left_out(struct buffer *b, size_t n, const char *what)
{
	if (n)
		buffer_printf(b, "\n%zu more %s left out: a summary has room for 64 KiB.\n", n, what);
}

const char *markdown_text(const struct markdown *m, const char *title, const char *sentence)
{
	struct buffer b = {.max = MARKDOWN_MAX};

	buffer_printf(&b, "### %s\n\n%.*s\n", title, (int)MAX_HEAD, sentence);
	if (m->rows.len) {
		heading(&b, m);
		buffer_str(&b, buffer_text(&m->rows));
	}
	left_out(&b, m->rows_left, "rows");
	buffer_str(&b, buffer_text(&m->folds));
	left_out(&b, m->folds_left, "diffs");
	return buffer_text(&b);
}
