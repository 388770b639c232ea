/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `-o json`: the contract of DESIGN.md §4, described by docs/schema. One object; its items one to
 * a line, so that a fleet's report can be read as it comes.
 */
#include <string.h>

#include "base/arena.h"
#include "report/report.h"

static void put_string(struct tree *map, const char *key, const char *value)
{
	tree_put(map, key, value ? tree_new_string(value) : tree_new_null());
}

static void put_answer(struct tree *map, const char *key, enum answer a)
{
	tree_put(map, key, a == ANSWER_UNKNOWN ? tree_new_null() : tree_new_bool(a == ANSWER_YES));
}

static void put_minor(struct tree *map, const char *key, int minor)
{
	put_string(map, key, minor ? arena_printf("0.%d", minor) : NULL);
}

static void put_value(struct tree *map, const char *key, const struct tree *value, bool secret)
{
	if (value)
		tree_put(map, key, secret ? tree_new_string("***") : tree_copy(value));
}

static struct tree *change_tree(const struct change *c, bool secret)
{
	struct tree *t = tree_new_map();

	secret |= strncmp(c->path, "secret/", 7) == 0; /* a tracked one: its checksum tells of it */

	put_string(t, "path", c->path);
	put_string(t, "op", change_op_name(c->op));
	put_value(t, "old", c->old_value, secret);
	put_value(t, "new", c->new_value, secret);
	put_string(t, "class", change_class_name(c->class));
	if (c->origin)
		put_string(t, "origin", c->origin);
	if (c->by)
		put_string(t, "by", c->by);
	if (c->file) {
		put_string(t, "file", c->file);
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

static struct tree *head_tree(const char *kind)
{
	struct tree *t = tree_new_map();

	put_string(t, "apiVersion", "perch.dev/v1");
	put_string(t, "kind", kind);
	return t;
}

/* Prints all of the map but its closing brace, and opens the list of items. */
static void begin_items(const struct tree *head)
{
	struct buffer b = {0};

	tree_print(&b, head, 0);
	b.data[--b.len] = '\0';
	buffer_str(&b, ",\"items\":[");
	report_write(&b);
}

static void print_item(struct report *r, const struct tree *item)
{
	struct buffer b = {0};

	buffer_str(&b, r->items++ ? ",\n" : "\n");
	tree_print(&b, item, 0);
	report_write(&b);
}

static void end_items(struct report *r, const struct tree *summary)
{
	struct buffer b = {0};

	buffer_str(&b, r->items ? "\n]" : "]");
	if (summary) {
		buffer_str(&b, ",\"summary\":");
		tree_print(&b, summary, 0);
	}
	buffer_str(&b, "}\n");
	report_write(&b);
}

static void diff_begin(struct report *r)
{
	(void)r;
	begin_items(head_tree("Diff"));
}

static void diff_item(struct report *r, const struct diff_item *item)
{
	struct tree *t = tree_new_map();

	put_string(t, "kind", item->id.kind);
	put_string(t, "namespace", item->id.namespace);
	put_string(t, "name", item->id.name);
	tree_put(t, "changed", tree_new_bool(item->changed));
	put_answer(t, "triggers", item->triggers);
	put_changes(t, "changes", item->changes, item->secret);
	put_changes(t, "ignored", item->ignored, item->secret);
	put_changes(t, "foreign", item->foreign, item->secret);
	put_notes(t, "notes", item->notes);
	put_notes(t, "warnings", item->warnings);
	print_item(r, t);
}

static void diff_end(struct report *r)
{
	end_items(r, NULL);
}

static void put_release(struct tree *map, const char *key, const struct flagger *f)
{
	put_string(map, key, f->release.major && f->k8s ? release_text(&f->release) : NULL);
}

static struct tree *flagger_tree(const struct flagger *f)
{
	struct tree *t = tree_new_map();

	put_release(t, "version", f);
	put_minor(t, "k8s", f->k8s);
	put_string(t, "evidence", f->evidence == EVIDENCE_NONE ? NULL : evidence_name(f->evidence));
	if (!f->k8s && f->problem)
		put_string(t, "problem", f->problem);
	return t;
}

static void plan_begin(struct report *r, const struct plan_head *head)
{
	struct tree *t = head_tree("Plan");

	(void)r;
	tree_put(t, "flagger", flagger_tree(head->flagger));
	begin_items(t);
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

	put_string(t, "applied", d->canary.applied && *d->canary.applied ? d->canary.applied : NULL);
	put_string(t, "promoted", d->canary.promoted && *d->canary.promoted ? d->canary.promoted : NULL);
	put_string(t, "now", *d->trigger.now ? d->trigger.now : NULL);
	put_minor(by, "applied", d->explains_applied);
	put_minor(by, "promoted", d->explains_promoted);
	tree_put(t, "explainedBy", by);
	return t;
}

static struct tree *proof_tree(const struct proof *p)
{
	struct tree *t = tree_new_map();

	put_string(t, "primary", primary_text(p->primary));
	put_minor(t, "provenance", p->provenance);
	put_minor(t, "applied", p->applied);
	return t;
}

static void put_action(struct tree *map, const struct plan_item *item)
{
	const struct action *a = &item->decision->action;
	struct tree *t;

	if (item->flow == FLOW_NONE)
		return;
	t = tree_new_map();
	put_string(t, "hashes", hashes_name(a->hashes));
	put_string(t, "hold", hold_name(a->hold));
	tree_put(t, "ship", tree_new_bool(a->ship));
	tree_put(t, "alert", tree_new_bool(a->alert));
	put_string(t, "text", a->text);
	tree_put(map, "action", t);
}

static struct tree *plan_tree(const struct plan_item *item)
{
	const struct decision *d = item->decision;
	const struct canary *c = &d->canary;
	struct tree *t = tree_new_map(), *target = tree_new_map();

	put_string(t, "namespace", c->namespace);
	put_string(t, "name", c->name);
	put_string(target, "kind", object_kind_name(c->target_kind));
	put_string(target, "name", c->target_name);
	tree_put(t, "target", target);
	put_string(t, "phase", phase_name(c->phase));
	tree_put(t, "suspended", tree_new_bool(c->suspended));
	put_string(t, "heldFor", c->held ? c->held_for : NULL);
	put_string(t, "verdict", verdict_name(d->verdict));
	put_string(t, "reason", d->reason);
	put_changes(t, "changes", &d->changes, false);
	put_changes(t, "ignored", &d->ignored, false);
	put_changes(t, "foreign", &d->foreign, false);
	put_notes(t, "notes", &d->notes);
	put_notes(t, "warnings", &d->warnings);
	tree_put(t, "hash", hash_tree(d));
	put_answer(t, "wouldRun", d->trigger.would_run);
	tree_put(t, "proof", proof_tree(&d->proof));
	put_action(t, item);
	return t;
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	print_item(r, plan_tree(item));
}

static void plan_end(struct report *r, const struct plan_summary *summary)
{
	struct tree *t = tree_new_map();

	for (int v = 0; v < VERDICT_COUNT; v++)
		if (summary->verdicts[v])
			tree_put(t, verdict_name((enum verdict)v), tree_new_int((int64_t)summary->verdicts[v]));
	end_items(r, t);
}

static void predict_begin(struct report *r, const struct predict_head *head)
{
	struct tree *t = head_tree("Prediction");

	(void)r;
	put_release(t, "from", head->from);
	put_release(t, "to", head->to);
	begin_items(t);
}

static void predict_item(struct report *r, const struct predict_item *item)
{
	const struct decision *d = item->decision;
	const struct canary *c = &d->canary;
	struct tree *t = tree_new_map();

	put_string(t, "namespace", c->namespace);
	put_string(t, "name", c->name);
	put_string(t, "phase", phase_name(c->phase));
	tree_put(t, "suspended", tree_new_bool(c->suspended));
	put_string(t, "stored", c->applied && *c->applied ? c->applied : NULL);
	put_string(t, "after", *d->trigger.now ? d->trigger.now : NULL);
	put_answer(t, "wouldRun", d->trigger.would_run);
	put_answer(t, "real", item->real);
	put_string(t, "verdict", verdict_name(d->verdict));
	put_string(t, "reason", d->reason);
	print_item(r, t);
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
	end_items(r, t);
}

static void explain(struct report *r, const struct plan_head *head, const struct plan_item *item)
{
	const struct proof *p = &item->decision->proof;
	struct tree *t = head_tree("Explanation"), *i = plan_tree(item);
	struct buffer b = {0};

	(void)r;
	put_changes(i, "accepted", &p->accepted, false);
	put_changes(i, "unknowable", &p->unknowable, false);
	put_changes(i, "drift", &p->drift, false);
	put_string(i, "fingerprint", *p->fingerprint ? p->fingerprint : NULL);
	tree_put(t, "flagger", flagger_tree(head->flagger));
	tree_put(t, "item", i);
	tree_print(&b, t, 2);
	buffer_char(&b, '\n');
	report_write(&b);
}

static void hash_begin(struct report *r)
{
	(void)r;
	begin_items(head_tree("Hashes"));
}

static void hash_item(struct report *r, const struct hash_item *item)
{
	struct tree *t = tree_new_map();

	put_string(t, "file", item->file);
	put_string(t, "kind", item->id.kind);
	put_string(t, "namespace", item->id.namespace);
	put_string(t, "name", item->id.name);
	put_string(t, "hash", item->hash);
	put_minor(t, "k8s", item->minor);
	print_item(r, t);
}

static void hash_end(struct report *r)
{
	end_items(r, NULL);
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
};
