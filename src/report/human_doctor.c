/* SPDX-License-Identifier: Apache-2.0 */
#include "report/human.h"

#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_rights.h"

#define SHOWN 10 /* of one check, without -v */

static const char *object_name(const struct identity *id)
{
	if (strcmp(id->kind, "Rights") == 0)
		return strcmp(id->namespace, RIGHTS_EVERYWHERE) == 0
			       ? arena_printf("%s in all namespaces", id->name)
			       : arena_printf("%s in namespace %s", id->name, id->namespace);
	return *id->namespace ? arena_printf("%s %s/%s", id->kind, id->namespace, id->name)
			      : arena_printf("%s %s", id->kind, id->name);
}

static void heading(struct human *h, const struct doctor_check *check)
{
	bool error = check->severity == SEVERITY_ERROR;

	human_paint(h, error ? PAINT_RED : PAINT_YELLOW, error ? "✗ " : "⚠ ");
	human_paint(h, PAINT_BOLD, check->title);
	human_printf(h, PAINT_DIM, "  %s", check->id);
	human_char(h, '\n');
	human_printf(h, PAINT_CYAN, "  → %s", check->remedy);
	human_char(h, '\n');
}

static void place(struct human *h, const struct doctor_item *item)
{
	const struct finding *f = item->finding;

	human_paint(h, PAINT_NONE, "    ");
	if (item->file)
		human_printf(h, PAINT_DIM, item->line ? "%s:%u  " : "%s  ", item->file, item->line);
	human_paint(h, PAINT_NONE, object_name(&f->id));
	if (*f->path)
		human_printf(h, PAINT_NONE, " %s", f->path);
	human_printf(h, PAINT_NONE, ": %s", f->text);
}

void human_doctor_item(struct report *r, const struct doctor_item *item)
{
	struct human h = human_begin(r);

	if (item->nth == 0)
		heading(&h, item->finding->check);
	if (item->nth > SHOWN && !r->verbose)
		return;
	if (item->nth == SHOWN && !r->verbose)
		human_printf(&h, PAINT_DIM, "    … and %zu more, -v shows them", item->of - SHOWN);
	else
		place(&h, item);
	human_char(&h, '\n');
	human_flush(&h);
}

void human_doctor_end(struct report *r, const struct doctor_summary *s)
{
	struct human h = human_begin(r);
	size_t idle = s->checks - s->looked;

	note_each(n, s->unread) {
		human_printf(&h, PAINT_YELLOW, "◌ not looked at: %s", n->text);
		human_char(&h, '\n');
	}
	human_paint(&h, s->failed ? PAINT_NONE : PAINT_GREEN, s->failed || s->unread->count ? "► " : "✔ ");
	human_printf(&h, PAINT_BOLD, "%s, %s", human_count(s->errors, "error"), human_count(s->warnings, "warning"));
	human_printf(&h, PAINT_NONE, "; %zu of %zu checks found nothing", s->looked - s->failed, s->checks);
	if (idle)
		human_printf(&h, PAINT_NONE, ", %zu had nothing to look at", idle);
	human_char(&h, '\n');
	human_flush(&h);
}
