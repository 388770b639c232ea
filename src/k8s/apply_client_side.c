/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "k8s/appliers.h"
#include "k8s/object.h"
#include "value/json.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"

/* What kubectl applied last time, by its own note; NULL where there is none to read. */
static const struct tree *last_applied(const struct application *a)
{
	const char *text = object_annotation(a->live, LAST_APPLIED);
	const struct tree *t;
	struct error err;

	if (!text) {
		note_add(a->warnings, "last-applied: the live object has no such annotation, nothing is removed");
		return NULL;
	}
	t = json_parse(text, strlen(text), "last-applied-configuration", &err);
	if (t && tree_kind(t) == TREE_MAP)
		return t;
	note_add(a->warnings, "last-applied: the annotation can't be read, nothing is removed");
	return NULL;
}

/* A name that Git leaves to the command line is not to be deleted. */
static const struct tree *without_name(const struct tree *original)
{
	struct tree *copy = tree_copy(original), *meta = tree_get_mutable(copy, "metadata");

	if (tree_kind(meta) == TREE_MAP) {
		tree_remove(meta, "name");
		tree_remove(meta, "namespace");
	}
	tree_remove(copy, "status");
	return copy;
}

const struct tree *apply_client_side(const struct application *a, struct error *err)
{
	const struct tree *original = a->live ? last_applied(a) : NULL;

	return apply_patched(a, original ? without_name(original) : NULL, err);
}
