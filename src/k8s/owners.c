/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/owners.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/flux.h"
#include "k8s/object.h"
#include "k8s/schema.h"
#include "value/pointer.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"
#define MAX_NAMED 8

struct owner *owners_read(const struct tree *object)
{
	struct owner *first = NULL, **end = &first;

	tree_each(entry, tree_path(object, "metadata", "managedFields", NULL)) {
		struct owner *o;

		if (*tree_string_or(tree_get(entry, "subresource"), ""))
			continue;
		o = NEW(struct owner);
		o->manager = tree_string_or(tree_get(entry, "manager"), "");
		o->apply = strcmp(tree_string_or(tree_get(entry, "operation"), ""), "Apply") == 0;
		o->time = tree_string_or(tree_get(entry, "time"), "");
		o->fields = fieldset_read(tree_get(entry, "fieldsV1"), &o->garbled);
		*end = o;
		end = &o->next;
	}
	return first;
}

/* Of a kind that has no schema: every step is a key. */
static const char **plain_elements(const char *pointer)
{
	const char **elements = NEW_ARRAY(const char *, strlen(pointer) + 2);
	const char *token;

	for (size_t n = 0; (token = pointer_next(&pointer)); n++)
		elements[n] = fieldset_key_element(token);
	return elements;
}

/* The path elements of a place, NULL-terminated, as far as server-side apply tells values apart. */
static const char **elements_of(const struct tree *object, const char *pointer)
{
	const struct schema_type *t = schema_root(object_kind(object));
	const char **elements = NEW_ARRAY(const char *, strlen(pointer) + 2);
	const struct schema_field *f = NULL;
	const char *token;

	if (!t)
		return plain_elements(pointer);
	for (size_t n = 0; t && (token = pointer_next(&pointer)); n++) {
		enum merge_shape shape = fieldset_shape(t, f);

		if (shape == SHAPE_SCALAR || shape == SHAPE_ATOMIC)
			break;
		object = pointer_step(object, token);
		if (shape == SHAPE_MAP) {
			elements[n] = fieldset_key_element(token);
			t = fieldset_entry(t, token, schema_newest(), &f);
			continue;
		}
		elements[n] = object ? fieldset_item_element(object, f) : NULL;
		if (!elements[n])
			break;
		t = schema_value(t)->elem;
		f = NULL;
	}
	return elements;
}

/*
 * Owned itself or in part. What is owned as one ends the elements, so a map that is a member without
 * children is but the map: its last entry has gone to somebody else.
 */
static bool owns(const struct fieldset *set, const char *const *elements)
{
	bool member = false;

	for (; *elements; elements++) {
		const struct fieldset *at = fieldset_find(set, *elements);

		if (!at)
			return false;
		member = at->member;
		set = at->children;
	}
	return member || set;
}

static int newest_first(const void *a, const void *b)
{
	const struct owner *const *x = a, *const *y = b;

	return strcmp((*y)->time, (*x)->time);
}

size_t owners_at(const struct owner **out, size_t max, const struct owner *list,
		 const struct tree *object, const char *pointer)
{
	const char **elements = elements_of(object, pointer);
	const struct owner **all;
	size_t n = 0;

	for (const struct owner *o = list; o; o = o->next)
		n++;
	all = NEW_ARRAY(const struct owner *, n + 1);
	n = 0;
	for (; list; list = list->next)
		if (owns(list->fields, elements))
			all[n++] = list;
	if (n > 1)
		qsort(all, n, sizeof(*all), newest_first);
	for (size_t i = 0; i < n && i < max; i++)
		out[i] = all[i];
	return n;
}

const char *owners_names(const struct owner *list, const struct tree *object, const char *pointer)
{
	const struct owner *owners[MAX_NAMED];
	size_t n = owners_at(owners, MAX_NAMED, list, object, pointer);
	struct buffer b = {0};

	for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
		bool said = false;

		for (size_t j = 0; j < i; j++)
			said |= strcmp(owners[j]->manager, owners[i]->manager) == 0;
		if (!said)
			buffer_printf(&b, "%s%s", b.len ? " and " : "", owners[i]->manager);
	}
	return buffer_text(&b);
}

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool wrote_last_applied(const struct owner *o)
{
	const char *elements[] = {"f:metadata", "f:annotations", "f:" LAST_APPLIED, NULL};

	return owns(o->fields, elements);
}

/* Does the applier take this entry over before it applies? */
static bool folded(const struct owner *o, const char *manager, bool flux)
{
	if (o->apply && strcmp(o->manager, manager) == 0)
		return true;
	if (flux)
		return starts(o->manager, "kubectl") ||
		       (!o->apply && (flux_applies(o->manager) || starts(o->manager, "before-first-apply")));
	return strcmp(manager, "kubectl") == 0 && !o->apply && wrote_last_applied(o);
}

struct fieldset *owners_applied(const struct owner *list, const char *manager,
				const struct tree *desired, const struct tree *live,
				struct fieldset **others)
{
	bool flux = flux_applies(manager) && !flux_merges(desired, live);
	struct fieldset *mine = NULL;

	*others = NULL;
	for (; list; list = list->next) {
		if (folded(list, manager, flux))
			mine = fieldset_union(mine, list->fields);
		else
			*others = fieldset_union(*others, list->fields);
	}
	return mine;
}
