/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/fieldset.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum merge_shape fieldset_shape(const struct schema_type *type, const struct schema_field *field)
{
	unsigned flags = field ? field->flags : 0;

	type = schema_value(type);
	if (!type)
		return SHAPE_ATOMIC;
	switch (type->kind) {
	case SCHEMA_STRUCT:
		return (flags | type->flags) & SCHEMA_ATOMIC ? SHAPE_ATOMIC : SHAPE_MAP;
	case SCHEMA_MAP:
		return flags & SCHEMA_ATOMIC ? SHAPE_ATOMIC : SHAPE_MAP;
	case SCHEMA_LIST:
		return flags & SCHEMA_KEYED ? SHAPE_KEYED : flags & SCHEMA_SET ? SHAPE_SET : SHAPE_ATOMIC;
	default:
		return SHAPE_SCALAR;
	}
}

const struct schema_type *fieldset_entry(const struct schema_type *type, const char *key, int minor,
					 const struct schema_field **field)
{
	type = schema_value(type);
	*field = NULL;
	if (!type || type->kind != SCHEMA_STRUCT)
		return type ? type->elem : NULL;
	*field = schema_field(type, key, minor);
	return *field ? (*field)->type : NULL;
}

const char *fieldset_key_element(const char *key)
{
	return arena_printf("f:%s", key);
}

static void add_key(struct tree *keys, const struct tree *item, const struct schema_field *list,
		    const char *key)
{
	const struct tree *value = tree_get(item, key);
	const struct schema_field *f;
	int64_t n;

	if (tree_int64(value, &n)) {
		tree_put(keys, key, tree_new_int(n));
	} else if (value) {
		tree_put(keys, key, tree_copy(value));
	} else {
		f = schema_field(list->type->elem, key, schema_newest());
		if (f && f->dflt)
			tree_put(keys, key, tree_new_string(arena_strndup(f->dflt + 1, strlen(f->dflt) - 2)));
		else if (f && f->flags & SCHEMA_OMITEMPTY) /* its default is "" */
			tree_put(keys, key, tree_new_string(""));
	}
}

const char *fieldset_item_element(const struct tree *item, const struct schema_field *list)
{
	struct buffer b = {0};
	struct tree *keys;

	if (list->flags & SCHEMA_SET) {
		buffer_str(&b, "v:");
		tree_print_canonical(&b, item);
		return buffer_text(&b);
	}
	if (tree_kind(item) != TREE_MAP)
		return NULL;
	keys = tree_new_map();
	for (size_t i = 0; i < 3 && list->keys[i]; i++)
		add_key(keys, item, list, list->keys[i]);
	if (tree_empty(keys))
		return NULL;
	buffer_str(&b, "k:");
	tree_print_canonical(&b, keys);
	return buffer_text(&b);
}

static struct fieldset *node(const char *element, bool member, struct fieldset *children)
{
	struct fieldset *s = NEW(struct fieldset);

	s->element = element;
	s->member = member;
	s->children = children;
	return s;
}

/* A set under construction: siblings in any order. */
struct siblings {
	struct fieldset **at;
	size_t n, cap;
};

static void push(struct siblings *list, struct fieldset *s)
{
	if (list->n == list->cap) {
		size_t cap = list->cap ? list->cap * 2 : 8;

		list->at = arena_grow(list->at, list->cap * sizeof(*list->at), cap * sizeof(*list->at));
		list->cap = cap;
	}
	list->at[list->n++] = s;
}

static int by_element(const void *a, const void *b)
{
	const struct fieldset *const *x = a, *const *y = b;

	return strcmp((*x)->element, (*y)->element);
}

/* Sorted and chained; of nodes with one element the union. */
static struct fieldset *chain(struct siblings *list)
{
	struct fieldset *first = NULL, **end = &first, *last = NULL;

	if (list->n)
		qsort(list->at, list->n, sizeof(*list->at), by_element);
	for (size_t i = 0; i < list->n; i++) {
		struct fieldset *s = list->at[i];

		if (last && strcmp(last->element, s->element) == 0) {
			last->member |= s->member;
			last->children = fieldset_union(last->children, s->children);
			continue;
		}
		*end = last = s;
		end = &s->next;
		s->next = NULL;
	}
	return first;
}

/* f:name, k:{keys}, v:value or i:index. */
static bool is_element(const char *text)
{
	return *text && strchr("fkvi", *text) && text[1] == ':';
}

struct fieldset *fieldset_read(const struct tree *fields_v1, bool *garbled)
{
	struct siblings list = {0};

	if (tree_kind(fields_v1) != TREE_MAP) {
		*garbled |= fields_v1 != NULL;
		return NULL;
	}
	tree_each(child, fields_v1) {
		const char *element = tree_key(child);

		if (strcmp(element, ".") == 0)
			continue;
		if (is_element(element) && tree_kind(child) == TREE_MAP)
			push(&list, node(element, tree_empty(child) || tree_get(child, "."),
					 fieldset_read(child, garbled)));
		else
			*garbled = true;
	}
	return chain(&list);
}

struct tree *fieldset_write(const struct fieldset *set)
{
	struct tree *out = tree_new_map();

	for (; set; set = set->next) {
		struct tree *below = fieldset_write(set->children);

		if (set->member && set->children)
			tree_add(below, ".", tree_new_map());
		tree_add(out, set->element, below);
	}
	return out;
}

static struct fieldset *collect(const struct tree *v, const struct schema_type *t,
				const struct schema_field *f, int minor, bool *leaf);

