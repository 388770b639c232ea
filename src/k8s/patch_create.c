/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/patch.h"

/* Two patches make the third: what comes and changes (from live), and what goes (from last time). */
struct differ {
	int minor;
	bool additions, deletions;
	struct path *path;
	struct notes *warnings;
	struct error *err;
};

static int diff_maps(const struct differ *d, const struct tree *original, const struct tree *modified,
		     const struct schema_type *t, bool retain, struct tree **out);

static struct tree *delete_item(const char *key, const struct tree *value)
{
	struct tree *item = tree_new_map();

	tree_add(item, key, tree_copy(value));
	tree_add(item, PATCH_DIRECTIVE, tree_new_string("delete"));
	return item;
}

struct sortable {
	const struct tree *item;
	const char *text; /* the merge key as Go prints it */
	size_t index;
};

static const char *printed(const struct tree *v)
{
	struct buffer b = {0};

	if (tree_string(v))
		return tree_string(v);
	tree_print(&b, v, 0);
	return buffer_text(&b);
}

/* Items of one key end up in reverse: what Go's insertion sort does with its `not greater`. */
static int by_text(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->index < y->index) - (x->index > y->index);
}

static struct sortable *sort_items(const struct tree *list, size_t n, const char *key)
{
	struct sortable *sorted = NEW_ARRAY(struct sortable, n + 1);
	size_t i = 0;

	tree_each(item, list) {
		sorted[i] = (struct sortable){item, printed(key ? tree_get(item, key) : item), i};
		i++;
	}
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_text);
	return sorted;
}

/* Sorted by merge key and walked as a zip: so items of one key pair up by turns. */
static int diff_items(const struct differ *d, const struct tree *original, const struct tree *modified,
		      const struct schema_type *elem, const struct patch_meta *meta, struct tree *patch,
		      struct tree *deletions)
{
	size_t n = tree_len(original), m = tree_len(modified), i = 0, j = 0;
	struct sortable *a = sort_items(original, n, meta->key), *b = sort_items(modified, m, meta->key);

	while (i < n || j < m) {
		int order = i == n ? 1 : j == m ? -1 : strcmp(a[i].text, b[j].text);
		struct tree *change;

		if (order == 0) {
			struct path_mark mark = path_item(d->path, b[j].text, b[j].index);

			if (diff_maps(d, a[i].item, b[j].item, elem, meta->retain, &change) != 0)
				return -1;
			path_back(d->path, mark);
			if (!tree_empty(change)) {
				tree_put(change, meta->key, tree_copy(tree_get(b[j].item, meta->key)));
				tree_append(patch, change);
			}
		} else if (order > 0 && d->additions) {
			tree_append(patch, tree_copy(b[j].item));
		} else if (order < 0 && d->deletions) {
			tree_append(deletions, delete_item(meta->key, tree_get(a[i].item, meta->key)));
		}
		i += order <= 0;
		j += order >= 0;
	}
	return 0;
}

static bool same_order(const struct tree *a, const struct tree *b, const char *key)
{
	const struct tree *x = tree_first(a), *y = tree_first(b);

	for (; x && y; x = tree_next(x), y = tree_next(y))
		if (!tree_same(tree_get(x, key), tree_get(y, key)))
			return false;
	return !x && !y;
}

static struct tree *order_of(const struct tree *list, const char *key)
{
	struct tree *order = tree_new_list();

	tree_each(item, list) {
		struct tree *only_key = tree_new_map();

		tree_add(only_key, key, tree_copy(tree_get(item, key)));
		tree_append(order, only_key);
	}
	return order;
}

/* Two items of one merge key are one to a patch. */
static void warn_of_shared_key(const struct differ *d, const struct tree *list, const char *key)
{
	size_t n = tree_len(list);
	struct sortable *sorted = sort_items(list, n, key);

	for (size_t i = 1; i < n; i++)
		if (strcmp(sorted[i - 1].text, sorted[i].text) == 0)
			note_add(d->warnings, "shared-key: %s: several items have %s %s, which is all that a "
					      "patch goes by: it may not come out as meant",
				 path_text(d->path), key, sorted[i].text);
}

static int diff_keyed(const struct differ *d, const char *field, const struct tree *original,
		      const struct tree *modified, const struct patch_meta *meta, struct tree *out)
{
	struct tree *patch = tree_new_list(), *deletions = tree_new_list();
	bool changed;

	if (patch_check_keys(original, meta->key, d->path, d->err) != 0 ||
	    patch_check_keys(modified, meta->key, d->path, d->err) != 0 ||
	    diff_items(d, original, modified, schema_value(meta->type->elem), meta, patch, deletions) != 0)
		return -1;
	patch = patch_sorted(patch, modified, meta->key);
	tree_each(item, deletions)
		tree_append(patch, tree_copy(item));
	changed = !tree_empty(patch);
	if (changed) {
		tree_put(out, field, patch);
		warn_of_shared_key(d, original, meta->key);
		warn_of_shared_key(d, modified, meta->key);
	}
	if ((d->additions && (changed || !same_order(original, modified, meta->key))) ||
	    (d->deletions && changed))
		tree_put(out, arena_printf(PATCH_ORDER "%s", field), order_of(modified, meta->key));
	return 0;
}

