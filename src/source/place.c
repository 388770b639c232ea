/* SPDX-License-Identifier: Apache-2.0 */
#include "source/place.h"

#include <string.h>

#include "k8s/path.h"
#include "k8s/schema.h"

/* Does the path begin with this text and then end or take another step? How far, or 0. */
static size_t begins(const char *path, const char *text)
{
	size_t len = strlen(text);

	return strncmp(path, text, len) == 0 && strchr(".[", path[len]) ? len : 0;
}

static const struct schema_field *list_field(const struct schema_type *type, const char *key)
{
	return type ? schema_field(type, key, schema_newest()) : NULL;
}

struct step {
	const struct tree *node;
	const struct schema_field *field; /* that holds the node, NULL beyond the schema */
	const struct schema_type *type;   /* of the node */
};

/* One step down the path; false where the object goes no further. */
static bool step_down(struct step *s, struct path *at, const char *path)
{
	const struct tree *node = s->node;
	const char **keys = NULL;
	size_t i = 0;

	if (tree_kind(node) == TREE_LIST)
		keys = path_item_keys(node, tree_len(node), s->field);
	else if (tree_kind(node) != TREE_MAP)
		return false;
	tree_each(child, node) {
		struct path_mark back = keys ? path_item(at, keys[i], i) : path_key(at, tree_key(child));

		if (begins(path, buffer_text(&at->text))) {
			s->field = keys ? NULL : list_field(s->type, tree_key(child));
			s->type = s->field ? s->field->type : keys && s->type ? s->type->elem : NULL;
			s->type = schema_value(s->type);
			s->node = child;
			return true;
		}
		path_back(at, back);
		i++;
	}
	return false;
}

const char *place_of_path(const struct tree *object, enum object_kind kind, const char *path)
{
	struct step s = {object, NULL, schema_root(kind)};
	struct path at = {0};

	while (strlen(path) > at.text.len && step_down(&s, &at, path))
		;
	return path_pointer(&at);
}

static bool find_node(struct path *at, const struct tree *in, const struct tree *node)
{
	size_t i = 0;

	if (in == node)
		return true;
	tree_each(child, in) {
		struct path_mark back = tree_kind(in) == TREE_LIST ? path_item(at, NULL, i) :
								     path_key(at, tree_key(child));

		if (find_node(at, child, node))
			return true;
		path_back(at, back);
		i++;
	}
	return false;
}

const char *place_of_node(const struct tree *object, const struct tree *node)
{
	struct path at = {0};

	return find_node(&at, object, node) ? path_pointer(&at) : NULL;
}
