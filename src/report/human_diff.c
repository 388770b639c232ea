/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "report/human.h"

#define PLACE_COLUMN 52

static const char *headline(const struct diff_item *item)
{
	const char *what = "no real change";

	if (item->unread)
		what = "nothing live to compare with";
	else if (item->created)
		what = "would be created";
	else if (item->removed)
		what = "would be removed";
	else if (item->changes->count)
		what = human_count(item->changes->count, "real change");
	return arena_printf("%s %s/%s: %s", item->id.kind, item->id.namespace, item->id.name, what);
}

/* "ignored 1 (policy line 3)" */
static void list_by(struct human *h, const char *separator, const char *word, const struct changes *changes)
{
	const struct change *first = changes->first;

	if (!changes->count)
		return;
	human_printf(h, PAINT_NONE, "%s%s %zu", separator, word, changes->count);
	if (first->by)
		human_printf(h, PAINT_DIM, " (%s%s)", first->by, changes->count > 1 ? ", …" : "");
}

static void heading(struct human *h, const struct diff_item *item)
{
	human_paint(h, PAINT_CYAN, "► ");
	human_paint(h, PAINT_BOLD, headline(item));
	list_by(h, "; ", "ignored", item->ignored);
	list_by(h, "; ", "foreign", item->foreign);
	if (item->notes->count)
		human_printf(h, PAINT_NONE, "; %s", human_count(item->notes->count, "note"));
	if (!item->changed && item->triggers == ANSWER_YES)
		human_paint(h, PAINT_YELLOW, "; the hash moves all the same");
	human_char(h, '\n');
}

/* A value of many lines: a string's own, or indented JSON. */
static const char *lines_of(const struct tree *value)
{
	struct buffer b = {.max = TREE_MAX_BYTES};

	if (tree_string(value))
		return tree_string(value);
	tree_print(&b, value, 2);
	return buffer_text(&b);
}

static void value_lines(struct human *h, const char *sign, enum paint paint, const struct tree *value,
			const char *masked)
{
	const char *text = masked ? masked : lines_of(value);

	do {
		size_t len = strcspn(text, "\n");

		human_paint(h, paint, arena_printf("%s %.*s", sign, (int)len, text));
		human_char(h, '\n');
		text += len + (text[len] == '\n');
	} while (*text);
}

/* Does only one of two texts end its last line? That alone may be the difference. */
static bool newline_differs(const struct change *c)
{
	const char *a = tree_string_or(c->old_value, ""), *b = tree_string_or(c->new_value, "");
	size_t m = strlen(a), n = strlen(b);

	return m && n && strchr(a, '\n') && (a[m - 1] == '\n') != (b[n - 1] == '\n');
}

static void end_of_text(struct human *h, const struct tree *value)
{
	const char *text = tree_string(value);

	if (text[strlen(text) - 1] == '\n')
		return;
	human_paint(h, PAINT_DIM, "\\ no newline at the end");
	human_char(h, '\n');
}

static void change_block(struct human *h, const struct change *c, bool secret)
{
	static const char *const what[] = {
		[CHANGE_ADD] = "+ added", [CHANGE_REMOVE] = "- removed", [CHANGE_REPLACE] = "± value change",
	};
	const char *place = human_place(c);
	bool tell_ends = !secret && newline_differs(c);

	human_char(h, '\n');
	human_cell(h, PAINT_BOLD, c->path, PLACE_COLUMN);
	if (*place)
		human_printf(h, PAINT_DIM, " %s  ", place);
	human_printf(h, PAINT_CYAN, " %s", change_class_name(c->class));
	human_char(h, '\n');
	human_paint(h, PAINT_YELLOW, what[c->op]);
	human_char(h, '\n');
	if (c->old_value)
		value_lines(h, "-", PAINT_RED, c->old_value, secret ? "*** (before)" : NULL);
	if (tell_ends)
		end_of_text(h, c->old_value);
	if (c->new_value)
		value_lines(h, "+", PAINT_GREEN, c->new_value, secret ? "*** (after)" : NULL);
	if (tell_ends)
		end_of_text(h, c->new_value);
}

static void live_only(struct human *h, const struct changes *foreign)
{
	change_each(c, foreign) {
		human_printf(h, PAINT_YELLOW, "live only: %s (%s)", c->path, c->by ? c->by : "owner unknown");
		human_char(h, '\n');
	}
}

/* What nobody needs to look at: no change, and a hash that stays. */
static bool is_quiet(const struct diff_item *item)
{
	return !item->changed && !item->unread && !item->unsure && !item->ignored->count &&
	       item->triggers != ANSWER_YES;
}

void human_diff_item(struct report *r, const struct diff_item *item)
{
	struct human h = {.colour = r->colour};

	if (is_quiet(item) && !r->verbose)
		return;
	if (r->items++)
		human_char(&h, '\n');
	heading(&h, item);
	if (!item->created && !item->removed) /* the whole object is in its file */
		change_each(c, item->changes)
			change_block(&h, c, item->secret);
	if (item->notes->count || item->unsure)
		human_char(&h, '\n');
	if (item->unsure)
		live_only(&h, item->foreign);
	note_each(n, item->notes) {
		human_printf(&h, PAINT_DIM, "note: %s", n->text);
		human_char(&h, '\n');
	}
	human_flush(&h);
}
