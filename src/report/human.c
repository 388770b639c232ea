/* SPDX-License-Identifier: Apache-2.0 */
#include "report/human.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/terminal.h"

static const char *const paints[] = {
	[PAINT_NONE] = "",          [PAINT_BOLD] = "\033[1m",    [PAINT_DIM] = "\033[2m",
	[PAINT_RED] = "\033[31m",   [PAINT_GREEN] = "\033[32m",  [PAINT_YELLOW] = "\033[33m",
	[PAINT_CYAN] = "\033[36m",
};

void human_paint(struct human *h, enum paint paint, const char *text)
{
	bool coloured = h->colour && paint != PAINT_NONE;

	if (coloured)
		buffer_str(&h->text, paints[paint]);
	terminal_text(&h->text, text);
	if (coloured)
		buffer_str(&h->text, "\033[0m");
}

void human_printf(struct human *h, enum paint paint, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	text = arena_alloc_raw((size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	human_paint(h, paint, text);
}

void human_cell(struct human *h, enum paint paint, const char *text, size_t width)
{
	size_t used = terminal_width(text);

	human_paint(h, paint, text);
	while (used++ < width)
		buffer_char(&h->text, ' ');
}

void human_char(struct human *h, char c)
{
	buffer_char(&h->text, c);
}

void human_flush(struct human *h)
{
	report_write(&h->text);
	h->text.len = 0;
}

const char *human_value(const struct tree *value)
{
	struct buffer b = {.max = TREE_MAX_BYTES};

	if (tree_string(value))
		return tree_string(value);
	if (!value)
		return "";
	tree_print(&b, value, 0);
	return buffer_text(&b);
}

const char *human_count(size_t n, const char *noun)
{
	return arena_printf("%zu %s%s", n, noun, n == 1 ? "" : "s");
}

const char *human_place(const struct change *c)
{
	if (!c->file)
		return "";
	return c->line ? arena_printf("%s:%u", c->file, c->line) : c->file;
}

/* Images are told in full: they are what people look for, and never secret. */
void human_change_line(struct human *h, const char *indent, const struct change *c)
{
	static const char *const ops[] = {
		[CHANGE_ADD] = "added", [CHANGE_REMOVE] = "removed", [CHANGE_REPLACE] = "changed",
	};
	bool told = c->class == CLASS_IMAGE && tree_string(c->old_value) && tree_string(c->new_value);
	const char *place = human_place(c);

	human_paint(h, PAINT_NONE, indent);
	human_cell(h, PAINT_CYAN, change_class_name(c->class), 10);
	human_char(h, ' ');
	human_paint(h, PAINT_NONE, c->path);
	human_char(h, ' ');
	if (told)
		human_printf(h, PAINT_NONE, "%s → %s", human_value(c->old_value), human_value(c->new_value));
	else
		human_paint(h, PAINT_NONE, ops[c->op]);
	if (*place)
		human_printf(h, PAINT_DIM, "  %s", place);
	if (c->by)
		human_printf(h, PAINT_DIM, "  (%s)", c->by);
	human_char(h, '\n');
}

static void ignored_line(struct human *h, const struct change *c)
{
	const char *place = human_place(c);

	human_paint(h, PAINT_NONE, "  ");
	human_cell(h, PAINT_DIM, change_class_name(c->class), 10);
	human_printf(h, PAINT_NONE, " %s", c->path);
	human_printf(h, PAINT_DIM, " ignored (%s)%s%s", c->by ? c->by : "policy", *place ? "  " : "", place);
	human_char(h, '\n');
}

#define HASH_WIDTH 10

struct human human_begin(const struct report *r)
{
	return (struct human){.colour = r->colour};
}

void human_columns(struct report *r, size_t namespace_width, size_t name_width)
{
	r->namespace_width = namespace_width > strlen("NAMESPACE") ? namespace_width : strlen("NAMESPACE");
	r->name_width = name_width > strlen("CANARY") ? name_width : strlen("CANARY");
}

void human_names(struct human *h, const struct report *r, const char *namespace, const char *name,
		 const char *phase)
{
	human_cell(h, PAINT_NONE, namespace, r->namespace_width + 2);
	human_cell(h, PAINT_NONE, name, r->name_width + 2);
	human_cell(h, PAINT_NONE, *phase ? phase : "-", HUMAN_PHASE_WIDTH + 2);
}

enum paint human_verdict_paint(enum verdict v)
{
	switch (verdict_exit_code(v)) {
	case 0:
		return PAINT_GREEN;
	case 1:
		return v == VERDICT_RUN || v == VERDICT_RESTART ? PAINT_CYAN : PAINT_YELLOW;
	default:
		return PAINT_RED;
	}
}

static void plan_begin(struct report *r, const struct plan_head *head)
{
	human_columns(r, head->namespace_width, head->name_width);
}

/* The heading comes with the first row: an empty fleet has none. */
static void plan_heading(struct human *h, const struct report *r)
{
	human_names(h, r, "NAMESPACE", "CANARY", "PHASE");
	human_cell(h, PAINT_NONE, "VERDICT", HUMAN_VERDICT_WIDTH + 2);
	human_paint(h, PAINT_NONE, "WHY");
	human_char(h, '\n');
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	const struct decision *d = item->decision;
	struct human h = human_begin(r);

	if (r->items++ == 0)
		plan_heading(&h, r);
	human_names(&h, r, d->canary.namespace, d->canary.name, phase_name(d->canary.phase));
	human_cell(&h, human_verdict_paint(d->verdict), verdict_name(d->verdict), HUMAN_VERDICT_WIDTH + 2);
	human_paint(&h, PAINT_NONE, d->reason);
	human_char(&h, '\n');
	change_each(c, &d->changes)
		human_change_line(&h, "  ", c);
	change_each(c, &d->ignored)
		ignored_line(&h, c);
	note_each(n, &d->notes) {
		human_printf(&h, PAINT_DIM, "  note       %s", n->text);
		human_char(&h, '\n');
	}
	if (item->flow != FLOW_NONE) {
		human_printf(&h, PAINT_NONE, "  %-10s %s", flow_name(item->flow), d->action.text);
		human_char(&h, '\n');
	}
	human_flush(&h);
}

static void plan_end(struct report *r, const struct plan_summary *summary)
{
	struct human h = human_begin(r);
	size_t n = 0;

	human_printf(&h, PAINT_BOLD, "%zu %s", summary->canaries, summary->canaries == 1 ? "canary" : "canaries");
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (summary->verdicts[v])
			human_printf(&h, PAINT_NONE, "%s%zu %s", n++ ? ", " : ": ", summary->verdicts[v],
								 verdict_name((enum verdict)v));
	human_char(&h, '\n');
	human_flush(&h);
}

static void predict_begin(struct report *r, const struct predict_head *head)
{
	human_columns(r, head->namespace_width, head->name_width);
}

static const char *would_run_text(const struct predict_item *item)
{
	const struct decision *d = item->decision;

	switch (d->trigger.would_run) {
	case ANSWER_UNKNOWN:
		return arena_printf("unknown: %s", d->reason);
	case ANSWER_NO:
		return d->verdict == VERDICT_NONE ? "no" : arena_printf("no, %s", d->reason);
	case ANSWER_YES:
		break;
	}
	if (d->canary.suspended)
		return arena_printf("suspended; once that ends: %s", d->reason);
	if (phase_in_flight(d->canary.phase))
		return arena_printf("would start over (weight %lld, iteration %lld)", (long long)d->canary.weight,
				    (long long)d->canary.iterations);
	return arena_printf("yes, %s", d->reason);
}

static const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
}

static void predict_item(struct report *r, const struct predict_item *item)
{
	static const enum paint answers[] = {
		[ANSWER_NO] = PAINT_GREEN, [ANSWER_YES] = PAINT_YELLOW, [ANSWER_UNKNOWN] = PAINT_RED,
	};
	const struct decision *d = item->decision;
	struct human h = human_begin(r);

	if (r->items++ == 0) {
		human_names(&h, r, "NAMESPACE", "CANARY", "PHASE");
		human_cell(&h, PAINT_NONE, "STORED", HASH_WIDTH + 2);
		human_cell(&h, PAINT_NONE, "AFTER", HASH_WIDTH + 2);
		human_paint(&h, PAINT_NONE, "WOULD RUN");
		human_char(&h, '\n');
	}
	human_names(&h, r, d->canary.namespace, d->canary.name, phase_name(d->canary.phase));
	human_cell(&h, PAINT_NONE, or_dash(d->canary.applied), HASH_WIDTH + 2);
	human_cell(&h, PAINT_NONE, or_dash(d->trigger.now), HASH_WIDTH + 2);
	human_paint(&h, answers[d->trigger.would_run], would_run_text(item));
	human_char(&h, '\n');
	human_flush(&h);
}

static void part(struct human *h, size_t *n, size_t count, const char *what)
{
	if (count)
		human_printf(h, PAINT_NONE, "%s%zu %s", (*n)++ ? ", " : ": ", count, what);
}

static void predict_end(struct report *r, const struct predict_summary *s)
{
	struct human h = human_begin(r);
	size_t n = 0;

	human_printf(&h, PAINT_BOLD, "%zu %s", s->canaries, s->canaries == 1 ? "canary" : "canaries");
	part(&h, &n, s->for_nothing, "would run for nothing");
	part(&h, &n, s->for_change, "for a real change");
	part(&h, &n, s->start_over, "would start over");
	part(&h, &n, s->retry, "would retry a failed revision");
	part(&h, &n, s->rebuild, "would get a new primary");
	part(&h, &n, s->suspended, "would run but for their suspension");
	part(&h, &n, s->unproved, "unproved");
	part(&h, &n, s->unknown, "unknown");
	part(&h, &n, s->quiet, "would not run");
	if (s->queries)
		human_printf(&h, PAINT_NONE, "; about %zu metric queries/h if at once", s->queries);
	human_char(&h, '\n');
	human_flush(&h);
}

static void hash_item(struct report *r, const struct hash_item *item)
{
	struct human h = human_begin(r);

	human_cell(&h, PAINT_NONE, item->hash, HASH_WIDTH + 2);
	if (r->all_minors)
		human_cell(&h, PAINT_NONE, arena_printf("0.%d", item->minor), 6);
	human_printf(&h, PAINT_NONE, "%s %s/%s", item->id.kind, item->id.namespace, item->id.name);
	human_printf(&h, PAINT_DIM, "  %s", item->file);
	human_char(&h, '\n');
	human_flush(&h);
}

const struct format format_human = {
	.name = "human",
	.diff_item = human_diff_item,
	FLEET_ENTRIES,
	.explain = human_explain,
	.hash_item = hash_item,
	.outcome_begin = human_outcome_begin,
	.outcome_item = human_outcome_item,
	.status_begin = human_status_begin,
	.status_item = human_status_item,
	.status_end = human_status_end,
	.doctor_item = human_doctor_item,
	.doctor_end = human_doctor_end,
};
