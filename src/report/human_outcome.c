/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was done, a row for each canary where something was, or is left to do. The sum is talk.
 */
#include "report/human.h"

#include <string.h>

#define DEED_WIDTH 9

void human_outcome_begin(struct report *r, const struct outcome_head *head)
{
	human_columns(r, head->namespace_width, head->name_width);
}

static enum paint deed_paint(enum deed deed)
{
	if (deed <= DEED_UNSHIPPED)
		return PAINT_GREEN;
	if (deed <= DEED_EXTENDED || deed == DEED_RUNS)
		return PAINT_CYAN;
	return deed <= DEED_NOTHING ? PAINT_YELLOW : PAINT_RED;
}

static void name_cells(struct human *h, const struct report *r, const char *namespace, const char *name)
{
	human_cell(h, PAINT_NONE, namespace, r->namespace_width + 2);
	human_cell(h, PAINT_NONE, name, r->name_width + 2);
}

static void heading(struct human *h, const struct report *r, bool decided)
{
	name_cells(h, r, "NAMESPACE", "CANARY");
	if (decided)
		human_cell(h, PAINT_NONE, "VERDICT", HUMAN_VERDICT_WIDTH + 2);
	human_cell(h, PAINT_NONE, "OUTCOME", DEED_WIDTH + 2);
	human_paint(h, PAINT_NONE, "WHY");
	human_char(h, '\n');
}

void human_outcome_item(struct report *r, const struct outcome_item *item)
{
	const struct decision *d = item->decision;
	struct human h = human_begin(r);

	if (item->deed == DEED_NOTHING && !r->verbose)
		return;
	if (r->items++ == 0)
		heading(&h, r, d != NULL);
	name_cells(&h, r, item->namespace, item->name);
	if (d)
		human_cell(&h, human_verdict_paint(d->verdict), verdict_name(d->verdict), HUMAN_VERDICT_WIDTH + 2);
	human_cell(&h, deed_paint(item->deed), deed_name(item->deed), DEED_WIDTH + 2);
	human_paint(&h, PAINT_NONE, item->text);
	human_char(&h, '\n');
	human_flush(&h);
}
