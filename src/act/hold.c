/* SPDX-License-Identifier: Apache-2.0 */
#include "act/hold.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

#define REASON_MAX 512

/* The annotations of a hold, and where each comes from. */
static const struct annotation {
	const char *key;
	size_t in_terms;
} annotations[] = {
	{"perch.dev/held-for", offsetof(struct hold_terms, held_for)},
	{"perch.dev/held-by", offsetof(struct hold_terms, by)},
	{"perch.dev/held-at", offsetof(struct hold_terms, at)},
	{"perch.dev/held-until", offsetof(struct hold_terms, until)},
	{"perch.dev/held-reason", offsetof(struct hold_terms, reason)},
};
#define ANNOTATIONS (sizeof(annotations) / sizeof(*annotations))
#define UNDO "perch.dev/undo"
#define ACCEPTED "perch.dev/accepted"
#define SHIP "perch.dev/ship"
#define ENDED "perch.dev/ended"

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

const struct tree *hold_entry(const struct tree *canary)
{
	tree_each(entry, tree_path(canary, "metadata", "managedFields", NULL)) {
		if (strcmp(tree_string_or(tree_get(entry, "manager"), ""), FIELD_MANAGER) == 0 &&
		    strcmp(tree_string_or(tree_get(entry, "operation"), ""), "Apply") == 0)
			return entry;
	}
	return NULL;
}

static const char *others_of(const struct tree *canary, const char *field)
{
	const struct tree *own = hold_entry(canary);
	struct buffer names = {0};

	tree_each(entry, tree_path(canary, "metadata", "managedFields", NULL)) {
		if (entry == own || !tree_path(entry, "fieldsV1", "f:spec", field, NULL))
			continue;
		buffer_printf(&names, "%s%s", names.len ? ", " : "",
			      tree_string_or(tree_get(entry, "manager"), "somebody"));
	}
	return buffer_text(&names);
}

/* Whoever took the annotations off a hold left a suspension that is nobody's to end. */
static bool is_unexplained(const struct tree *canary)
{
	const char *held_for = object_annotation(canary, annotations[0].key);

	return tree_path(hold_entry(canary), "fieldsV1", "f:spec", "f:suspend", NULL) && !(held_for && *held_for);
}

const char *hold_others(const struct tree *canary)
{
	const char *others = others_of(canary, "f:suspend");

	if (!is_unexplained(canary))
		return others;
	return arena_printf("perch (its annotations are gone)%s%s", *others ? ", " : "", others);
}

const struct tree *hold_leftovers(const struct canary *c)
{
	struct tree *keys = tree_new_list();

	for (size_t i = 0; i <= ANNOTATIONS && !c->held; i++) {
		const char *key = i < ANNOTATIONS ? annotations[i].key : UNDO;

		if (object_annotation(c->object, key))
			tree_append(keys, tree_new_string(key));
	}
	return keys;
}

const char *ship_others(const struct tree *canary)
{
	return others_of(canary, "f:skipAnalysis");
}

struct owned owned_read(const struct canary *c, struct hold_terms *terms)
{
	struct owned owned = {.accepted = or_null(c->accepted)};

	if (c->held) {
		*terms = (struct hold_terms){.held_for = c->held_for, .by = c->held_by, .at = c->held_at,
					     .until = or_null(c->held_until), .reason = c->held_reason};
		owned.hold = terms;
	}
	if (c->shipped)
		owned.ship = or_null(c->ship);
	owned.ended = owned_ended(c);
	return owned;
}

const char *owned_ended(const struct canary *c)
{
	return c->via ? tree_string(tree_path(c->via, "record", "ended", NULL)) : object_annotation(c->object, ENDED);
}

const char *hold_bounded(const char *text)
{
	return arena_strndup(text, utf8_cut(text, strlen(text), REASON_MAX));
}

static void put_string(struct tree *map, const char *key, const char *value)
{
	if (value)
		tree_put(map, key, tree_new_string(value));
}

static void put_hold(struct tree *map, const struct canary *c, const struct hold_terms *terms)
{
	for (size_t i = 0; i < ANNOTATIONS; i++) {
		const char *value = *(const char *const *)((const char *)terms + annotations[i].in_terms);

		put_string(map, annotations[i].key, value ? hold_bounded(value) : NULL);
	}
	put_string(map, UNDO, hold_undo(c));
}

static struct tree *owned_annotations(const struct canary *c, const struct owned *owned)
{
	struct tree *map = tree_new_map();

	if (owned->hold)
		put_hold(map, c, owned->hold);
	put_string(map, ACCEPTED, owned->accepted ? or_null(owned->accepted) : NULL);
	put_string(map, SHIP, owned->ship);
	put_string(map, ENDED, owned->ended);
	return map;
}

const struct tree *owned_object(const struct canary *c, const struct owned *owned)
{
	struct tree *object = tree_new_map(), *metadata = tree_new_map(), *spec = tree_new_map();
	const struct tree *read = tree_get(c->object, "metadata");
	struct tree *map = owned_annotations(c, owned);

	put_string(object, "apiVersion", "flagger.app/v1beta1");
	put_string(object, "kind", "Canary");
	put_string(metadata, "name", c->name);
	put_string(metadata, "namespace", c->namespace);
	put_string(metadata, "uid", tree_string(tree_get(read, "uid")));
	put_string(metadata, "resourceVersion", tree_string(tree_get(read, "resourceVersion")));
	if (!tree_empty(map))
		tree_put(metadata, "annotations", map);
	tree_put(object, "metadata", metadata);
	if (owned->hold)
		tree_put(spec, "suspend", tree_new_bool(true));
	if (owned->ship)
		tree_put(spec, "skipAnalysis", tree_new_bool(true));
	if (!tree_empty(spec))
		tree_put(object, "spec", spec);
	return object;
}

const char *hold_undo(const struct canary *c)
{
	struct tree *patch = tree_new_map(), *metadata = tree_new_map(), *spec = tree_new_map();
	struct tree *map = tree_new_map();
	struct buffer text = {0};

	for (size_t i = 0; i < ANNOTATIONS; i++)
		tree_put(map, annotations[i].key, tree_new_null());
	tree_put(map, UNDO, tree_new_null());
	tree_put(metadata, "annotations", map);
	tree_put(spec, "suspend", tree_new_null());
	tree_put(patch, "metadata", metadata);
	tree_put(patch, "spec", spec);
	buffer_printf(&text, "kubectl -n %s patch canaries.flagger.app %s --type=merge -p '", c->namespace,
		      c->name);
	tree_print(&text, patch, 0);
	buffer_printf(&text, "' && echo 'Flagger looks at %s/%s again within its interval, and analyses it if "
			     "its hash has moved'", c->namespace, c->name);
	return buffer_text(&text);
}
