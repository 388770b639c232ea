/* SPDX-License-Identifier: Apache-2.0 */
#include "report/human.h"

#include <string.h>

#include "base/arena.h"

#define WEIGHT_WIDTH 6
#define HELD_WIDTH 14
#define SINCE_WIDTH 7

void human_status_begin(struct report *r, const struct status_head *head)
{
	human_columns(r, head->namespace_width, head->name_width);
}

static void heading(struct human *h, const struct report *r)
{
	human_names(h, r, "NAMESPACE", "CANARY", "PHASE");
	human_cell(h, PAINT_NONE, "WEIGHT", WEIGHT_WIDTH + 2);
	human_cell(h, PAINT_NONE, "HELD FOR", HELD_WIDTH + 2);
	human_cell(h, PAINT_NONE, "SINCE", SINCE_WIDTH + 2);
	human_paint(h, PAINT_NONE, "UNTIL");
	human_char(h, '\n');
}

static void hold_cells(struct human *h, const struct status_item *item)
{
	const struct canary *c = item->canary;

	human_cell(h, c->held ? PAINT_CYAN : PAINT_YELLOW, item->suspended_by, HELD_WIDTH + 2);
	human_cell(h, PAINT_NONE, *item->since ? item->since : "-", SINCE_WIDTH + 2);
	human_paint(h, item->expired ? PAINT_RED : PAINT_NONE, !c->held || !*c->held_until ? "-" : c->held_until);
	if (item->expired)
		human_paint(h, PAINT_RED, "  expired");
	if (c->held && *c->held_reason)
		human_printf(h, PAINT_DIM, "  %s", c->held_reason);
}

/* Without the perch.dev/ that they all have. */
static void leftovers(struct human *h, const struct tree *keys)
{
	const char *before = "  left over: ";

	tree_each(key, keys) {
		human_printf(h, PAINT_YELLOW, "%s%s", before, strchr(tree_string(key), '/') + 1);
		before = ", ";
	}
}

void human_status_item(struct report *r, const struct status_item *item)
{
	const struct canary *c = item->canary;
	struct human h = human_begin(r);

	if (r->items++ == 0)
		heading(&h, r);
	human_names(&h, r, c->namespace, c->name, phase_name(c->phase));
	human_cell(&h, PAINT_NONE, arena_printf("%lld", (long long)c->weight), WEIGHT_WIDTH + 2);
	if (item->suspended_by)
		hold_cells(&h, item);
	else
		human_char(&h, '-');
	if (*item->others)
		human_printf(&h, PAINT_YELLOW, "  by %s", item->others);
	if (!tree_empty(item->leftovers))
		leftovers(&h, item->leftovers);
	if (c->shipped)
		human_printf(&h, PAINT_CYAN, "  shipped%s%s", *c->ship ? " as " : "", c->ship);
	if (c->pending)
		human_paint(&h, PAINT_YELLOW, "  not applied by Flux yet");
	human_char(&h, '\n');
	human_flush(&h);
}

void human_status_end(struct report *r, const struct status_summary *s)
{
	struct human h = human_begin(r);

	human_printf(&h, PAINT_BOLD, "%s", s->canaries == 1 ? "1 canary" : arena_printf("%zu canaries", s->canaries));
	human_printf(&h, PAINT_NONE, ": %zu held", s->held);
	if (s->expired)
		human_printf(&h, PAINT_RED, ", %zu of them past their time", s->expired);
	if (s->shipped)
		human_printf(&h, PAINT_NONE, ", %zu shipped", s->shipped);
	if (s->by_others)
		human_printf(&h, PAINT_NONE, ", %zu suspended by others", s->by_others);
	human_char(&h, '\n');
	human_flush(&h);
}
