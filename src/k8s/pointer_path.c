/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/pointer_path.h"

#include <stdlib.h>

#include "k8s/path.h"
#include "k8s/schema.h"
#include "value/pointer.h"

/* Fields that only other minors have are spelled alike. */
static const struct schema_field *any_field(const struct schema_type *type, const char *json)
{
	for (int minor = schema_previous_minor(0); minor; minor = schema_previous_minor(minor)) {
		const struct schema_field *field = schema_field(type, json, minor);

		if (field)
			return field;
	}
	return NULL;
}

static const char *item_key(const struct tree *list, size_t index, const struct schema_field *field)
{
	size_t n = tree_len(list);

	return field && index < n ? path_item_keys(list, n, field)[index] : NULL;
}

const char *pointer_path(const struct tree *object, enum object_kind kind, const char *pointer)
{
	const struct schema_type *type = schema_value(schema_root(kind));
	const struct schema_field *field = NULL;
	struct path path = {0};
	const char *token;

	while ((token = pointer_next(&pointer))) {
		if (tree_kind(object) == TREE_LIST) {
			size_t index = strtoul(token, NULL, 10);

			path_item(&path, item_key(object, index, field), index);
			type = schema_value(type ? type->elem : NULL);
		} else {
			path_key(&path, token);
			field = any_field(type, token);
			type = schema_value(field ? field->type : type ? type->elem : NULL);
		}
		object = pointer_step(object, token);
	}
	return path_text(&path);
}
