/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "k8s/patch.h"

struct merger {
	int minor;
	bool final; /* the server's merge into an object, not of two patches */
	struct path *path;
	struct error *err;
};

static int merge_maps(const struct merger *m, struct tree *original, struct tree *patch,
		      const struct schema_type *t);

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}


/* What a patch brings where nothing was: without nulls (finally) and without what it deletes. */
static struct tree *brought(const struct merger *m, const struct tree *v)
{
	struct tree *out;

	if (tree_kind(v) != TREE_MAP && tree_kind(v) != TREE_LIST)
		return tree_copy(v);
	if (tree_get(v, PATCH_DIRECTIVE))
		return NULL;
	out = tree_kind(v) == TREE_MAP ? tree_new_map() : tree_new_list();
	tree_each(child, v) {
		bool null = tree_kind(child) == TREE_NULL;
		struct tree *kept = tree_kind(v) == TREE_MAP && null && m->final ? NULL : brought(m, child);

		if (kept && tree_kind(v) == TREE_MAP)
			tree_add(out, tree_key(child), kept);
		else if (kept)
			tree_append(out, kept);
	}
	return out;
}

static void put_brought(const struct merger *m, struct tree *original, const char *key, const struct tree *v)
{
	struct tree *kept = brought(m, v);

	if (kept)
		tree_put(original, key, kept);
	else
		tree_remove(original, key);
}

/* A one-of keeps only the keys that were sent. */
static void retain_keys(const struct merger *m, struct tree *original, struct tree *patch)
{
	const struct tree *keys = tree_get(patch, PATCH_RETAIN), *next;

	if (!keys)
		return;
	tree_remove(patch, PATCH_RETAIN);
	if (!m->final) {
		tree_put(original, PATCH_RETAIN, tree_copy(keys));
		return;
	}
	for (const struct tree *child = tree_first(original); child; child = next) {
		struct tree *name = tree_new_string(tree_key(child));

		next = tree_next(child);
		if (patch_index(keys, name, NULL) < 0)
			tree_detach(original, (struct tree *)child);
	}
}

static struct tree *without(const struct tree *list, const struct tree *like, const char *key)
{
	struct tree *out = tree_new_list();

	tree_each(item, list)
		if (!tree_get(item, key) || !tree_same(tree_get(item, key), tree_get(like, key)))
			tree_append(out, tree_copy(item));
	return out;
}

/* Items that `order` names go by its order, those of the original alone keep theirs. */
static struct tree *in_order(const struct tree *merged, const struct tree *order,
			     const struct tree *original, const char *key)
{
	struct tree *sent = tree_new_list(), *alone = tree_new_list();

	tree_each(item, merged)
		tree_append(patch_index(order, item, key) < 0 ? alone : sent, tree_copy(item));
	return patch_interleaved(patch_sorted(alone, original, key), patch_sorted(sent, order, key),
				 original, key);
}

static struct tree *first_items(const struct tree *list, size_t n)
{
	struct tree *out = tree_new_list();

	tree_each(item, list)
		if (n-- > 0)
			tree_append(out, tree_copy(item));
		else
			break;
	return out;
}

/*
 * `places`, where asked for, is the list that Kubernetes then orders by: it deletes and appends in
 * the original's own array, so that what is new has a place where something went.
 */
static int merge_items(const struct merger *m, const struct tree *original, const struct tree *patch,
		       const struct patch_meta *meta, struct tree **out, struct tree **places)
{
	struct tree *kept = tree_copy(original), *sent = tree_new_list(), *merged;

	if (patch_check_keys(patch, meta->key, m->path, m->err) != 0)
		return -1;
	tree_each(item, patch) {
		if (tree_get(item, PATCH_DIRECTIVE))
			kept = without(kept, item, meta->key);
		else
			tree_append(sent, tree_copy(item));
	}
	merged = tree_copy(kept);
	tree_each(item, sent) {
		long i = patch_index(merged, item, meta->key);

		if (i < 0)
			tree_append(merged, tree_copy(item));
		else if (merge_maps(m, tree_at_mutable(merged, (size_t)i), tree_copy(item),
				    schema_value(meta->type->elem)) != 0)
			return -1;
	}
	*out = in_order(merged, sent, kept, meta->key);
	if (places)
		*places = first_items(merged, tree_len(original));
	return 0;
}

static struct tree *merge_scalars(const struct tree *original, const struct tree *patch)
{
	struct tree *merged = tree_new_list();

	tree_each(item, original)
		if (patch_index(merged, item, NULL) < 0)
			tree_append(merged, tree_copy(item));
	tree_each(item, patch)
		if (patch_index(merged, item, NULL) < 0)
			tree_append(merged, tree_copy(item));
	return in_order(merged, patch, original, NULL);
}

