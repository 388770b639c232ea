/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/hold.h"
#include "base/arena.h"
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

/* What an applier leaves out it gives up: here what perch owns, its annotations and two switches, or data. */
static void give_up(struct tree *object)
{
	struct tree *metadata = tree_get_mutable(object, "metadata"), *spec = tree_get_mutable(object, "spec");
	struct tree *data = tree_get_mutable(object, "data");
	const struct tree *fields = tree_get(hold_entry(object), "fieldsV1");

	tree_each(field, tree_path(fields, "f:metadata", "f:annotations", NULL))
		tree_remove(tree_get_mutable(metadata, "annotations"), tree_key(field) + 2);
	tree_each(field, tree_get(fields, "f:spec"))
		tree_remove(spec, tree_key(field) + 2);
	tree_each(field, tree_get(fields, "f:data"))
		tree_remove(data, tree_key(field) + 2);
}

static void add_fields(struct tree *fields, const struct tree *sent)
{
	tree_each(value, sent)
		tree_put(fields, arena_printf("f:%s", tree_key(value)), tree_new_map());
}

/* perch sends annotations and switches, or data, no more. */
static struct tree *fields_of(const struct tree *body)
{
	struct tree *fields = tree_new_map(), *metadata = tree_new_map(), *annotations = tree_new_map();
	struct tree *spec = tree_new_map(), *data = tree_new_map();

	add_fields(annotations, tree_path(body, "metadata", "annotations", NULL));
	add_fields(spec, tree_get(body, "spec"));
	tree_put(metadata, "f:annotations", annotations);
	tree_put(fields, "f:metadata", metadata);
	tree_put(fields, "f:spec", spec);
	add_fields(data, tree_get(body, "data"));
	tree_put(fields, "f:data", data);
	return fields;
}

static void own(struct tree *object, const struct tree *body)
{
	struct tree *metadata = tree_get_mutable(object, "metadata"), *entries = tree_new_list();
	const struct tree *before = hold_entry(object);
	struct tree *entry = tree_new_map();

	tree_each(e, tree_get(metadata, "managedFields"))
		if (e != before)
			tree_append(entries, tree_copy(e));
	tree_put(entry, "manager", tree_new_string(FIELD_MANAGER));
	tree_put(entry, "operation", tree_new_string("Apply"));
	tree_put(entry, "apiVersion", tree_new_string("flagger.app/v1beta1"));
	tree_put(entry, "fieldsV1", fields_of(body));
	tree_append(entries, entry);
	tree_put(metadata, "managedFields", entries);
}

static bool is_another(const struct tree *object, const struct tree *patch)
{
	const struct tree *now = tree_path(object, "metadata", "resourceVersion", NULL);
	const struct tree *meant = tree_path(patch, "metadata", "resourceVersion", NULL);

	return meant && !tree_same(now, meant);
}

static void step(struct tree *object)
{
	struct tree *metadata = tree_get_mutable(object, "metadata");
	long now = strtol(tree_string_or(tree_get(metadata, "resourceVersion"), "0"), NULL, 10);

	tree_put(metadata, "resourceVersion", tree_new_string(arena_printf("%ld", now + 1)));
}

static void store(const char *file, const struct buffer *text)
{
	FILE *f = fopen(file, "we");

	if (!f || fwrite(text->data, 1, text->len, f) != text->len || fclose(f) != 0)
		perror("✗ can't store");
}

int serve_merge(const char **answer, const char *file, const char *type, const char *body, size_t body_len, bool dry)
{
	struct error err = {0};
	size_t len;
	const char *text = test_read(file, &len);
	const struct tree *read = json_parse(text, len, file, &err), *patch = NULL;
	struct tree *object = tree_copy(read);
	bool applied = strstr(type, "apply-patch") != NULL;
	struct buffer out = {0};

	*answer = text;
	if (!body_len)
		return 200;
	patch = read ? json_parse(body, body_len, "the request", &err) : NULL;
	if (!patch || is_another(object, patch)) {
		*answer = exchange_status(patch ? 409 : 400, patch ? "the object has been modified" : err.text);
		return patch ? 409 : 400;
	}
	if (applied)
		give_up(object);
	merge(object, patch);
	if (applied)
		own(object, patch);
	step(object);
	tree_print(&out, object, 0);
	buffer_char(&out, '\n');
	*answer = buffer_text(&out);
	if (!dry)
		store(file, &out);
	return 200;
}
