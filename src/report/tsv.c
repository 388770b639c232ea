/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `-o tsv`: a line each, fields between tabs, no heading, for cut and awk. Tabs and line breaks in a
 * field are written \t and \n, a backslash \\, other control characters \xNN as for people. Values
 * never show, only where they are.
 */
#include <stdarg.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "report/report.h"

static void cell(struct buffer *b, const char *text)
{
	struct buffer spelled = {0};

	if (b->len)
		buffer_char(b, '\t');
	for (; *text; text++) {
		switch (*text) {
		case '\t':
			buffer_str(&spelled, "\\t");
			break;
		case '\n':
			buffer_str(&spelled, "\\n");
			break;
		case '\\':
			buffer_str(&spelled, "\\\\");
			break;
		default:
			buffer_char(&spelled, *text);
		}
	}
	terminal_text(b, buffer_text(&spelled));
}

/* An empty first cell would lose its tab: none is ever empty, "-" stands for nothing. */
static void row(const char *first, ...)
{
	struct buffer b = {0};
	const char *text = first;
	va_list ap;

	va_start(ap, first);
	for (; text; text = va_arg(ap, const char *))
		cell(&b, *text ? text : "-");
	va_end(ap);
	buffer_char(&b, '\n');
	report_write(&b);
}

static const char *id_text(const struct identity *id)
{
	return arena_printf("%s/%s/%s", id->kind, id->namespace, id->name);
}

static void change_rows(const char *id, const char *what, const struct changes *changes)
{
	change_each(c, changes) {
		char line[16] = "";

		if (c->file)
			snprintf(line, sizeof(line), "%u", c->line);
		row(id, what, change_op_name(c->op), c->path, change_class_name(c->class),
		    c->file ? c->file : "", line, NULL);
	}
}

static void diff_item(struct report *r, const struct diff_item *item)
{
	const char *id = id_text(&item->id);

	(void)r;
	change_rows(id, "changed", item->changes);
	change_rows(id, "ignored", item->ignored);
	change_rows(id, "foreign", item->foreign);
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	const struct decision *d = item->decision;

	(void)r;
	row(d->canary.namespace, d->canary.name, phase_name(d->canary.phase), verdict_name(d->verdict),
	    d->reason, item->flow == FLOW_NONE ? NULL : d->action.text, NULL);
}

static const char *answer_text(enum answer a)
{
	return a == ANSWER_YES ? "true" : a == ANSWER_NO ? "false" : "null";
}

static void predict_item(struct report *r, const struct predict_item *item)
{
	const struct decision *d = item->decision;

	(void)r;
	row(d->canary.namespace, d->canary.name, phase_name(d->canary.phase), d->canary.applied,
	    d->trigger.now, answer_text(d->trigger.would_run), answer_text(item->real), NULL);
}

static void explain(struct report *r, const struct plan_head *head, const struct plan_item *item)
{
	(void)head;
	plan_item(r, item);
}

static void hash_item(struct report *r, const struct hash_item *item)
{
	char minor[16];

	snprintf(minor, sizeof(minor), "0.%d", item->minor);
	row(item->file, id_text(&item->id), item->hash, r->all_minors ? minor : NULL, NULL);
}

static void outcome_item(struct report *r, const struct outcome_item *item)
{
	(void)r;
	row(item->namespace, item->name, item->decision ? verdict_name(item->decision->verdict) : "",
	    deed_name(item->deed), item->text, NULL);
}

static void status_item(struct report *r, const struct status_item *item)
{
	const struct canary *c = item->canary;
	char weight[24];

	(void)r;
	snprintf(weight, sizeof(weight), "%lld", (long long)c->weight);
	row(c->namespace, c->name, phase_name(c->phase), weight, item->suspended_by ? item->suspended_by : "",
	    item->since, c->held ? c->held_until : "", item->expired ? "expired" : "",
	    c->shipped ? c->ship : "", NULL);
}

static void doctor_item(struct report *r, const struct doctor_item *item)
{
	const struct finding *f = item->finding;
	char line[16] = "";

	(void)r;
	if (item->line)
		snprintf(line, sizeof(line), "%u", item->line);
	row(f->check->id, severity_name(f->check->severity), id_text(&f->id), f->path, item->file ? item->file : "",
	    line, f->text, NULL);
}

const struct format format_tsv = {
	.name = "tsv",
	.diff_item = diff_item,
	.plan_item = plan_item,
	.predict_item = predict_item,
	.explain = explain,
	.hash_item = hash_item,
	.outcome_item = outcome_item,
	.status_item = status_item,
	.doctor_item = doctor_item,
};
