/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/path.h"
#include "k8s/schema.h"
#include "value/quantity.h"

/* Where the walk is, as a chain on its stack: a path is spelled out only for a problem. */
struct step {
	const struct step *up;
	const char *key;                 /* in a struct or map; NULL for a list item */
	const struct tree *list;         /* the list of an item */
	const struct schema_field *field; /* the list's field, for its keys */
	size_t index;
};

struct check {
	int minor;
	bool plain; /* integers must be spelled as such */
	const struct schema_type *skip;
	const char *root;
	schema_report *report;
	void *arg;
	size_t wrong;
};

static void check_value(struct check *c, const struct schema_type *type, const struct tree *value,
			const struct schema_field *field, const struct step *at);

static void spell(struct path *p, const struct step *at)
{
	if (!at)
		return;
	spell(p, at->up);
	if (at->key)
		path_key(p, at->key);
	else
		path_item(p, path_item_keys(at->list, tree_len(at->list), at->field)[at->index], at->index);
}

static void tell(struct check *c, enum schema_problem problem, const struct step *at,
		 const struct tree *value, const char *text)
{
	struct path p = {0};

	if (problem == SCHEMA_WRONG_TYPE)
		c->wrong++;
	if (!c->report)
		return;
	buffer_str(&p.text, c->root);
	spell(&p, at);
	c->report(c->arg, problem, path_text(&p), value, text);
}

static void wrong(struct check *c, const struct step *at, const struct tree *value, const char *expected)
{
	enum tree_kind kind = tree_kind(value);
	const char *text;

	if (kind == TREE_NUMBER)
		text = arena_printf("expected %s, got number %s", expected, tree_number(value));
	else
		text = arena_printf("expected %s, got %s", expected, tree_kind_name(kind));
	tell(c, SCHEMA_WRONG_TYPE, at, value, text);
}

static void check_struct(struct check *c, const struct schema_type *type, const struct tree *map,
			 const struct step *at)
{
	const struct schema_field *last = NULL;

	tree_each(member, map) {
		const struct schema_field *f = schema_field_after(type, tree_key(member), last, c->minor);
		struct step here = {.up = at, .key = tree_key(member)};

		if (f) {
			check_value(c, f->type, member, f, &here);
			last = f;
		} else if (c->report) {
			tell(c, SCHEMA_UNKNOWN_FIELD, &here, member, "unknown field");
		}
	}
}

static void check_list(struct check *c, const struct schema_type *type, const struct tree *list,
		       const struct schema_field *field, const struct step *at)
{
	struct step here = {.up = at, .list = list, .field = field};

	tree_each(item, list) {
		check_value(c, type->elem, item, NULL, &here);
		here.index++;
	}
}

static void check_map(struct check *c, const struct schema_type *type, const struct tree *map,
		      const struct step *at)
{
	tree_each(entry, map) {
		struct step here = {.up = at, .key = tree_key(entry)};

		check_value(c, type->elem, entry, NULL, &here);
	}
}

static void check_integer(struct check *c, const struct tree *value, const struct step *at,
			  int64_t lowest, int64_t highest)
{
	int64_t n;

	if (c->plain ? !tree_plain_int64(value, &n) : !tree_int64(value, &n))
		wrong(c, at, value, "integer");
	else if (n < lowest || n > highest)
		wrong(c, at, value, "integer of 32 bits");
}

static void check_quantity(struct check *c, const struct tree *value, const struct step *at)
{
	const char *text = tree_string(value);

	if (!text)
		text = tree_number(value);
	if (!text)
		wrong(c, at, value, "quantity");
	else if (!quantity_valid(text))
		tell(c, SCHEMA_WRONG_TYPE, at, value, arena_printf("not a quantity: '%s'", text));
}

static bool is_time(const char *text)
{
	static const char shape[] = "0000-00-00T00:00:00"; /* then a fraction, then Z or an offset */
	size_t i;

	for (i = 0; shape[i]; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (shape[i] == '0' ? !digit : text[i] != shape[i])
			return false;
	}
	if (text[i] == '.' || text[i] == ',')
		i += 1 + strspn(text + i + 1, "0123456789");
	if (strcmp(text + i, "Z") == 0)
		return true;
	return (text[i] == '+' || text[i] == '-') && strlen(text + i) == 6 && text[i + 3] == ':';
}

static void check_scalar(struct check *c, const struct schema_type *type, const struct tree *value,
			 const struct step *at)
{
	switch (type->kind) {
	case SCHEMA_STRING:
		if (!tree_string(value))
			wrong(c, at, value, "string");
		break;
	case SCHEMA_BOOL:
		if (tree_kind(value) != TREE_BOOL)
			wrong(c, at, value, "boolean");
		break;
	case SCHEMA_INT32:
		check_integer(c, value, at, INT32_MIN, INT32_MAX);
		break;
	case SCHEMA_INT64:
		check_integer(c, value, at, INT64_MIN, INT64_MAX);
		break;
	case SCHEMA_QUANTITY:
		check_quantity(c, value, at);
		break;
	case SCHEMA_INT_OR_STRING:
		if (!tree_string(value))
			check_integer(c, value, at, INT32_MIN, INT32_MAX);
		break;
	case SCHEMA_TIME:
		if (!tree_string(value))
			wrong(c, at, value, "string");
		else if (!is_time(tree_string(value)))
			tell(c, SCHEMA_WRONG_TYPE, at, value,
			     arena_printf("not a time: '%s'", tree_string(value)));
		break;
	default:
		break;
	}
}

static void check_value(struct check *c, const struct schema_type *type, const struct tree *value,
			const struct schema_field *field, const struct step *at)
{
	enum tree_kind kind = tree_kind(value);

	type = schema_value(type);
	if (kind == TREE_ABSENT || kind == TREE_NULL || type == c->skip)
		return;
	switch (type->kind) {
	case SCHEMA_STRUCT:
		if (kind == TREE_MAP)
			check_struct(c, type, value, at);
		else
			wrong(c, at, value, "map");
		break;
	case SCHEMA_MAP:
		if (kind == TREE_MAP)
			check_map(c, type, value, at);
		else
			wrong(c, at, value, "map");
		break;
	case SCHEMA_LIST:
		if (kind == TREE_LIST)
			check_list(c, type, value, field, at);
		else
			wrong(c, at, value, "list");
		break;
	default:
		check_scalar(c, type, value, at);
	}
}

size_t schema_check(const struct tree *value, const struct schema_type *type, int minor,
		    const char *root, schema_report *report, void *arg)
{
	struct check c = {.minor = minor, .root = root, .report = report, .arg = arg};

	check_value(&c, type, value, NULL, NULL);
	return c.wrong;
}

size_t schema_check_json(const struct tree *value, const struct schema_type *type, int minor,
			 const struct schema_type *skip, schema_report *report, void *arg)
{
	struct check c = {
		.minor = minor, .plain = true, .skip = skip, .root = "", .report = report, .arg = arg,
	};

	check_value(&c, type, value, NULL, NULL);
	return c.wrong;
}
