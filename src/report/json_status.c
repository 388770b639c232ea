/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

void json_status_begin(struct report *r, const struct status_head *head)
{
	(void)head;
	json_begin_items(json_head(r, "Status"));
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static struct tree *hold_tree(const struct status_item *item)
{
	const struct canary *c = item->canary;
	struct tree *t = tree_new_map();

	json_put_string(t, "for", c->held_for);
	json_put_string(t, "by", or_null(c->held_by));
	json_put_string(t, "at", or_null(c->held_at));
	json_put_string(t, "until", or_null(c->held_until));
	json_put_string(t, "reason", or_null(c->held_reason));
	tree_put(t, "expired", tree_new_bool(item->expired));
	return t;
}

void json_status_item(struct report *r, const struct status_item *item)
{
	const struct canary *c = item->canary;
	struct tree *t = tree_new_map();

	json_put_string(t, "namespace", c->namespace);
	json_put_string(t, "name", c->name);
	json_put_string(t, "phase", phase_name(c->phase));
	tree_put(t, "weight", tree_new_int(c->weight));
	tree_put(t, "iterations", tree_new_int(c->iterations));
	tree_put(t, "failedChecks", tree_new_int(c->failed_checks));
	tree_put(t, "suspended", tree_new_bool(c->suspended));
	if (c->pending)
		tree_put(t, "pending", tree_new_bool(true));
	if (*item->others)
		json_put_string(t, "suspendedBy", item->others);
	if (!tree_empty(item->leftovers))
		tree_put(t, "leftOver", tree_copy(item->leftovers));
	json_put_string(t, "ship", c->shipped ? c->ship : NULL);
	tree_put(t, "hold", c->held ? hold_tree(item) : tree_new_null());
	json_item(r, t);
}

void json_status_end(struct report *r, const struct status_summary *s)
{
	struct tree *t = tree_new_map();

	tree_put(t, "canaries", tree_new_int((int64_t)s->canaries));
	tree_put(t, "held", tree_new_int((int64_t)s->held));
	tree_put(t, "expired", tree_new_int((int64_t)s->expired));
	tree_put(t, "shipped", tree_new_int((int64_t)s->shipped));
	tree_put(t, "suspendedByOthers", tree_new_int((int64_t)s->by_others));
	json_end_items(r, t);
}
