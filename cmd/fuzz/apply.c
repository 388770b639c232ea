/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any JSON pair as Git's and the live object: every applier applies it or says why not, twice over
 * gives the same, and what an apply made of an object differs from itself in nothing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/apply.h"
#include "k8s/diff.h"
#include "k8s/object.h"
#include "k8s/schema.h"
#include "value/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool repeated(const struct tree *list, const struct tree *item, const char *key)
{
	size_t n = 0;

	tree_each(other, list)
		n += tree_get(item, key) && tree_same(tree_get(other, key), tree_get(item, key));
	return n > 1 || !tree_get(item, key);
}

static bool lacks_key(const struct tree *item, const struct schema_field *list)
{
	for (size_t i = 0; i < 3 && list->keys[i]; i++)
		if (!tree_get(item, list->keys[i]) &&
		    !schema_field(list->type->elem, list->keys[i], schema_newest())->dflt)
			return true;
	return false;
}

/*
 * A patch can't tell items of one merge key apart: then a second apply may undo the first. For
 * server-side apply an item that lacks a part of its key is another one once that was decoded.
 */
static bool muddled(const struct tree *v, const struct schema_type *t, const struct schema_field *f,
		    bool patch)
{
	t = schema_value(t);
	if (!t)
		return false;
	tree_each(child, v) {
		const struct schema_field *below = NULL;

		if (t->kind == SCHEMA_STRUCT && tree_key(child))
			below = schema_field(t, tree_key(child), schema_newest());
		if (t->kind == SCHEMA_LIST && f && patch && f->patch_key && repeated(v, child, f->patch_key))
			return true;
		if (t->kind == SCHEMA_LIST && f && !patch && lacks_key(child, f))
			return true;
		if (muddled(child, below ? below->type : t->elem, below, patch))
			return true;
	}
	return false;
}

static bool has_empty(const struct tree *v)
{
	tree_each(child, v)
		if (has_empty(child))
			return true;
	return tree_empty(v);
}

static bool patches(const struct applier *applier)
{
	return applier->kind != APPLIER_SERVER_SIDE && applier->kind != APPLIER_REPLACE;
}

static bool patchable(const struct tree *object)
{
	return !muddled(object, schema_root(object_kind(object)), NULL, true);
}

/* The note of the last apply is a party to the next one. */
static bool noted_patchable(const struct tree *live)
{
	const char *note = object_annotation(live, "kubectl.kubernetes.io/last-applied-configuration");
	struct error err = {ERR_NONE, ""};

	return !note || patchable(json_parse(note, strlen(note), "note", &err));
}

/*
 * Does a second apply have to change nothing? Not with repeated keys in a patch, nor where {} and
 * null are owned (pruning takes them for what they held), nor for Helm, whose manifest is read off
 * the live object. The server does as much.
 */
static bool repeatable(const struct applier *applier, const struct tree *desired, const struct tree *live)
{
	if (applier->kind == APPLIER_HELM)
		return false;
	if (!patches(applier))
		return !has_empty(desired) && !muddled(desired, schema_root(object_kind(desired)), NULL, false);
	return patchable(desired) && patchable(live) && noted_patchable(live);
}

static void judge(const struct tree *desired, const struct tree *live, const struct applier *applier,
		  int minor)
{
	struct error err = {ERR_NONE, ""};
	struct notes warnings = {0};
	struct changes changes = {0}, none = {0}, foreign = {0};
	const struct tree *once = apply(desired, live, applier, minor, &warnings, &err), *twice;

	if (!once)
		return;
	diff_content(&changes, live, once);
	diff_notes(&warnings, live, once);
	diff_foreign(&foreign, desired, live, once);
	diff_content(&none, once, once);
	if (none.count)
		abort();
	if (!live || minor < schema_newest() || !repeatable(applier, desired, live) ||
	    !repeatable(applier, desired, once))
		return;
	twice = apply(desired, once, applier, minor, &warnings, &err);
	if (!twice)
		abort();
	diff_content(&none, once, twice);
	if (none.count)
		abort();
}

static void judge_all(const struct tree *desired, const struct tree *live)
{
	static const struct applier appliers[] = {
		{APPLIER_SERVER_SIDE, "argocd-controller", ""}, {APPLIER_SERVER_SIDE, "kustomize-controller", ""},
		{APPLIER_SERVER_SIDE, "kubectl", ""}, {APPLIER_REPLACE, NULL, ""}, {APPLIER_CLIENT_SIDE, NULL, ""},
		{APPLIER_HELM, NULL, ""}, {APPLIER_TWO_WAY, NULL, ""},
	};
	struct notes warnings = {0};
	struct applier found = applier_find(live, &warnings);

	for (size_t i = 0; i < sizeof(appliers) / sizeof(*appliers); i++) {
		judge(desired, live, &appliers[i], schema_newest());
		judge(desired, live, &appliers[i], 20);
	}
	judge(desired, NULL, &found, schema_newest());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {ERR_NONE, ""};
	const struct tree *t;

	tree_init();
	t = json_parse((const char *)data, size, "fuzz", &err);
	if (tree_kind(tree_get(t, "desired")) == TREE_MAP && tree_kind(tree_get(t, "live")) == TREE_MAP)
		judge_all(tree_get(t, "desired"), tree_get(t, "live"));
	arena_release();
	return 0;
}