static struct fieldset *collect_entries(const struct tree *v, const struct schema_type *t, int minor)
{
	struct siblings list = {0};

	tree_each(child, v) {
		const struct schema_field *f;
		const struct schema_type *type = fieldset_entry(t, tree_key(child), minor, &f);
		bool leaf;
		struct fieldset *below = collect(child, type, f, minor, &leaf);
		bool member = leaf || !f || tree_kind(child) == TREE_NULL ||
			      (tree_kind(child) == TREE_MAP && tree_empty(child));

		if (member || below)
			push(&list, node(fieldset_key_element(tree_key(child)), member, below));
	}
	return chain(&list);
}

bool fieldset_repeated(const char *const *elements, size_t n, size_t i)
{
	for (size_t j = 0; j < n; j++)
		if (j != i && strcmp(elements[j], elements[i]) == 0)
			return true;
	return false;
}

const char **fieldset_item_elements(const struct tree *list, size_t n, const struct schema_field *f)
{
	const char **elements = NEW_ARRAY(const char *, n + 1);
	size_t i = 0;

	tree_each(item, list) {
		const char *element = fieldset_item_element(item, f);

		elements[i++] = element ? element : "";
	}
	return elements;
}

static struct fieldset *collect_items(const struct tree *v, const struct schema_type *t,
				      const struct schema_field *f, int minor)
{
	size_t n = tree_len(v), i = 0;
	const char **elements = fieldset_item_elements(v, n, f);
	struct siblings list = {0};

	tree_each(item, v) {
		bool leaf;

		if (*elements[i]) /* items of one key are owned whole */
			push(&list, node(elements[i], true, fieldset_repeated(elements, n, i)
								    ? NULL
								    : collect(item, t->elem, NULL, minor, &leaf)));
		i++;
	}
	return chain(&list);
}

/* What lies below a value; *leaf: the value itself is owned as one. */
static struct fieldset *collect(const struct tree *v, const struct schema_type *t,
				const struct schema_field *f, int minor, bool *leaf)
{
	enum merge_shape shape = fieldset_shape(t, f);

	t = schema_value(t);
	*leaf = shape == SHAPE_SCALAR || shape == SHAPE_ATOMIC;
	if (shape == SHAPE_MAP && tree_kind(v) == TREE_MAP)
		return collect_entries(v, t, minor);
	if ((shape == SHAPE_KEYED || shape == SHAPE_SET) && tree_kind(v) == TREE_LIST)
		return collect_items(v, t, f, minor);
	return NULL;
}

struct fieldset *fieldset_of(const struct tree *value, const struct schema_type *type, int minor)
{
	bool leaf;

	return collect(value, type, NULL, minor, &leaf);
}

const struct fieldset *fieldset_find(const struct fieldset *set, const char *element)
{
	for (; set; set = set->next)
		if (strcmp(set->element, element) == 0)
			return set;
	return NULL;
}

struct fieldset *fieldset_union(const struct fieldset *a, const struct fieldset *b)
{
	struct fieldset *first = NULL, **end = &first;

	while (a || b) {
		int order = !a ? 1 : !b ? -1 : strcmp(a->element, b->element);
		const struct fieldset *one = order <= 0 ? a : b;

		*end = node(one->element, one->member || (order == 0 && b->member),
			    order == 0 ? fieldset_union(a->children, b->children) : one->children);
		end = &(*end)->next;
		a = order <= 0 ? a->next : a;
		b = order >= 0 ? b->next : b;
	}
	return first;
}

struct fieldset *fieldset_intersection(const struct fieldset *a, const struct fieldset *b)
{
	struct fieldset *first = NULL, **end = &first;

	while (a && b) {
		int order = strcmp(a->element, b->element);

		if (order == 0) {
			struct fieldset *below = fieldset_intersection(a->children, b->children);

			if (below || (a->member && b->member)) {
				*end = node(a->element, a->member && b->member, below);
				end = &(*end)->next;
			}
		}
		a = order <= 0 ? a->next : a;
		b = order >= 0 ? b->next : b;
	}
	return first;
}

struct fieldset *fieldset_difference(const struct fieldset *a, const struct fieldset *b)
{
	struct fieldset *first = NULL, **end = &first;

	for (; a; a = a->next) {
		const struct fieldset *other;
		struct fieldset *below;
		bool member;

		while (b && strcmp(b->element, a->element) < 0)
			b = b->next;
		other = b && strcmp(b->element, a->element) == 0 ? b : NULL;
		member = a->member && !(other && other->member);
		below = other ? fieldset_difference(a->children, other->children) : a->children;
		if (!member && !below)
			continue;
		*end = node(a->element, member, below);
		end = &(*end)->next;
	}
	return first;
}

struct fieldset *fieldset_named(const struct fieldset *set, const struct schema_type *type, int minor)
{
	const struct schema_type *t = schema_value(type);
	struct fieldset *first = NULL, **end = &first;

	for (; set; set = set->next) {
		const struct schema_field *f = NULL;
		const struct schema_type *below = NULL;
		bool named = strncmp(set->element, "f:", 2) == 0;

		if (named)
			below = fieldset_entry(t, set->element + 2, minor, &f);
		else if (t && t->kind == SCHEMA_LIST)
			below = t->elem;
		*end = node(set->element, set->member || (f && set->children),
			    fieldset_named(set->children, below, minor));
		end = &(*end)->next;
	}
	return first;
}
