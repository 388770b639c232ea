/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "k8s/defaults.h"
#include "k8s/diff.h"
#include "k8s/diff_walk.h"
#include "k8s/normalise.h"
#include "k8s/object.h"
#include "k8s/owners.h"

/* The same place in four objects: what Git says, what that would default to, before and after. */
struct place {
	const struct tree *desired, *defaulted, *live, *applied;
};

struct search {
	struct changes *out;
	struct path live_path, path; /* path: in the object after */
	const struct tree *object;   /* the live one */
	const struct owner *owners;
	int minor;
};

static void look(struct search *s, struct place p, const struct schema_type *t,
		 const struct schema_field *f);

static struct place child_of(struct place p, const char *key)
{
	return (struct place){tree_get(p.desired, key), tree_get(p.defaulted, key),
			      tree_get(p.live, key), tree_get(p.applied, key)};
}

static void found(struct search *s, const struct tree *value)
{
	const char *by = owners_names(s->owners, s->object, buffer_text(&s->live_path.pointer));
	struct change *c;

	if (object_kind(s->object) == KIND_DAEMONSET && diff_parking(buffer_text(&s->path.text)))
		return;
	c = NEW(struct change);
	c->op = CHANGE_ADD;
	c->path = path_text(&s->path);
	c->pointer = path_pointer(&s->path);
	c->new_value = value;
	c->class = change_classify(c);
	c->by = *by ? by : "owner unknown";
	changes_add(s->out, c);
}

static void look_into_entries(struct search *s, struct place p, const struct schema_type *t)
{
	tree_each(child, p.applied) {
		const char *key = tree_key(child);
		const struct schema_field *f = schema_field(t, key, s->minor);
		struct path_mark here = path_key(&s->path, key), there = path_key(&s->live_path, key);

		look(s, child_of(p, key), t->kind == SCHEMA_MAP ? t->elem : f ? f->type : NULL, f);
		path_back(&s->path, here);
		path_back(&s->live_path, there);
	}
}

/* For each key the item of a list that has it, NULL where none does, and the items' places. */
static const struct tree **items_by(const char *const *keys, size_t n, const struct tree *list,
				    const struct schema_field *f, size_t *at)
{
	size_t m = tree_len(list);
	const char **theirs = path_item_keys(list, m, f);
	const struct tree **items = NEW_ARRAY(const struct tree *, m + 1);
	const struct tree **found_items = NEW_ARRAY(const struct tree *, n + 1);
	size_t *pairs, i = 0;

	tree_each(item, list) {
		items[i] = item;
		if (!theirs[i])
			return found_items;
		i++;
	}
	pairs = diff_pairs(keys, n, theirs, m);
	for (i = 0; i < n; i++) {
		if (pairs[i] == PAIR_NONE)
			continue;
		found_items[i] = items[pairs[i]];
		if (at)
			at[i] = pairs[i];
	}
	return found_items;
}

static void look_at_item(struct search *s, struct place p, const char *key, size_t i, size_t at,
			 const struct schema_type *t)
{
	struct path_mark here = path_item(&s->path, key, i), there = path_item(&s->live_path, key, at);

	if (p.desired || p.defaulted)
		look(s, p, t, NULL);
	else if (p.live)
		found(s, p.applied);
	path_back(&s->path, here);
	path_back(&s->live_path, there);
}

static void look_into_items(struct search *s, struct place p, const struct schema_type *t,
			    const struct schema_field *f)
{
	size_t n = tree_len(p.applied), i = 0, *at = NEW_ARRAY(size_t, n + 1);
	const char **keys = path_item_keys(p.applied, n, f);
	const struct tree **desired, **defaulted, **live;

	for (size_t k = 0; k < n; k++)
		if (!keys[k])
			return;
	desired = items_by(keys, n, p.desired, f, NULL);
	defaulted = items_by(keys, n, p.defaulted, f, NULL);
	live = items_by(keys, n, p.live, f, at);
	tree_each(item, p.applied) {
		struct place q = {desired[i], defaulted[i], live[i], item};

		look_at_item(s, q, keys[i], i, at[i], t->elem);
		i++;
	}
}

/* Foreign is what is there before and after without Git's word for it and without being a default. */
static void look(struct search *s, struct place p, const struct schema_type *t,
		 const struct schema_field *f)
{
	const struct schema_type *v = schema_value(t);
	bool map = v && (v->kind == SCHEMA_STRUCT || v->kind == SCHEMA_MAP) &&
		   tree_kind(p.applied) == TREE_MAP;
	bool list = v && v->kind == SCHEMA_LIST && f && f->flags & SCHEMA_KEYED &&
		    tree_kind(p.applied) == TREE_LIST;
	bool by_value = t && t->kind != SCHEMA_POINTER;

	if (!p.live || !p.applied || (t && normalise_is_zero(p.applied, t, s->minor)) ||
	    (p.defaulted && tree_same(p.defaulted, p.applied)))
		return;
	if (map && (p.desired || p.defaulted || by_value))
		look_into_entries(s, p, v);
	else if (list)
		look_into_items(s, p, v, f);
	else if (!p.desired)
		found(s, p.applied);
}

void diff_foreign(struct changes *out, const struct tree *desired, const struct tree *live,
		  const struct tree *applied)
{
	enum object_kind kind = object_kind(applied);
	const struct schema_type *root = schema_root(kind);
	struct search s = {.out = out, .object = live, .owners = owners_read(live),
			   .minor = schema_newest()};
	struct place p = {desired, NULL, live, applied};
	struct tree *defaulted;

	if (!root || !live)
		return;
	defaulted = normalise(desired, root, s.minor);
	defaults_fill(defaulted, root, s.minor);
	if (kind != KIND_SERVICE && tree_path(defaulted, "spec", "template", NULL))
		defaults_convert(tree_get_mutable(tree_get_mutable(defaulted, "spec"), "template"));
	p.defaulted = defaulted;
	p = child_of(p, "spec");
	path_key(&s.path, "spec");
	path_key(&s.live_path, "spec");
	if (kind != KIND_SERVICE) {
		p = child_of(p, "template");
		path_key(&s.path, "template");
		path_key(&s.live_path, "template");
	}
	look(&s, p, schema_content(kind), NULL);
}
