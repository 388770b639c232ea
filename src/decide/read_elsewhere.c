/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/read_elsewhere.h"

#include <string.h>

#include "base/arena.h"

/* A key of template metadata: its map ("labels", "annotations") and itself; "" is the whole map. */
struct metadata_key {
	const char *map, *key;
};

static bool metadata_key(struct metadata_key *out, const struct change *c)
{
	static const char prefix[] = "spec.template.metadata.";
	const char *at = c->path, *end;

	if (strncmp(at, prefix, strlen(prefix)) != 0)
		return false;
	at += strlen(prefix);
	end = at + strcspn(at, ".[");
	out->map = arena_strndup(at, (size_t)(end - at));
	out->key = *end == '[' ? arena_strndup(end + 1, strlen(end + 1) - 1) : *end ? end + 1 : "";
	return true;
}

/* fieldPath is `metadata.labels` (the whole map) or `metadata.labels['KEY']`. */
static bool field_path_reads(const char *path, const struct metadata_key *k)
{
	const char *whole = arena_printf("metadata.%s", k->map);
	size_t n = strlen(whole);

	if (strncmp(path, whole, n) != 0)
		return false;
	return !path[n] || !*k->key ||
	       strcmp(path + n, arena_printf("['%s']", k->key)) == 0 ||
	       strcmp(path + n, arena_printf("[\"%s\"]", k->key)) == 0;
}

static bool selector_reads(const struct tree *selector, const struct metadata_key *k)
{
	tree_each(label, tree_get(selector, "matchLabels"))
		if (!*k->key || strcmp(tree_key(label), k->key) == 0)
			return true;
	tree_each(e, tree_get(selector, "matchExpressions"))
		if (!*k->key || strcmp(tree_string_or(tree_get(e, "key"), ""), k->key) == 0)
			return true;
	return false;
}

static bool list_names(const struct tree *list, const struct metadata_key *k)
{
	tree_each(item, list)
		if (!*k->key || strcmp(tree_string_or(item, ""), k->key) == 0)
			return true;
	return false;
}

/* Everything under the template that reads metadata does so under one of these names. */
static const char *reader(const struct tree *t, const struct metadata_key *k)
{
	const char *found = NULL;

	tree_each(child, t) {
		const char *key = tree_key(child) ? tree_key(child) : "";
		bool labels = strcmp(k->map, "labels") == 0;

		if (strcmp(key, "fieldPath") == 0 && field_path_reads(tree_string_or(child, ""), k))
			return "a fieldRef";
		if (labels && strcmp(key, "labelSelector") == 0 && selector_reads(child, k))
			return "a label selector";
		if (labels && (strcmp(key, "matchLabelKeys") == 0 || strcmp(key, "mismatchLabelKeys") == 0) &&
		    list_names(child, k))
			return key;
		found = reader(child, k);
		if (found)
			return found;
	}
	return NULL;
}

const char *read_elsewhere(const struct change *change, const struct tree *target)
{
	struct metadata_key k;

	if (!metadata_key(&k, change))
		return NULL;
	if (strcmp(k.map, "labels") == 0 && selector_reads(tree_path(target, "spec", "selector", NULL), &k))
		return "the workload's selector";
	return reader(tree_path(target, "spec", "template", "spec", NULL), &k);
}
