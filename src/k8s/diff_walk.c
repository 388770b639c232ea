/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/diff_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/normalise.h"
#include "value/quantity.h"

struct diff_mark diff_down(struct diff_walk *d, const char *key)
{
	return (struct diff_mark){path_key(&d->old_path, key), path_key(&d->new_path, key)};
}

void diff_up(struct diff_walk *d, struct diff_mark mark)
{
	path_back(&d->old_path, mark.old_mark);
	path_back(&d->new_path, mark.new_mark);
}

static void emit(struct diff_walk *d, const struct tree *old_value, const struct tree *new_value)
{
	struct change *c;

	if (d->skip && d->skip(buffer_text(&d->new_path.text)))
		return;
	c = NEW(struct change);
	c->op = !old_value ? CHANGE_ADD : !new_value ? CHANGE_REMOVE : CHANGE_REPLACE;
	c->path = path_text(new_value ? &d->new_path : &d->old_path);
	c->pointer = path_pointer(new_value ? &d->new_path : &d->old_path);
	c->old_value = old_value;
	c->new_value = new_value;
	c->class = change_classify(c);
	changes_add(d->out, c);
}

static const struct tree *unless_null(const struct tree *v)
{
	return tree_kind(v) == TREE_NULL ? NULL : v;
}

static const char *scalar_text(const struct tree *v)
{
	const char *number = tree_number(v);

	return number ? number : tree_string(v);
}

static bool same_scalar(const struct tree *a, const struct tree *b, const struct schema_type *t)
{
	const char *x, *y;

	if (tree_same(a, b))
		return true;
	if (t->kind != SCHEMA_QUANTITY)
		return false;
	x = scalar_text(a);
	y = scalar_text(b);
	return x && y && quantity_valid(x) && quantity_valid(y) && quantity_same(x, y);
}

/* Fields and entries of the old value in its order, then what only the new one has. */
static void walk_entries(struct diff_walk *d, const struct tree *a, const struct tree *b,
			 const struct schema_type *t)
{
	for (int side = 0; side < 2; side++) {
		tree_each(child, side ? b : a) {
			const char *key = tree_key(child);
			const struct tree *old_child = side ? NULL : child;
			const struct schema_field *f;
			struct diff_mark mark;

			if (side && tree_get(a, key))
				continue;
			mark = diff_down(d, key);
			f = schema_field(t, key, schema_newest());
			if (t->kind == SCHEMA_STRUCT)
				diff_walk(d, old_child, tree_get(b, key), f ? f->type : NULL, f);
			else if (old_child && tree_get(b, key))
				diff_walk(d, old_child, tree_get(b, key), t->elem, NULL);
			else
				emit(d, old_child, tree_get(b, key));
			diff_up(d, mark);
		}
	}
}

struct keyed {
	const char *key;
	size_t index;
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

static struct keyed *sorted_keys(const char *const *keys, size_t n)
{
	struct keyed *sorted = NEW_ARRAY(struct keyed, n + 1);

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct keyed){keys[i], i};
	if (n)
		qsort(sorted, n, sizeof(*sorted), by_key);
	return sorted;
}

size_t *diff_pairs(const char *const *a, size_t n, const char *const *b, size_t m)
{
	struct keyed *x = sorted_keys(a, n), *y = sorted_keys(b, m);
	size_t *pairs = NEW_ARRAY(size_t, n + 1);

	for (size_t i = 0, j = 0; i < n; i++) {
		while (j < m && by_key(&y[j], &x[i]) < 0)
			j++;
		pairs[x[i].index] = j < m && by_key(&y[j], &x[i]) == 0 ? y[j].index : PAIR_NONE;
	}
	return pairs;
}

static bool all_keyed(const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!keys[i])
			return false;
	return true;
}

static const struct tree **items_of(const struct tree *list, size_t n)
{
	const struct tree **items = NEW_ARRAY(const struct tree *, n + 1);
	size_t i = 0;

	tree_each(item, list)
		items[i++] = item;
	return items;
}

