/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/patch.h"

struct patch_meta patch_meta(const struct schema_type *type, const char *key, int minor)
{
	const struct schema_field *f = schema_field(type, key, minor);

	if (!f)
		return (struct patch_meta){
			.type = type && type->kind == SCHEMA_MAP ? schema_value(type->elem) : NULL};
	return (struct patch_meta){
		.type = schema_value(f->type),
		.merge = f->flags & SCHEMA_PATCH_MERGE,
		.retain = f->flags & SCHEMA_RETAIN_KEYS,
		.key = f->patch_key,
	};
}

static const struct tree *identity(const struct tree *item, const char *key)
{
	return key ? tree_get(item, key) : item;
}

long patch_index(const struct tree *list, const struct tree *like, const char *key)
{
	const struct tree *wanted = identity(like, key);
	long i = 0;

	tree_each(item, list) {
		const struct tree *have = identity(item, key);

		if (have && wanted && tree_same(have, wanted))
			return i;
		i++;
	}
	return -1;
}

int patch_check_keys(const struct tree *list, const char *key, const struct path *at, struct error *err)
{
	size_t i = 0;

	tree_each(item, list) {
		if (!tree_get(item, key))
			return error_set(err, ERR_INPUT, "%s[%zu]: no '%s', which lists are merged by",
					 buffer_text(&at->text), i, key);
		i++;
	}
	return 0;
}

struct placed {
	const struct tree *item;
	long rank;
	size_t index;
};

static int by_rank(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static bool goes(const struct tree *item)
{
	return strcmp(tree_string_or(tree_get(item, PATCH_DIRECTIVE), ""), "delete") == 0;
}

/* Deletions come last; an item that `order` doesn't name stays behind the one before it. */
struct tree *patch_sorted(const struct tree *items, const struct tree *order, const char *key)
{
	size_t n = tree_len(items), i = 0;
	struct placed *placed = NEW_ARRAY(struct placed, n + 1);
	struct tree *sorted = tree_new_list();
	long last = -1;

	tree_each(item, items) {
		long rank = patch_index(order, item, key);

		last = rank < 0 ? last : rank;
		placed[i] = (struct placed){item, key && goes(item) ? LONG_MAX : last, i};
		i++;
	}
	if (n)
		qsort(placed, n, sizeof(*placed), by_rank);
	for (i = 0; i < n; i++)
		tree_append(sorted, tree_copy(placed[i].item));
	return sorted;
}

struct tree *patch_interleaved(const struct tree *left, const struct tree *right,
			       const struct tree *order, const char *key)
{
	const struct tree *l = tree_first(left), *r = tree_first(right);
	struct tree *out = tree_new_list();

	while (l || r) {
		bool take_left = !r;

		if (l && r) {
			long i = patch_index(order, l, key), j = patch_index(order, r, key);

			take_left = i >= 0 && j >= 0 && i < j;
		}
		tree_append(out, tree_copy(take_left ? l : r));
		if (take_left)
			l = tree_next(l);
		else
			r = tree_next(r);
	}
	return out;
}