/* finalizers are the only merged list of scalars. */
static void diff_scalars(const struct differ *d, const char *field, const struct tree *original,
			 const struct tree *modified, struct tree *out)
{
	struct tree *added = tree_new_list(), *gone = tree_new_list();

	tree_each(item, modified)
		if (d->additions && patch_index(original, item, NULL) < 0)
			tree_append(added, tree_copy(item));
	tree_each(item, original)
		if (d->deletions && patch_index(modified, item, NULL) < 0 && patch_index(gone, item, NULL) < 0)
			tree_append(gone, tree_copy(item));
	if (!tree_empty(added))
		tree_put(out, field, added);
	if (!tree_empty(gone))
		tree_put(out, arena_printf(PATCH_DELETE_SCALARS "%s", field), gone);
	if ((d->deletions && !tree_empty(gone)) || (d->additions && !tree_same(original, modified)))
		tree_put(out, arena_printf(PATCH_ORDER "%s", field), tree_copy(modified));
}

static int diff_lists(const struct differ *d, const char *field, const struct tree *original,
		      const struct tree *modified, const struct patch_meta *meta, struct tree *out)
{
	if (!meta->merge) {
		if (d->additions && !tree_same(original, modified))
			tree_put(out, field, tree_copy(modified));
		return 0;
	}
	if (tree_empty(original)) {
		if (d->additions && !tree_empty(modified))
			tree_put(out, field, tree_copy(modified));
		return 0;
	}
	if (meta->key)
		return diff_keyed(d, field, original, modified, meta, out);
	diff_scalars(d, field, original, modified, out);
	return 0;
}

static int diff_entry(const struct differ *d, const char *key, const struct tree *original,
		      const struct tree *modified, const struct schema_type *t, struct tree *out)
{
	struct patch_meta meta = patch_meta(t, key, d->minor);
	enum tree_kind kind = tree_kind(modified);
	struct tree *below;

	if (!original || tree_kind(original) != kind || (kind != TREE_MAP && kind != TREE_LIST)) {
		if (d->additions && (!original || !tree_same(original, modified)))
			tree_put(out, key, tree_copy(modified));
		return 0;
	}
	if (kind == TREE_LIST)
		return diff_lists(d, key, original, modified, &meta, out);
	if (diff_maps(d, original, modified, meta.type, meta.retain, &below) != 0)
		return -1;
	if (!tree_empty(below))
		tree_put(out, key, below);
	return 0;
}

static bool has_more(const struct tree *original, const struct tree *modified)
{
	tree_each(child, original)
		if (tree_kind(child) != TREE_NULL && !tree_get(modified, tree_key(child)))
			return true;
	return false;
}

static int diff_maps(const struct differ *d, const struct tree *original, const struct tree *modified,
		     const struct schema_type *t, bool retain, struct tree **out)
{
	struct tree *kept = tree_new_list();

	*out = tree_new_map();
	tree_each(child, modified) {
		const char *key = tree_key(child);
		struct path_mark mark = path_key(d->path, key);

		if (retain && tree_kind(child) != TREE_NULL)
			tree_append(kept, tree_new_string(key));
		if (diff_entry(d, key, tree_get(original, key), child, t, *out) != 0)
			return -1;
		path_back(d->path, mark);
	}
	tree_each(child, original)
		if (d->deletions && !tree_get(modified, tree_key(child)))
			tree_put(*out, tree_key(child), tree_new_null());
	if (!tree_empty(kept) && (!tree_empty(*out) || has_more(original, modified)))
		tree_put(*out, PATCH_RETAIN, kept);
	return 0;
}

struct tree *patch_create(const struct tree *original, const struct tree *modified,
			  const struct tree *current, const struct schema_type *type, int minor,
			  struct notes *warnings, struct error *err)
{
	struct path path = {0};
	struct differ coming = {.minor = minor, .additions = true, .path = &path, .warnings = warnings,
				.err = err};
	struct differ going = {.minor = minor, .deletions = true, .path = &path, .warnings = warnings,
			       .err = err};
	struct tree *delta, *deletions;

	if (diff_maps(&coming, current, modified, type, false, &delta) != 0 ||
	    diff_maps(&going, original, modified, type, false, &deletions) != 0)
		return NULL;
	return patch_merge(deletions, delta, type, minor, false, err);
}
