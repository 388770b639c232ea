/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/writers.h"

#include <string.h>

#include "base/arena.h"
#include "value/json.h"
#include "value/pointer.h"

/*
 * managedFields spell a set of places as a tree of steps: `f:NAME` into a map, `k:{…}` to the list
 * item that has these keys, `v:…` to the item of this value, `i:N` by index, `.` for the place
 * itself. Where the steps end, all below is meant.
 */
static const struct tree *step_value(const char *step)
{
	struct error err;

	return json_parse(step + 2, strlen(step + 2), "managedFields", &err);
}

static bool item_matches(const char *step, const struct tree *item)
{
	const struct tree *wanted = step_value(step);

	if (*step == 'v')
		return wanted && tree_same(wanted, item);
	if (*step != 'k' || tree_kind(wanted) != TREE_MAP)
		return false;
	tree_each(key, wanted)
		if (!tree_same(key, tree_get(item, tree_key(key))))
			return false;
	return true;
}

static const struct tree *item_fields(const struct tree *fields, const struct tree *item,
				      const char *index)
{
	const struct tree *by_index = tree_get(fields, arena_printf("i:%s", index));

	if (by_index)
		return by_index;
	tree_each(step, fields)
		if (item_matches(tree_key(step), item))
			return step;
	return NULL;
}

/* Is the place, or one that it lies in as a whole, in the set? */
static bool covers(const struct tree *fields, const struct tree *value, const char *pointer)
{
	const char *token;

	while (fields && (token = pointer_next(&pointer))) {
		const struct tree *child = pointer_step(value, token);

		if (tree_len(fields) == 0)
			return true;
		fields = tree_kind(value) == TREE_LIST
				 ? item_fields(fields, child, token)
				 : tree_get(fields, arena_printf("f:%s", token));
		value = child;
	}
	return fields != NULL;
}

static const char *manager_of(const struct tree *entry)
{
	return tree_string_or(tree_get(entry, "manager"), "");
}

static bool is_flagger(const struct tree *entry)
{
	return strcmp(manager_of(entry), "flagger") == 0;
}

enum writer writer_of(const char **manager, const struct tree *primary, const char *pointer)
{
	const struct tree *entries = tree_path(primary, "metadata", "managedFields", NULL);
	enum writer writer = WRITER_NOBODY;

	if (tree_empty(entries))
		return WRITER_UNKNOWN;
	tree_each(entry, entries) {
		if (!covers(tree_get(entry, "fieldsV1"), primary, pointer))
			continue;
		if (is_flagger(entry))
			return WRITER_FLAGGER;
		*manager = manager_of(entry);
		writer = WRITER_OTHER;
	}
	return writer;
}

struct walk {
	const struct tree *primary;
	const char *manager;
	struct buffer pointer;
	writers_visit *visit;
	void *arg;
};

static void walk_fields(struct walk *w, const struct tree *fields, const struct tree *value);

static void walk_below(struct walk *w, const char *token, const struct tree *fields,
		       const struct tree *value)
{
	size_t mark = w->pointer.len;

	pointer_add(&w->pointer, token);
	walk_fields(w, fields, value);
	w->pointer.len = mark;
	w->pointer.data[mark] = '\0';
}

static void walk_item(struct walk *w, const char *step, const struct tree *fields,
		      const struct tree *list)
{
	size_t index = 0;

	tree_each(item, list) {
		if (item_matches(step, item)) {
			walk_below(w, arena_printf("%zu", index), fields, item);
			return;
		}
		index++;
	}
}

static void walk_fields(struct walk *w, const struct tree *fields, const struct tree *value)
{
	const char *other;

	if (!value)
		return;
	if (tree_len(fields) == 0 &&
	    writer_of(&other, w->primary, buffer_text(&w->pointer)) != WRITER_FLAGGER)
		w->visit(w->arg, arena_strdup(buffer_text(&w->pointer)), w->manager);
	tree_each(step, fields) {
		const char *name = tree_key(step);

		if (strncmp(name, "f:", 2) == 0)
			walk_below(w, name + 2, step, tree_get(value, name + 2));
		else if (strncmp(name, "i:", 2) == 0)
			walk_below(w, name + 2, step, pointer_step(value, name + 2));
		else if (strcmp(name, ".") != 0)
			walk_item(w, name, step, value);
	}
}

void writers_foreign(const struct tree *primary, writers_visit *visit, void *arg)
{
	struct walk w = {.primary = primary, .visit = visit, .arg = arg};

	buffer_str(&w.pointer, "/spec/template");
	tree_each(entry, tree_path(primary, "metadata", "managedFields", NULL)) {
		w.manager = manager_of(entry);
		if (!is_flagger(entry))
			walk_fields(&w, tree_path(entry, "fieldsV1", "f:spec", "f:template", NULL),
				    tree_path(primary, "spec", "template", NULL));
	}
}