static void walk_item(struct diff_walk *d, const struct tree *a, const struct tree *b, const char *key,
		      size_t i, size_t j, const struct schema_type *t)
{
	struct diff_mark mark = {path_item(&d->old_path, key, i), path_item(&d->new_path, key, j)};

	if (a && b)
		diff_walk(d, a, b, t, NULL);
	else
		emit(d, a, b);
	diff_up(d, mark);
}

/* Old items in order, paired or gone; then new ones; then the order of those in both. */
static void walk_keyed(struct diff_walk *d, const struct tree *a, const struct tree *b,
		       const char *const *a_keys, const char *const *b_keys, const struct schema_type *t)
{
	size_t n = tree_len(a), m = tree_len(b), last = 0;
	const struct tree **x = items_of(a, n), **y = items_of(b, m);
	size_t *pairs = diff_pairs(a_keys, n, b_keys, m);
	bool *paired = NEW_ARRAY(bool, m + 1), moved = false;

	for (size_t i = 0; i < n; i++) {
		size_t j = pairs[i];

		walk_item(d, x[i], j == PAIR_NONE ? NULL : y[j], a_keys[i], i, j, t->elem);
		if (j == PAIR_NONE)
			continue;
		paired[j] = true;
		moved |= j < last;
		last = j;
	}
	for (size_t j = 0; j < m; j++)
		if (!paired[j])
			walk_item(d, NULL, y[j], b_keys[j], 0, j, t->elem);
	if (moved)
		emit(d, a, b);
}

static void walk_indexed(struct diff_walk *d, const struct tree *a, const struct tree *b,
			 const struct schema_type *t)
{
	const struct tree *x = tree_first(a), *y = tree_first(b);

	for (size_t i = 0; x || y; i++) {
		walk_item(d, x, y, NULL, i, i, t->elem);
		x = x ? tree_next(x) : NULL;
		y = y ? tree_next(y) : NULL;
	}
}

static void walk_list(struct diff_walk *d, const struct tree *a, const struct tree *b,
		      const struct schema_type *t, const struct schema_field *f)
{
	size_t n = tree_len(a), m = tree_len(b);
	const char **a_keys = path_item_keys(a, n, f), **b_keys = path_item_keys(b, m, f);

	if (f && f->flags & SCHEMA_KEYED && all_keyed(a_keys, n) && all_keyed(b_keys, m))
		walk_keyed(d, a, b, a_keys, b_keys, t);
	else
		walk_indexed(d, a, b, t);
}

static bool fits(const struct tree *v, enum tree_kind kind)
{
	return !v || tree_kind(v) == kind;
}

/* What a pointer leads to, or a by-value struct, is walked into; a list or map by item. */
static void walk_value(struct diff_walk *d, const struct tree *a, const struct tree *b,
		       const struct schema_type *t, const struct schema_field *f)
{
	if ((t->kind == SCHEMA_STRUCT || t->kind == SCHEMA_MAP) && fits(a, TREE_MAP) && fits(b, TREE_MAP))
		walk_entries(d, a, b, t);
	else if (t->kind == SCHEMA_LIST && fits(a, TREE_LIST) && fits(b, TREE_LIST))
		walk_list(d, a, b, t, f);
	else if (!a || !b || !same_scalar(a, b, t))
		emit(d, a, b);
}

void diff_walk(struct diff_walk *d, const struct tree *old_value, const struct tree *new_value,
	       const struct schema_type *type, const struct schema_field *field)
{
	const struct tree *a = unless_null(old_value), *b = unless_null(new_value);
	bool whole;

	if (!a && !b)
		return;
	if (!type) {
		if (!a || !b || !tree_same(a, b))
			emit(d, a, b);
		return;
	}
	if (type->kind == SCHEMA_POINTER) {
		if (a && b)
			walk_value(d, a, b, schema_value(type), field);
		else
			emit(d, a, b);
		return;
	}
	whole = type->kind != SCHEMA_STRUCT && type->kind != SCHEMA_LIST && type->kind != SCHEMA_MAP;
	if (whole && field) { /* omitempty: a zero is no value */
		a = normalise_is_zero(a, type, schema_newest()) ? NULL : a;
		b = normalise_is_zero(b, type, schema_newest()) ? NULL : b;
		if (!a && !b)
			return;
	}
	walk_value(d, a, b, type, field);
}
