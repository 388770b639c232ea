/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `-o name`: KIND/NAMESPACE/NAME, a line each, of what there is something to do about, for xargs.
 */
#include "base/arena.h"
#include "base/terminal.h"
#include "report/report.h"

static void print_id(const struct identity *id)
{
	struct buffer b = {0};

	terminal_text(&b, arena_printf("%s/%s/%s", id->kind, id->namespace, id->name));
	buffer_char(&b, '\n');
	report_write(&b);
}

static void print_canary(const struct canary *c)
{
	print_id(&(struct identity){"flagger.app", "Canary", c->namespace, c->name});
}

static void diff_item(struct report *r, const struct diff_item *item)
{
	(void)r;
	if (item->changed)
		print_id(&item->id);
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	(void)r;
	if (verdict_exit_code(item->decision->verdict) != 0)
		print_canary(&item->decision->canary);
}

static void predict_item(struct report *r, const struct predict_item *item)
{
	(void)r;
	if (item->decision->trigger.would_run == ANSWER_YES && !item->decision->canary.suspended)
		print_canary(&item->decision->canary);
}

static void explain(struct report *r, const struct plan_head *head, const struct plan_item *item)
{
	(void)r;
	(void)head;
	print_canary(&item->decision->canary);
}

static void hash_item(struct report *r, const struct hash_item *item)
{
	(void)r;
	print_id(&item->id);
}

static void outcome_item(struct report *r, const struct outcome_item *item)
{
	(void)r;
	if (item->deed != DEED_NOTHING)
		print_id(&(struct identity){"flagger.app", "Canary", item->namespace, item->name});
}

/* The suspended ones. */
static void status_item(struct report *r, const struct status_item *item)
{
	(void)r;
	if (item->suspended_by)
		print_canary(item->canary);
}

static void doctor_item(struct report *r, const struct doctor_item *item)
{
	(void)r;
	print_id(&item->finding->id);
}

const struct format format_name = {
	.name = "name",
	.diff_item = diff_item,
	.plan_item = plan_item,
	.predict_item = predict_item,
	.explain = explain,
	.hash_item = hash_item,
	.outcome_item = outcome_item,
	.status_item = status_item,
	.doctor_item = doctor_item,
};
