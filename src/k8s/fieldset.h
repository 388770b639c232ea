/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of fields, as server-side apply keeps them per manager (metadata.managedFields, FieldsV1): a
 * trie of path elements `f:name`, `k:{"name":"web"}`, `v:"x"`, each a member of the set or only the
 * way to members. NULL is the empty set. Sets are never changed once made. Source: the set
 * operations of sigs.k8s.io/structured-merge-diff, fieldpath and typed.
 */
#ifndef PERCH_K8S_FIELDSET_H
#define PERCH_K8S_FIELDSET_H

#include <stdbool.h>

#include "k8s/schema.h"

struct fieldset {
	const char *element;
	bool member;
	struct fieldset *children;
	struct fieldset *next; /* siblings in bytewise order */
};

/* How server-side apply sees a value. */
enum merge_shape {
	SHAPE_SCALAR,
	SHAPE_ATOMIC, /* a list, map or struct that is one value */
	SHAPE_MAP,    /* a struct or a map, merged by key */
	SHAPE_KEYED,
	SHAPE_SET,
};
enum merge_shape fieldset_shape(const struct schema_type *type, const struct schema_field *field);
/* The type of a map's or struct's entry; *field is NULL where it is no struct's. NULL: unknown. */
const struct schema_type *fieldset_entry(const struct schema_type *type, const char *key, int minor,
					 const struct schema_field **field);

/* The element of a key, or of an item of a keyed list or set; NULL where an item has no key. */
const char *fieldset_key_element(const char *key);
const char *fieldset_item_element(const struct tree *item, const struct schema_field *list);

/* Those of all items, "" where there is none; and is one of them there more than once? */
const char **fieldset_item_elements(const struct tree *items, size_t n,
				    const struct schema_field *list);
bool fieldset_repeated(const char *const *elements, size_t n, size_t i);

/* *garbled: some of it is no set of fields, and left out. */
struct fieldset *fieldset_read(const struct tree *fields_v1, bool *garbled);
struct tree *fieldset_write(const struct fieldset *set); /* the same, back */
/* Every leaf and item that a value names. */
struct fieldset *fieldset_of(const struct tree *value, const struct schema_type *type, int minor);
const struct fieldset *fieldset_find(const struct fieldset *set, const char *element);

struct fieldset *fieldset_union(const struct fieldset *a, const struct fieldset *b);
struct fieldset *fieldset_intersection(const struct fieldset *a, const struct fieldset *b);
struct fieldset *fieldset_difference(const struct fieldset *a, const struct fieldset *b);
/* With every struct field on the way to a member a member itself. */
struct fieldset *fieldset_named(const struct fieldset *set, const struct schema_type *type, int minor);

/* The value without the members, or with nothing but them and their keys; NULL: nothing is left. */
struct tree *fieldset_remove(const struct tree *value, const struct fieldset *set,
			     const struct schema_type *type, int minor);
struct tree *fieldset_extract(const struct tree *value, const struct fieldset *set,
			      const struct schema_type *type, int minor);

#endif
