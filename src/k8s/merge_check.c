/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "k8s/diff_walk.h"
#include "k8s/fieldset.h"
#include "k8s/merge.h"

struct check {
	struct path path;
	int minor;
	struct error *err;
};

static int check(struct check *c, const struct tree *v, const struct schema_type *t,
		 const struct schema_field *f);

static int check_entries(struct check *c, const struct tree *v, const struct schema_type *t)
{
	tree_each(child, v) {
		const struct schema_field *f;
		const struct schema_type *type = fieldset_entry(t, tree_key(child), c->minor, &f);
		struct path_mark mark = path_key(&c->path, tree_key(child));

		if (check(c, child, type, f) != 0)
			return -1;
		path_back(&c->path, mark);
	}
	return 0;
}

static int refuse(struct check *c, const char *why)
{
	return error_set(c->err, ERR_INPUT, "%s: %s, which server-side apply refuses",
			 buffer_text(&c->path.text), why);
}

static int check_items(struct check *c, const struct tree *v, const struct schema_type *t,
		       const struct schema_field *f)
{
	size_t n = tree_len(v), i = 0, *same;
	const char **elements = NEW_ARRAY(const char *, n + 1), **keys = path_item_keys(v, n, f);

	tree_each(item, v) {
		struct path_mark mark = path_item(&c->path, keys[i], i);

		elements[i] = fieldset_item_element(item, f);
		if (!elements[i])
			return refuse(c, "a list item without its key");
		if (check(c, item, t->elem, NULL) != 0)
			return -1;
		path_back(&c->path, mark);
		i++;
	}
	same = diff_pairs(elements, n, elements, n);
	for (i = 0; i < n; i++) {
		if (same[i] == i)
			continue;
		path_item(&c->path, keys[i], i);
		return refuse(c, "a repeated key");
	}
	return 0;
}

static int check(struct check *c, const struct tree *v, const struct schema_type *t,
		 const struct schema_field *f)
{
	enum merge_shape shape = fieldset_shape(t, f);

	t = schema_value(t);
	if (!t)
		return 0;
	if (t->kind == SCHEMA_STRUCT || t->kind == SCHEMA_MAP)
		return tree_kind(v) == TREE_MAP ? check_entries(c, v, t) : 0;
	if (tree_kind(v) != TREE_LIST)
		return 0;
	if (shape == SHAPE_KEYED || shape == SHAPE_SET)
		return check_items(c, v, t, f);
	tree_each(item, v)
		if (check(c, item, t->elem, NULL) != 0)
			return -1;
	return 0;
}

int merge_check(const struct tree *applied, const struct schema_type *type, int minor, struct error *err)
{
	struct check c = {.minor = minor, .err = err};

	return check(&c, applied, type, NULL);
}
