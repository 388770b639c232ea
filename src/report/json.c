/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `-o json`: the contract of DESIGN.md §4, described by docs/schema. One object; its items one to
 * a line, so that a fleet's report can be read as it comes.
 */
#include <string.h>

#include "report/json.h"

static void put_value(struct tree *map, const char *key, const struct tree *value, bool secret)
{
	if (value)
		tree_put(map, key, secret ? tree_new_string("***") : tree_copy(value));
}

static struct tree *change_tree(const struct change *c, bool secret)
{
	struct tree *t = tree_new_map();

	secret |= strncmp(c->path, "secret/", 7) == 0; /* a tracked one: its checksum tells of it */

	json_put_string(t, "path", c->path);
	json_put_string(t, "op", change_op_name(c->op));
	put_value(t, "old", c->old_value, secret);
	put_value(t, "new", c->new_value, secret);
	json_put_string(t, "class", change_class_name(c->class));
	if (c->origin)
		json_put_string(t, "origin", c->origin);
	if (c->by)
		json_put_string(t, "by", c->by);
	if (c->file) {
		json_put_string(t, "file", c->file);
		tree_put(t, "line", tree_new_int(c->line));
	}
	return t;
}

static void put_changes(struct tree *map, const char *key, const struct changes *changes, bool secret)
{
	struct tree *list = tree_new_list();

	change_each(c, changes)
		tree_append(list, change_tree(c, secret));
	tree_put(map, key, list);
}

static void put_notes(struct tree *map, const char *key, const struct notes *notes)
{
	struct tree *list = tree_new_list();

	note_each(n, notes)
		tree_append(list, tree_new_string(n->text));
	tree_put(map, key, list);
}

static void diff_begin(struct report *r)
{
	json_begin_items(json_head(r, "Diff"));
}

static void diff_item(struct report *r, const struct diff_item *item)
{
	struct tree *t = tree_new_map();

	json_put_string(t, "kind", item->id.kind);
	json_put_string(t, "namespace", item->id.namespace);
	json_put_string(t, "name", item->id.name);
	tree_put(t, "changed", tree_new_bool(item->changed));
	json_put_answer(t, "triggers", item->triggers);
	put_changes(t, "changes", item->changes, item->secret);
	put_changes(t, "ignored", item->ignored, item->secret);
	put_changes(t, "foreign", item->foreign, item->secret);
	put_notes(t, "notes", item->notes);
	put_notes(t, "warnings", item->warnings);
	json_item(r, t);
}

static void diff_end(struct report *r)
{
	json_end_items(r, NULL);
}

static void plan_begin(struct report *r, const struct plan_head *head)
{
	struct tree *t = json_head(r, "Plan");

	tree_put(t, "flagger", json_flagger(head->flagger));
	json_begin_items(t);
}

static const char *primary_text(enum primary_answer a)
{
	static const char *const names[] = {
		[PRIMARY_UNREAD] = "unread",     [PRIMARY_MISSING] = "missing",
		[PRIMARY_DIFFERS] = "differs",   [PRIMARY_ACCEPTED] = "accepted",
		[PRIMARY_EQUAL] = "equal",
	};

	return names[a];
}

static struct tree *hash_tree(const struct decision *d)
{
	struct tree *t = tree_new_map(), *by = tree_new_map();

	json_put_string(t, "applied", d->canary.applied && *d->canary.applied ? d->canary.applied : NULL);
	json_put_string(t, "promoted", d->canary.promoted && *d->canary.promoted ? d->canary.promoted : NULL);
	json_put_string(t, "now", *d->trigger.now ? d->trigger.now : NULL);
	json_put_minor(by, "applied", d->explains_applied);
	json_put_minor(by, "promoted", d->explains_promoted);
	tree_put(t, "explainedBy", by);
	return t;
}

static struct tree *proof_tree(const struct proof *p)
{
	struct tree *t = tree_new_map();

	json_put_string(t, "primary", primary_text(p->primary));
	json_put_minor(t, "provenance", p->provenance);
	json_put_minor(t, "applied", p->applied);
	return t;
}

static struct tree *plan_tree(const struct plan_item *item)
{
	const struct decision *d = item->decision;
	const struct canary *c = &d->canary;
	struct tree *t = tree_new_map(), *target = tree_new_map();

	json_put_string(t, "namespace", c->namespace);
	json_put_string(t, "name", c->name);
	json_put_string(target, "kind", object_kind_name(c->target_kind));
	json_put_string(target, "name", c->target_name);
	tree_put(t, "target", target);
	json_put_string(t, "phase", phase_name(c->phase));
	tree_put(t, "suspended", tree_new_bool(c->suspended));
	json_put_string(t, "heldFor", c->held ? c->held_for : NULL);
	json_put_string(t, "verdict", verdict_name(d->verdict));
	json_put_string(t, "reason", d->reason);
	put_changes(t, "changes", &d->changes, false);
	put_changes(t, "ignored", &d->ignored, false);
	put_changes(t, "foreign", &d->foreign, false);
	put_notes(t, "notes", &d->notes);
	put_notes(t, "warnings", &d->warnings);
	tree_put(t, "hash", hash_tree(d));
	json_put_answer(t, "wouldRun", d->trigger.would_run);
	tree_put(t, "proof", proof_tree(&d->proof));
	if (item->flow != FLOW_NONE)
		tree_put(t, "action", json_action(&d->action));
	return t;
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	json_item(r, plan_tree(item));
}

