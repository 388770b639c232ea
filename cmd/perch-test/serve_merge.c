/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "act/hold.h"
#include "k8s/fieldset.h"
#include "k8s/object.h"
#include "k8s/schema.h"
#include "perch-test/command.h"
#include "perch-test/serve.h"
#include "value/json.h"

/* RFC 7386. */
static void merge(struct tree *into, const struct tree *patch)
{
	tree_each(value, patch) {
		struct tree *there = tree_get_mutable(into, tree_key(value));

		if (tree_kind(value) == TREE_NULL)
			tree_remove(into, tree_key(value));
		else if (tree_kind(value) == TREE_MAP && tree_kind(there) == TREE_MAP)
			merge(there, value);
		else
			tree_put(into, tree_key(value), tree_copy(value));
	}
}

/* What an applier leaves out it gives up: here what perch owns, its annotations and its two switches. */
static void give_up(struct tree *object)
{
	struct tree *metadata = tree_get_mutable(object, "metadata"), *spec = tree_get_mutable(object, "spec");
	const struct tree *fields = tree_get(hold_entry(object), "fieldsV1");

	tree_each(field, tree_path(fields, "f:metadata", "f:annotations", NULL))
		tree_remove(tree_get_mutable(metadata, "annotations"), tree_key(field) + 2);
	tree_each(field, tree_get(fields, "f:spec"))
		tree_remove(spec, tree_key(field) + 2);
}

static void own(struct tree *object, const struct tree *body)
{
	struct tree *metadata = tree_get_mutable(object, "metadata"), *entries = tree_new_list();
	struct tree *sent = tree_copy(body), *entry = tree_new_map();
	const struct tree *before = hold_entry(object);

	tree_each(e, tree_get(metadata, "managedFields"))
		if (e != before)
			tree_append(entries, tree_copy(e));
	tree_remove(tree_get_mutable(sent, "metadata"), "uid");
	tree_remove(tree_get_mutable(sent, "metadata"), "resourceVersion");
	tree_put(entry, "manager", tree_new_string(FIELD_MANAGER));
	tree_put(entry, "operation", tree_new_string("Apply"));
	tree_put(entry, "apiVersion", tree_new_string("flagger.app/v1beta1"));
	tree_put(entry, "fieldsV1", fieldset_write(fieldset_of(sent, NULL, schema_newest())));
	tree_append(entries, entry);
	tree_put(metadata, "managedFields", entries);
}

const char *serve_merged(const char *stored, size_t stored_len, const char *type, const char *body, size_t body_len)
{
	struct error err = {0};
	const struct tree *read = json_parse(stored, stored_len, "the stored object", &err);
	const struct tree *patch = read ? json_parse(body, body_len, "the request", &err) : NULL;
	struct tree *object = tree_copy(read);
	bool applied = strstr(type, "apply-patch") != NULL;
	struct buffer out = {0};

	if (!patch)
		return exchange_status(400, err.text);
	if (applied)
		give_up(object);
	merge(object, patch);
	if (applied)
		own(object, patch);
	tree_print(&out, object, 0);
	return buffer_text(&out);
}
