/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/spew.h"

#include <string.h>

static void bare_value(struct spew *s, const struct schema_type *type, const struct tree *value);

static uint32_t fnv1a(uint32_t h, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

void spew_text(struct spew *s, const char *text, size_t len)
{
	s->fnv = fnv1a(s->fnv, text, len);
	if (s->text)
		buffer_add(s->text, text, len);
}

/* What Go could not decode outweighs what perch can't know. */
void spew_fail(struct spew *s, enum spew_result result)
{
	if (s->result != SPEW_UNDECODABLE)
		s->result = result;
}

void spew_integer(struct spew *s, int64_t n)
{
	char digits[24], *end = digits + sizeof(digits), *p = end;
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (n < 0)
		*--p = '-';
	spew_text(s, p, (size_t)(end - p));
}

static bool is_nothing(const struct tree *value)
{
	return !value || tree_kind(value) == TREE_NULL;
}

static bool keys_ascend(const struct tree *map)
{
	const char *last = NULL;

	tree_each(child, map) {
		if (last && strcmp(last, tree_key(child)) >= 0)
			return false;
		last = tree_key(child);
	}
	return true;
}

static void map_entry(struct spew *s, const struct schema_type *elem, const struct tree *entry,
		      const char *skip, bool *first)
{
	if (skip && strcmp(tree_key(entry), skip) == 0)
		return;
	if (!*first)
		SPEW_LITERAL(s, " ");
	*first = false;
	spew_text(s, tree_key(entry), strlen(tree_key(entry)));
	SPEW_LITERAL(s, ":");
	bare_value(s, elem, entry);
}

static void map_value(struct spew *s, const struct schema_type *type, const struct tree *map,
		      const char *skip)
{
	bool first = true;

	SPEW_LITERAL(s, "map[");
	if (keys_ascend(map)) {
		tree_each(entry, map)
			map_entry(s, type->elem, entry, skip, &first);
	} else {
		for (const struct tree **entry = tree_sorted(map); *entry; entry++)
			map_entry(s, type->elem, *entry, skip, &first);
	}
	SPEW_LITERAL(s, "]");
}

static void list_value(struct spew *s, const struct schema_type *type, const struct tree *list)
{
	SPEW_LITERAL(s, "[");
	tree_each(item, list) {
		if (item != tree_first(list))
			SPEW_LITERAL(s, " ");
		bare_value(s, type->elem, item);
	}
	SPEW_LITERAL(s, "]");
}

static void place_members(const struct tree *slots[SCHEMA_MAX_FIELDS], const struct schema_type *type,
			  const struct tree *map, int minor)
{
	size_t next = 0;

	memset(slots, 0, sizeof(*slots) * type->n_fields);
	tree_each(member, map) {
		size_t i = schema_own_field(type, tree_key(member), next, minor);

		if (i == type->n_fields)
			continue; /* an inlined struct's, the holder's, or unknown */
		slots[i] = member;
		next = i + 1;
	}
}

static void field_value(struct spew *s, const struct schema_field *f, const struct tree *holder,
			const struct tree *value)
{
	const struct schema_type *type = f->type;

	spew_text(s, f->label, f->label_len);
	if (type->kind == SCHEMA_STRUCT) {
		spew_text(s, type->zero, type->open_len);
		bare_value(s, type, f->flags & SCHEMA_INLINE ? holder : value);
	} else if (f == s->stripped) {
		spew_text(s, type->zero, type->open_len);
		if (is_nothing(value) || tree_kind(value) == TREE_MAP)
			map_value(s, type, is_nothing(value) ? NULL : value, s->stripped_key);
		else
			spew_fail(s, SPEW_UNDECODABLE);
	} else if (is_nothing(value)) {
		spew_text(s, type->zero, type->zero_len);
	} else {
		spew_text(s, type->zero, type->open_len);
		bare_value(s, type->kind == SCHEMA_POINTER ? type->elem : type, value);
	}
}

/* map NULL: the zero. */
static void struct_value(struct spew *s, const struct schema_type *type, const struct tree *map)
{
	const struct tree *slots[SCHEMA_MAX_FIELDS];
	bool first = true;

	place_members(slots, type, map, s->minor);
	SPEW_LITERAL(s, "{");
	for (size_t i = 0; i < type->n_fields; i++) {
		if (!schema_has(&type->fields[i], s->minor))
			continue;
		if (!first)
			SPEW_LITERAL(s, " ");
		first = false;
		field_value(s, &type->fields[i], map, slots[i]);
	}
	SPEW_LITERAL(s, "}");
}

static void int_or_string(struct spew *s, const struct tree *value)
{
	const char *text = tree_string(value);
	int64_t n;

	if (text) {
		SPEW_LITERAL(s, "{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)");
		spew_text(s, text, strlen(text));
		SPEW_LITERAL(s, "}");
	} else if (tree_plain_int64(value, &n) && n >= INT32_MIN && n <= INT32_MAX) {
		SPEW_LITERAL(s, "{Type:(intstr.Type)0 IntVal:(int32)");
		spew_integer(s, n);
		SPEW_LITERAL(s, " StrVal:(string)}");
	} else {
		spew_fail(s, SPEW_UNDECODABLE);
	}
}

static void scalar_value(struct spew *s, const struct schema_type *type, const struct tree *value)
{
	char room[TREE_NUMBER_SIZE];
	const char *text;
	int64_t n;

	switch (type->kind) {
	case SCHEMA_STRING:
		text = tree_string(value);
		if (text)
			spew_text(s, text, strlen(text));
		else
			spew_fail(s, SPEW_UNDECODABLE);
		break;
	case SCHEMA_BOOL:
		if (tree_kind(value) != TREE_BOOL)
			spew_fail(s, SPEW_UNDECODABLE);
		else if (tree_true(value))
			SPEW_LITERAL(s, "true");
		else
			SPEW_LITERAL(s, "false");
		break;
	case SCHEMA_INT32:
	case SCHEMA_INT64:
		if (tree_plain_int64(value, &n) &&
		    (type->kind == SCHEMA_INT64 || (n >= INT32_MIN && n <= INT32_MAX)))
			spew_integer(s, n);
		else
			spew_fail(s, SPEW_UNDECODABLE);
		break;
	case SCHEMA_QUANTITY:
		text = tree_string(value);
		if (!text)
			text = tree_number_text(value, room);
		if (text)
			spew_quantity(s, text);
		else
			spew_fail(s, SPEW_UNDECODABLE);
		break;
	case SCHEMA_INT_OR_STRING:
		int_or_string(s, value);
		break;
	default: /* SCHEMA_TIME holds the process's time zone, SCHEMA_RAW may hold an address */
		spew_fail(s, SPEW_UNKNOWABLE);
	}
}

/* A value without its type in front, as list items, map entries and pointed-to values are printed. */
static void bare_value(struct spew *s, const struct schema_type *type, const struct tree *value)
{
	bool nothing = is_nothing(value);

	switch (type->kind) {
	case SCHEMA_STRUCT:
		if (!nothing && tree_kind(value) != TREE_MAP)
			spew_fail(s, SPEW_UNDECODABLE);
		else
			struct_value(s, type, nothing ? NULL : value);
		break;
	case SCHEMA_LIST:
		if (!nothing && tree_kind(value) != TREE_LIST)
			spew_fail(s, SPEW_UNDECODABLE);
		else if (nothing)
			SPEW_LITERAL(s, "<nil>");
		else
			list_value(s, type, value);
		break;
	case SCHEMA_MAP:
		if (!nothing && tree_kind(value) != TREE_MAP)
			spew_fail(s, SPEW_UNDECODABLE);
		else if (nothing)
			SPEW_LITERAL(s, "<nil>");
		else
			map_value(s, type, value, NULL);
		break;
	default:
		if (nothing)
			spew_text(s, type->zero + type->open_len, type->zero_len - type->open_len);
		else
			scalar_value(s, type, value);
	}
}

void spew_value(struct spew *s, const struct schema_type *type, const struct tree *value)
{
	spew_text(s, type->zero, type->open_len);
	bare_value(s, type, value);
}