static void plan_end(struct report *r, const struct plan_summary *summary)
{
	struct tree *t = tree_new_map();

	for (int v = 0; v < VERDICT_COUNT; v++)
		if (summary->verdicts[v])
			tree_put(t, verdict_name((enum verdict)v), tree_new_int((int64_t)summary->verdicts[v]));
	json_end_items(r, t);
}

static void predict_begin(struct report *r, const struct predict_head *head)
{
	struct tree *t = json_head(r, "Prediction");

	json_put_release(t, "from", head->from);
	json_put_release(t, "to", head->to);
	json_begin_items(t);
}

static void predict_item(struct report *r, const struct predict_item *item)
{
	const struct decision *d = item->decision;
	const struct canary *c = &d->canary;
	struct tree *t = tree_new_map();

	json_put_string(t, "namespace", c->namespace);
	json_put_string(t, "name", c->name);
	json_put_string(t, "phase", phase_name(c->phase));
	tree_put(t, "suspended", tree_new_bool(c->suspended));
	json_put_string(t, "stored", c->applied && *c->applied ? c->applied : NULL);
	json_put_string(t, "after", *d->trigger.now ? d->trigger.now : NULL);
	json_put_answer(t, "wouldRun", d->trigger.would_run);
	json_put_answer(t, "real", item->real);
	json_put_string(t, "verdict", verdict_name(d->verdict));
	json_put_string(t, "reason", d->reason);
	json_item(r, t);
}

static void predict_end(struct report *r, const struct predict_summary *s)
{
	struct tree *t = tree_new_map();

	tree_put(t, "canaries", tree_new_int((int64_t)s->canaries));
	tree_put(t, "forNothing", tree_new_int((int64_t)s->for_nothing));
	tree_put(t, "forChange", tree_new_int((int64_t)s->for_change));
	tree_put(t, "startOver", tree_new_int((int64_t)s->start_over));
	tree_put(t, "retry", tree_new_int((int64_t)s->retry));
	tree_put(t, "rebuild", tree_new_int((int64_t)s->rebuild));
	tree_put(t, "suspended", tree_new_int((int64_t)s->suspended));
	tree_put(t, "unproved", tree_new_int((int64_t)s->unproved));
	tree_put(t, "unknown", tree_new_int((int64_t)s->unknown));
	tree_put(t, "quiet", tree_new_int((int64_t)s->quiet));
	tree_put(t, "metricQueriesPerHour", tree_new_int((int64_t)s->queries));
	json_end_items(r, t);
}

static void explain(struct report *r, const struct plan_head *head, const struct plan_item *item)
{
	const struct proof *p = &item->decision->proof;
	struct tree *t = json_head(r, "Explanation"), *i = plan_tree(item);
	struct buffer b = {0};

	put_changes(i, "accepted", &p->accepted, false);
	put_changes(i, "unknowable", &p->unknowable, false);
	put_changes(i, "drift", &p->drift, false);
	json_put_string(i, "fingerprint", *p->fingerprint ? p->fingerprint : NULL);
	tree_put(t, "flagger", json_flagger(head->flagger));
	tree_put(t, "item", i);
	tree_print(&b, t, 2);
	buffer_char(&b, '\n');
	report_write(&b);
}

static void hash_begin(struct report *r)
{
	json_begin_items(json_head(r, "Hashes"));
}

static void hash_item(struct report *r, const struct hash_item *item)
{
	struct tree *t = tree_new_map();

	json_put_string(t, "file", item->file);
	json_put_string(t, "kind", item->id.kind);
	json_put_string(t, "namespace", item->id.namespace);
	json_put_string(t, "name", item->id.name);
	json_put_string(t, "hash", item->hash);
	json_put_minor(t, "k8s", item->minor);
	json_item(r, t);
}

static void hash_end(struct report *r)
{
	json_end_items(r, NULL);
}

const struct format format_json = {
	.name = "json",
	.diff_begin = diff_begin,
	.diff_item = diff_item,
	.diff_end = diff_end,
	FLEET_ENTRIES,
	.explain = explain,
	.hash_begin = hash_begin,
	.hash_item = hash_item,
	.hash_end = hash_end,
	.outcome_begin = json_outcome_begin,
	.outcome_item = json_outcome_item,
	.outcome_end = json_outcome_end,
	.status_begin = json_status_begin,
	.status_item = json_status_item,
	.status_end = json_status_end,
	.doctor_begin = json_doctor_begin,
	.doctor_item = json_doctor_item,
	.doctor_end = json_doctor_end,
};
