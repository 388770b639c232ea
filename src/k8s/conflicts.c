/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/conflicts.h"

#include <string.h>

#include "base/arena.h"
#include "k8s/path.h"

/* An owner's fields from here down, and whether it holds this place itself. */
struct claim {
	const char *manager;
	const struct fieldset *fields;
	bool holds;
};

struct conflicts {
	struct notes *out;
	struct path path;
	int minor;
	size_t n;
};

static void compare(struct conflicts *c, const struct tree *live, const struct tree *merged,
		    const struct schema_type *t, const struct schema_field *f, const struct claim *claims);

static struct claim *claims_at(const struct conflicts *c, const struct claim *above, const char *element)
{
	struct claim *below = NEW_ARRAY(struct claim, c->n + 1);

	for (size_t i = 0; i < c->n; i++) {
		const struct fieldset *at = fieldset_find(above[i].fields, element);

		below[i] = (struct claim){above[i].manager, at ? at->children : NULL, at && at->member};
	}
	return below;
}

static bool anyone(const struct conflicts *c, const struct claim *claims)
{
	for (size_t i = 0; i < c->n; i++)
		if (claims[i].holds || claims[i].fields)
			return true;
	return false;
}

static void compare_value(struct conflicts *c, const struct tree *live, const struct tree *merged,
			  const struct claim *claims)
{
	for (size_t i = 0; i < c->n; i++)
		if (claims[i].holds && !tree_same(live, merged))
			note_add(c->out, "conflict: %s: taken over from %s", path_text(&c->path),
				 claims[i].manager);
}

static void compare_entries(struct conflicts *c, const struct tree *live, const struct tree *merged,
			    const struct schema_type *t, const struct claim *claims)
{
	tree_each(child, merged) {
		const char *key = tree_key(child);
		struct path_mark mark = path_key(&c->path, key);
		const struct schema_field *f;
		const struct schema_type *type = fieldset_entry(t, key, c->minor, &f);

		compare(c, tree_get(live, key), child, type, f,
			claims_at(c, claims, fieldset_key_element(key)));
		path_back(&c->path, mark);
	}
}

/* All items of one key, in order. */
static struct tree *alike(const struct tree *list, const char *const *elements, const char *element)
{
	struct tree *out = tree_new_list();
	size_t i = 0;

	tree_each(item, list)
		if (strcmp(elements[i++], element) == 0)
			tree_append(out, tree_copy(item));
	return out;
}

static void compare_items(struct conflicts *c, const struct tree *live, const struct tree *merged,
			  const struct schema_type *t, const struct schema_field *f, const struct claim *claims)
{
	size_t n = tree_len(merged), i = 0;
	const char **elements = fieldset_item_elements(merged, n, f), **keys = path_item_keys(merged, n, f);
	const char **had = fieldset_item_elements(live, tree_len(live), f);

	tree_each(item, merged) {
		struct path_mark mark = path_item(&c->path, keys[i], i);
		const struct claim *below = claims_at(c, claims, elements[i]);
		const struct tree *before = alike(live, had, elements[i]);
		const struct tree *after = alike(merged, elements, elements[i]);

		if (tree_len(before) > 1 || tree_len(after) > 1)
			compare_value(c, before, after, below);
		else
			compare(c, tree_first(before), item, t->elem, NULL, below);
		path_back(&c->path, mark);
		i++;
	}
}

static void compare(struct conflicts *c, const struct tree *live, const struct tree *merged,
		    const struct schema_type *t, const struct schema_field *f, const struct claim *claims)
{
	enum merge_shape shape = fieldset_shape(t, f);

	if (!anyone(c, claims))
		return;
	t = schema_value(t);
	if (shape == SHAPE_MAP && tree_kind(merged) == TREE_MAP)
		compare_entries(c, live, merged, t, claims);
	else if ((shape == SHAPE_KEYED || shape == SHAPE_SET) && tree_kind(merged) == TREE_LIST)
		compare_items(c, live, merged, t, f, claims);
	else
		compare_value(c, live, merged, claims);
}

void conflicts_note(struct notes *out, const struct tree *live, const struct tree *merged,
		    const struct schema_type *type, int minor, const struct owner *owners,
		    const char *manager)
{
	struct conflicts c = {.out = out, .minor = minor};
	struct claim *claims;
	size_t n = 0;

	for (const struct owner *o = owners; o; o = o->next)
		n++;
	claims = NEW_ARRAY(struct claim, n + 1);
	for (const struct owner *o = owners; o; o = o->next)
		if (strcmp(o->manager, manager) != 0)
			claims[c.n++] = (struct claim){o->manager, o->fields, false};
	compare(&c, live, merged, type, NULL, claims);
}
