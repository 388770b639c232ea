/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/merge.h"

#include <string.h>

#include "base/arena.h"
#include "k8s/diff_walk.h"
#include "k8s/fieldset.h"

static struct tree *merge_values(int minor, const struct tree *lhs, const struct tree *rhs,
				 const struct schema_type *t, const struct schema_field *f);

static struct tree *right_or_left(const struct tree *lhs, const struct tree *rhs)
{
	return tree_copy(rhs ? rhs : lhs);
}

static struct tree *merge_entries(int minor, const struct tree *lhs, const struct tree *rhs,
				  const struct schema_type *t)
{
	struct tree *out = tree_new_map();

	for (int side = 0; side < 2; side++) {
		tree_each(child, side ? rhs : lhs) {
			const char *key = tree_key(child);
			const struct schema_field *f;
			const struct schema_type *type = fieldset_entry(t, key, minor, &f);
			struct tree *merged;

			if (side && tree_get(lhs, key))
				continue;
			merged = merge_values(minor, side ? NULL : child, tree_get(rhs, key), type, f);
			if (merged)
				tree_add(out, key, merged);
		}
	}
	return tree_empty(out) ? NULL : out;
}

/* One side of a keyed list: its items, their elements, and the other side's item of each. */
struct side {
	const struct tree **items;
	const char **elements;
	size_t n, *other;
	bool *repeated; /* its element occurs more than once */
};

static bool read_side(struct side *s, const struct tree *list, const struct schema_field *f)
{
	size_t i = 0;

	s->n = tree_len(list);
	s->items = NEW_ARRAY(const struct tree *, s->n + 1);
	s->elements = NEW_ARRAY(const char *, s->n + 1);
	s->repeated = NEW_ARRAY(bool, s->n + 1);
	tree_each(item, list) {
		s->items[i] = item;
		s->elements[i] = fieldset_item_element(item, f);
		if (!s->elements[i])
			return false;
		i++;
	}
	return true;
}

/* Marks repeats; diff_pairs() finds some item of the same element, so equal to another: a repeat. */
static void mark_repeats(struct side *s)
{
	size_t *same = diff_pairs(s->elements, s->n, s->elements, s->n);

	for (size_t i = 0; i < s->n; i++)
		if (same[i] != i)
			s->repeated[i] = s->repeated[same[i]] = true;
}

struct zip {
	int minor;
	const struct schema_type *elem;
	struct side l, r;
	bool *taken;    /* of r: already out */
	size_t next;    /* the next item of r that l has too; r.n: none */
	struct tree *out;
};

static void append_item(struct zip *z, const struct tree *lhs, const struct tree *rhs)
{
	struct tree *merged = merge_values(z->minor, lhs, rhs, z->elem, NULL);

	if (merged)
		tree_append(z->out, merged);
}

/* An item that is repeated in the live list isn't merged with: the applied one takes its place. */
static void take_right(struct zip *z, size_t r)
{
	size_t l = z->r.other[r];

	z->taken[r] = true;
	append_item(z, l == PAIR_NONE || z->l.repeated[l] ? NULL : z->l.items[l], z->r.items[r]);
}

static void next_shared(struct zip *z, size_t from)
{
	for (z->next = from; z->next < z->r.n && z->r.other[z->next] == PAIR_NONE;)
		z->next++;
}

/* Live-only items stay in place, shared and new ones come in the applied order. */
static void interleave(struct zip *z)
{
	size_t l = 0, r = 0;

	next_shared(z, 0);
	while (l < z->l.n || r < z->r.n) {
		size_t twin = l < z->l.n ? z->l.other[l] : PAIR_NONE;

		if (l < z->l.n && r < z->r.n && twin == r) {
			take_right(z, r++);
			l++;
			next_shared(z, z->next + 1);
			continue;
		}
		if (l < z->l.n && r < z->r.n && twin != PAIR_NONE && z->next < z->r.n && z->next != twin) {
			l++;
			continue;
		}
		if (l < z->l.n && twin == PAIR_NONE) {
			append_item(z, z->l.items[l++], NULL);
			continue;
		}
		if (l < z->l.n && z->taken[twin])
			l++;
		if (r < z->r.n) {
			take_right(z, r);
			if (z->next == r)
				next_shared(z, r + 1);
			r++;
		}
	}
}

static struct tree *merge_items(int minor, const struct tree *lhs, const struct tree *rhs,
				const struct schema_type *t, const struct schema_field *f)
{
	struct zip z = {.minor = minor, .elem = t->elem, .out = tree_new_list()};

	if (!read_side(&z.l, lhs, f) || !read_side(&z.r, rhs, f))
		return right_or_left(lhs, rhs);
	mark_repeats(&z.l);
	z.l.other = diff_pairs(z.l.elements, z.l.n, z.r.elements, z.r.n);
	z.r.other = diff_pairs(z.r.elements, z.r.n, z.l.elements, z.l.n);
	z.taken = NEW_ARRAY(bool, z.r.n + 1);
	interleave(&z);
	return tree_empty(z.out) ? NULL : z.out;
}

static const struct tree *unless_null(const struct tree *v)
{
	return tree_kind(v) == TREE_NULL ? NULL : v;
}

/* NULL: neither has it. Two empty or null sides are a leaf, so that empty and null stay apart. */
static struct tree *merge_values(int minor, const struct tree *lhs, const struct tree *rhs,
				 const struct schema_type *t, const struct schema_field *f)
{
	enum merge_shape shape = fieldset_shape(t, f);
	const struct tree *l = unless_null(lhs), *r = unless_null(rhs);
	enum tree_kind kind = shape == SHAPE_MAP ? TREE_MAP : TREE_LIST;

	if (shape == SHAPE_SCALAR || shape == SHAPE_ATOMIC || (tree_empty(l) && tree_empty(r)) ||
	    (l && tree_kind(l) != kind) || (r && tree_kind(r) != kind))
		return right_or_left(lhs, rhs);
	t = schema_value(t);
	return shape == SHAPE_MAP ? merge_entries(minor, l, r, t) : merge_items(minor, l, r, t, f);
}

struct tree *merge_applied(const struct tree *live, const struct tree *applied,
			   const struct schema_type *type, int minor)
{
	struct tree *out = merge_values(minor, live, applied, type, NULL);

	return out ? out : tree_new_map();
}
