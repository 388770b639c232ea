/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/normalise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/quantity.h"

static struct tree *write_value(const struct tree *v, const struct schema_type *t, int minor,
				bool keep_zero);

static bool is_null(const struct tree *v)
{
	return !v || tree_kind(v) == TREE_NULL;
}

/* A quantity's text; a number is spelled as Go's JSON writer spells it, for it came through that. */
static const char *quantity_text(const struct tree *v)
{
	const char *number = tree_number(v);
	int64_t whole;
	double d;

	if (!number)
		return tree_string(v);
	if (tree_int64(v, &whole))
		return arena_printf("%lld", (long long)whole);
	d = strtod(number, NULL);
	for (int digits = 1; digits <= 17; digits++) {
		char text[40];

		snprintf(text, sizeof(text), "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			return arena_strdup(text);
	}
	return number;
}

static struct tree *zero_of(const struct schema_type *t)
{
	switch (t->kind) {
	case SCHEMA_STRING:
		return tree_new_string("");
	case SCHEMA_BOOL:
		return tree_new_bool(false);
	case SCHEMA_INT32:
	case SCHEMA_INT64:
	case SCHEMA_INT_OR_STRING:
		return tree_new_int(0);
	case SCHEMA_QUANTITY:
		return tree_new_string("0");
	case SCHEMA_LIST:
	case SCHEMA_MAP:
		return tree_new_null(); /* nil, as Go writes it */
	default:
		return NULL;
	}
}

static bool scalar_is_zero(const struct tree *v, const struct schema_type *t)
{
	int64_t n;

	switch (t->kind) {
	case SCHEMA_STRING:
		return tree_string(v) && !*tree_string(v);
	case SCHEMA_BOOL:
		return tree_kind(v) == TREE_BOOL && !tree_true(v);
	case SCHEMA_INT32:
	case SCHEMA_INT64:
	case SCHEMA_INT_OR_STRING:
		return tree_int64(v, &n) && n == 0;
	case SCHEMA_QUANTITY: {
		const char *text = quantity_text(v);

		return text && quantity_valid(text) && quantity_same(text, "0");
	}
	case SCHEMA_LIST:
	case SCHEMA_MAP:
		return tree_empty(v);
	default:
		return false;
	}
}

bool normalise_is_zero(const struct tree *v, const struct schema_type *t, int minor)
{
	if (is_null(v))
		return true;
	if (t->kind != SCHEMA_STRUCT)
		return scalar_is_zero(v, t);
	if (tree_kind(v) != TREE_MAP)
		return false;
	tree_each(child, v) {
		const struct schema_field *f = schema_field(t, tree_key(child), minor);

		if (!f ? !is_null(child) : !normalise_is_zero(child, f->type, minor))
			return false;
	}
	return true;
}

/* What omitempty spares; a quantity and an int-or-string are structs to Go, so they are printed. */
static bool spared(const struct tree *v, const struct schema_type *t, bool keep_zero)
{
	if (keep_zero || t->kind == SCHEMA_QUANTITY || t->kind == SCHEMA_INT_OR_STRING)
		return false;
	return scalar_is_zero(v, t);
}

static struct tree *write_scalar(const struct tree *v, const struct schema_type *t)
{
	const char *text;
	int64_t n;

	switch (t->kind) {
	case SCHEMA_INT32:
	case SCHEMA_INT64:
	case SCHEMA_INT_OR_STRING:
		return tree_int64(v, &n) ? tree_new_int(n) : tree_copy(v);
	case SCHEMA_QUANTITY:
		text = quantity_text(v);
		return text && quantity_valid(text) ? tree_new_string(quantity_canonical(text)) : tree_copy(v);
	default:
		return tree_copy(v);
	}
}

static void write_fields(struct tree *out, const struct tree *v, const struct schema_type *t, int minor)
{
	schema_fields(f, t) {
		struct tree *written;

		if (!schema_has(f, minor))
			continue;
		if (f->flags & SCHEMA_INLINE) {
			write_fields(out, v, f->type, minor);
			continue;
		}
		written = write_value(tree_get(v, f->json), f->type, minor, !(f->flags & SCHEMA_OMITEMPTY));
		if (written)
			tree_add(out, f->json, written);
	}
}

static struct tree *write_struct(const struct tree *v, const struct schema_type *t, int minor)
{
	struct tree *out = tree_new_map();

	write_fields(out, v, t, minor);
	tree_each(child, v)
		if (!schema_field(t, tree_key(child), minor))
			tree_add(out, tree_key(child), tree_copy(child));
	return out;
}

static struct tree *write_items(const struct tree *v, const struct schema_type *t, int minor)
{
	struct tree *out = t->kind == SCHEMA_MAP ? tree_new_map() : tree_new_list();

	tree_each(child, v) {
		struct tree *item = write_value(child, t->elem, minor, true);

		if (!item)
			item = tree_new_null();
		if (t->kind == SCHEMA_MAP)
			tree_add(out, tree_key(child), item);
		else
			tree_append(out, item);
	}
	return out;
}

static struct tree *write_absent(const struct schema_type *t, int minor, bool keep_zero)
{
	switch (t->kind) {
	case SCHEMA_POINTER:
		return NULL;
	case SCHEMA_STRUCT:
		return write_struct(NULL, t, minor);
	case SCHEMA_QUANTITY:
	case SCHEMA_INT_OR_STRING:
		return zero_of(t);
	default:
		return keep_zero ? zero_of(t) : NULL;
	}
}

/* NULL: not printed. A pointer's value is printed whatever it is. */
static struct tree *write_value(const struct tree *v, const struct schema_type *t, int minor, bool keep_zero)
{
	if (is_null(v))
		return write_absent(t, minor, keep_zero);
	if (t->kind == SCHEMA_POINTER)
		return write_value(v, t->elem, minor, true);
	if (spared(v, t, keep_zero))
		return NULL;
	if (t->kind == SCHEMA_LIST && tree_empty(v)) /* stored, it is nil */
		return zero_of(t);
	if (t->kind == SCHEMA_STRUCT && tree_kind(v) == TREE_MAP)
		return write_struct(v, t, minor);
	if ((t->kind == SCHEMA_MAP && tree_kind(v) == TREE_MAP) ||
	    (t->kind == SCHEMA_LIST && tree_kind(v) == TREE_LIST))
		return write_items(v, t, minor);
	return write_scalar(v, t);
}

struct tree *normalise(const struct tree *value, const struct schema_type *type, int minor)
{
	struct tree *out = write_value(value, type, minor, true);

	return out ? out : tree_new_null();
}