static int merge_lists(const struct merger *m, const struct tree *original, const struct tree *patch,
		       const struct patch_meta *meta, struct tree **out, struct tree **places)
{
	if (!meta->merge)
		*out = tree_copy(patch);
	else if (meta->key)
		return merge_items(m, original, patch, meta, out, places);
	else
		*out = merge_scalars(original, patch);
	return 0;
}

/* The items that a patch sends come in the order it says. */
static int check_order(const struct merger *m, const struct tree *patch, const struct tree *order,
		       const char *key)
{
	const struct tree *wanted = tree_first(order);

	if (!wanted)
		return 0;
	tree_each(item, patch) {
		if (tree_get(item, PATCH_DIRECTIVE))
			continue;
		while (wanted && !tree_same(key ? tree_get(wanted, key) : wanted,
					    key ? tree_get(item, key) : item))
			wanted = tree_next(wanted);
		if (!wanted)
			return error_set(m->err, ERR_INPUT, "%s: no patch can bring this order",
					 buffer_text(&m->path->text));
		wanted = tree_next(wanted);
	}
	return 0;
}

static int merge_ordered(const struct merger *m, struct tree *original, struct tree *patch, const char *key,
			 const struct tree *order, const struct schema_type *t)
{
	struct patch_meta meta = patch_meta(t, key, m->minor);
	const struct tree *had = tree_get(original, key), *sent = tree_get(patch, key);
	struct tree *merged, *places = NULL;

	if (check_order(m, sent, order, meta.key) != 0)
		return -1;
	if (!had && !sent)
		return 0;
	if (had && sent) {
		if (merge_lists(m, had, sent, &meta, &merged, &places) != 0)
			return -1;
	} else {
		merged = had ? tree_copy(had) : brought(m, sent);
	}
	tree_put(original, key, in_order(merged, order, places ? places : had, meta.key));
	tree_remove(patch, key);
	return 0;
}

static int merge_orders(const struct merger *m, struct tree *original, struct tree *patch,
			const struct schema_type *t)
{
	const struct tree *next;

	for (const struct tree *child = tree_first(patch); child; child = next) {
		const char *directive = tree_key(child);
		struct path_mark mark;

		next = tree_next(child);
		if (!starts(directive, PATCH_ORDER))
			continue;
		tree_detach(patch, (struct tree *)child);
		if (!m->final)
			tree_put(original, directive, tree_copy(child));
		mark = path_key(m->path, directive + strlen(PATCH_ORDER));
		if (merge_ordered(m, original, patch, directive + strlen(PATCH_ORDER), child, t) != 0)
			return -1;
		path_back(m->path, mark);
		next = tree_first(patch); /* the list itself went too */
	}
	return 0;
}

static void delete_scalars(struct tree *original, const char *key, const struct tree *gone)
{
	struct tree *left = tree_new_list();

	tree_each(item, tree_get(original, key))
		if (patch_index(gone, item, NULL) < 0)
			tree_append(left, tree_copy(item));
	if (tree_get(original, key))
		tree_put(original, key, left);
}

static int merge_entry(const struct merger *m, struct tree *original, const char *key, const struct tree *v,
		       const struct schema_type *t)
{
	const struct tree *had = tree_get(original, key);
	struct patch_meta meta = patch_meta(t, key, m->minor);
	struct tree *merged;

	if (tree_kind(v) == TREE_NULL) {
		tree_remove(original, key);
		if (!m->final)
			tree_put(original, key, tree_new_null());
		return 0;
	}
	if (!had || tree_kind(had) != tree_kind(v)) {
		put_brought(m, original, key, v);
		return 0;
	}
	if (tree_kind(v) == TREE_MAP)
		return merge_maps(m, (struct tree *)had, tree_copy(v), meta.type);
	if (tree_kind(v) != TREE_LIST) {
		tree_put(original, key, tree_copy(v));
		return 0;
	}
	if (merge_lists(m, had, v, &meta, &merged, NULL) != 0)
		return -1;
	tree_put(original, key, merged);
	return 0;
}

static int merge_maps(const struct merger *m, struct tree *original, struct tree *patch,
		      const struct schema_type *t)
{
	retain_keys(m, original, patch);
	if (merge_orders(m, original, patch, t) != 0)
		return -1;
	tree_each(child, patch) {
		const char *key = tree_key(child);
		struct path_mark mark = path_key(m->path, key);

		if (starts(key, PATCH_DELETE_SCALARS)) {
			if (m->final)
				delete_scalars(original, key + strlen(PATCH_DELETE_SCALARS), child);
			else
				tree_put(original, key, tree_copy(child));
		} else if (merge_entry(m, original, key, child, t) != 0) {
			return -1;
		}
		path_back(m->path, mark);
	}
	return 0;
}

struct tree *patch_merge(struct tree *original, struct tree *patch, const struct schema_type *type,
			 int minor, bool final, struct error *err)
{
	struct path path = {0};
	struct merger m = {minor, final, &path, err};

	return merge_maps(&m, original, patch, type) == 0 ? original : NULL;
}
