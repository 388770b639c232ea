/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "k8s/fieldset.h"

/* One walk for both: what is left without the members, and the members alone. */
struct cut {
	int minor;
	bool extract;
};

static struct tree *cut_value(const struct cut *c, const struct tree *v, const struct fieldset *set,
			      const struct schema_type *t, const struct schema_field *f);

/* Owned by itself a granular value is only there: what is in it has owners of its own. */
static bool hollow(const struct fieldset *at, const struct tree *child, const struct schema_type *t,
		   const struct schema_field *f)
{
	enum merge_shape shape = fieldset_shape(t, f);

	return !at->children && shape != SHAPE_SCALAR && shape != SHAPE_ATOMIC && !tree_empty(child);
}

/* An owned value whole, one on the way to owned ones in part, else as it is (or not at all). */
static bool cut_child(const struct cut *c, struct tree **out, const struct tree *child,
		      const struct fieldset *at, const struct schema_type *t, const struct schema_field *f)
{
	if (at && at->member && !c->extract)
		return false;
	if (c->extract && (!at || hollow(at, child, t, f)))
		return false;
	*out = at && at->children ? cut_value(c, child, at->children, t, f) : tree_copy(child);
	return true;
}

static struct tree *cut_entries(const struct cut *c, const struct tree *v, const struct fieldset *set,
				const struct schema_type *t)
{
	struct tree *out = tree_new_map();

	tree_each(child, v) {
		const struct schema_field *f;
		const struct schema_type *type = fieldset_entry(t, tree_key(child), c->minor, &f);
		const struct fieldset *at = fieldset_find(set, fieldset_key_element(tree_key(child)));
		struct tree *kept;

		if (cut_child(c, &kept, child, at, type, f))
			tree_add(out, tree_key(child), kept ? kept : tree_new_null());
	}
	return tree_empty(out) ? NULL : out;
}

/* An extracted item keeps what it is found by, owned or not. */
static void keep_keys(struct tree *out, const struct tree *item, const struct schema_field *list)
{
	for (size_t i = 0; i < 3 && list->keys[i]; i++)
		if (tree_get(item, list->keys[i]))
			tree_put(out, list->keys[i], tree_copy(tree_get(item, list->keys[i])));
	if (list->patch_key && tree_get(item, list->patch_key))
		tree_put(out, list->patch_key, tree_copy(tree_get(item, list->patch_key)));
}

static struct tree *cut_items(const struct cut *c, const struct tree *v, const struct fieldset *set,
			      const struct schema_type *t, const struct schema_field *list)
{
	size_t n = tree_len(v), i = 0;
	const char **elements = fieldset_item_elements(v, n, list);
	struct tree *out = tree_new_list();

	tree_each(item, v) {
		const struct fieldset *at = fieldset_find(set, elements[i]);
		bool whole = c->extract && at && fieldset_repeated(elements, n, i);
		struct tree *kept;

		i++;
		if (whole)
			kept = tree_copy(item);
		else if (!cut_child(c, &kept, item, at, t->elem, NULL))
			continue;
		if (!kept)
			kept = c->extract ? tree_new_map() : tree_new_null();
		if (c->extract && tree_kind(kept) == TREE_MAP)
			keep_keys(kept, item, list);
		tree_append(out, kept);
	}
	return tree_empty(out) ? NULL : out;
}

static struct tree *cut_value(const struct cut *c, const struct tree *v, const struct fieldset *set,
			      const struct schema_type *t, const struct schema_field *f)
{
	enum merge_shape shape = fieldset_shape(t, f);

	t = schema_value(t);
	if (shape == SHAPE_MAP && tree_kind(v) == TREE_MAP)
		return tree_empty(v) ? NULL : cut_entries(c, v, set, t);
	if ((shape == SHAPE_KEYED || shape == SHAPE_SET) && tree_kind(v) == TREE_LIST)
		return cut_items(c, v, set, t, f);
	/* Fields of what is one value by now were owned one by one before: the whole is. */
	return shape == SHAPE_SCALAR || c->extract ? tree_copy(v) : NULL;
}

struct tree *fieldset_remove(const struct tree *value, const struct fieldset *set,
			     const struct schema_type *type, int minor)
{
	return cut_value(&(struct cut){minor, false}, value, set, type, NULL);
}

struct tree *fieldset_extract(const struct tree *value, const struct fieldset *set,
			      const struct schema_type *type, int minor)
{
	return cut_value(&(struct cut){minor, true}, value, set, type, NULL);
}
