/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/plain_diff.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/checksum.h"
#include "k8s/object.h"
#include "k8s/path.h"
#include "value/base64.h"

#define DUMPED_CHECKSUM "perch.dev/data-checksum"

static bool left_out(const char *path)
{
	static const char *const places[] = {
		"status", "metadata.managedFields", "metadata.uid", "metadata.resourceVersion",
		"metadata.generation", "metadata.creationTimestamp", "metadata.selfLink",
		"metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (strcmp(path, places[i]) == 0)
			return true;
	return false;
}

static void emit(struct changes *out, const struct path *at, const struct tree *a, const struct tree *b)
{
	struct change *c;

	if (left_out(buffer_text(&at->text)))
		return;
	c = NEW(struct change);
	c->path = path_text(at);
	c->pointer = path_pointer(at);
	c->op = !a ? CHANGE_ADD : !b ? CHANGE_REMOVE : CHANGE_REPLACE;
	c->old_value = a;
	c->new_value = b;
	c->class = change_classify(c);
	changes_add(out, c);
}

static void walk(struct changes *out, struct path *at, const struct tree *a, const struct tree *b);

static void walk_map(struct changes *out, struct path *at, const struct tree *a, const struct tree *b)
{
	tree_each(child, a) {
		struct path_mark back = path_key(at, tree_key(child));

		walk(out, at, child, tree_get(b, tree_key(child)));
		path_back(at, back);
	}
	tree_each(child, b) {
		struct path_mark back;

		if (tree_get(a, tree_key(child)))
			continue;
		back = path_key(at, tree_key(child));
		walk(out, at, NULL, child);
		path_back(at, back);
	}
}

static void walk_list(struct changes *out, struct path *at, const struct tree *a, const struct tree *b)
{
	const struct tree *x = tree_first(a), *y = tree_first(b);

	for (size_t i = 0; x || y; i++) {
		struct path_mark back = path_item(at, NULL, i);

		walk(out, at, x, y);
		path_back(at, back);
		x = x ? tree_next(x) : NULL;
		y = y ? tree_next(y) : NULL;
	}
}

static void walk(struct changes *out, struct path *at, const struct tree *a, const struct tree *b)
{
	enum tree_kind kind = tree_kind(a);

	if (a && b && tree_same(a, b))
		return;
	if (a && b && kind == tree_kind(b) && kind == TREE_MAP)
		walk_map(out, at, a, b);
	else if (a && b && kind == tree_kind(b) && kind == TREE_LIST)
		walk_list(out, at, a, b);
	else
		emit(out, at, a, b);
}

static bool is_config(const struct tree *object)
{
	enum object_kind kind = object_kind(object);

	return kind == KIND_CONFIGMAP || kind == KIND_SECRET;
}

void plain_diff(struct changes *out, const struct tree *old_object, const struct tree *new_object)
{
	walk(out, &(struct path){0}, old_object, new_object);
	if (!is_config(new_object))
		return;
	change_each(c, out)
		if (strncmp(c->path, "metadata", 8) != 0)
			c->class = CLASS_CONFIG;
}

/* data with stringData folded over it, as text that compares. */
static const struct tree *folded_data(const struct tree *object)
{
	struct tree *data = tree_copy(tree_get(object, "data"));

	if (tree_kind(data) != TREE_MAP)
		data = tree_new_map();
	tree_each(entry, tree_get(object, "stringData")) {
		const char *text = tree_string_or(entry, "");

		tree_put(data, tree_key(entry), tree_new_string(base64_encode(text, strlen(text))));
	}
	return data;
}

static void diff_map(struct changes *out, struct changes *left_over, const char *name,
		     const struct tree *a, const struct tree *b)
{
	struct path at = {0};

	path_key(&at, name);
	tree_each(child, a) {
		const struct tree *now = tree_get(b, tree_key(child));
		struct path_mark back = path_key(&at, tree_key(child));

		if (!now && left_over)
			emit(left_over, &at, child, child);
		else if (!now || !tree_same(child, now))
			emit(out, &at, child, now);
		path_back(&at, back);
	}
	tree_each(child, b) {
		struct path_mark back = path_key(&at, tree_key(child));

		if (!tree_get(a, tree_key(child)))
			emit(out, &at, NULL, child);
		path_back(&at, back);
	}
}

/* The dump has no data to compare, only what Flagger compares. */
static void diff_checksum(struct changes *out, const char *stored, const struct tree *new_object)
{
	char sum[CHECKSUM_SIZE];
	struct error ignored;
	struct path at = {0};

	if (config_checksum(sum, new_object, &ignored) == 0 && strcmp(sum, stored) == 0)
		return;
	path_key(&at, "data");
	emit(out, &at, NULL, NULL);
	out->last->op = CHANGE_REPLACE;
}

static void set_class(struct changes *list)
{
	change_each(c, list)
		c->class = CLASS_CONFIG;
}

void config_diff(struct changes *out, struct changes *left_over, const struct tree *old_object,
		 const struct tree *new_object)
{
	const char *stored = object_annotation(old_object, DUMPED_CHECKSUM);

	if (stored && !tree_get(old_object, "data")) {
		diff_checksum(out, stored, new_object);
	} else {
		diff_map(out, left_over, "data", folded_data(old_object), folded_data(new_object));
		diff_map(out, left_over, "binaryData", tree_get(old_object, "binaryData"),
			 tree_get(new_object, "binaryData"));
	}
	set_class(out);
	if (left_over)
		set_class(left_over);
}
