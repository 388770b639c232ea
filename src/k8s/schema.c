/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/schema.h"

#include <string.h>

/* One table, read four times: type ids, where each struct's fields begin, the fields, the types. */
#define NO_ROW(...)
#define NEVER SCHEMA_NEVER
#define INLINE SCHEMA_INLINE
#define OMITEMPTY SCHEMA_OMITEMPTY
#define ATOMIC SCHEMA_ATOMIC
#define SET SCHEMA_SET
#define KEYED SCHEMA_KEYED
#define PATCH_MERGE SCHEMA_PATCH_MERGE
#define RETAIN_KEYS SCHEMA_RETAIN_KEYS
#define KEYS(...) {__VA_ARGS__}
#define NO_KEYS {NULL}

#define MINOR NO_ROW
#define FIELD NO_ROW
#define SCALAR(id, ...) TYPE_##id,
#define POINTER SCALAR
#define LIST SCALAR
#define MAP SCALAR
#define STRUCT SCALAR
enum type_id {
#include "k8s/schema.def"
	N_TYPES
};
#undef SCALAR
#undef POINTER
#undef LIST
#undef MAP
#undef STRUCT

#define SCALAR NO_ROW
#define POINTER NO_ROW
#define LIST NO_ROW
#define MAP NO_ROW
#define STRUCT(id, text, n, facts) _Static_assert((n) <= SCHEMA_MAX_FIELDS, text);
#include "k8s/schema.def"
#undef STRUCT

#define STRUCT(id, text, n, facts) FIRST_##id, LAST_##id = FIRST_##id + (n) - 1,
enum first_field {
#include "k8s/schema.def"
	N_FIELDS
};
#undef STRUCT
#undef FIELD

static const struct schema_type types[N_TYPES];

#define STRUCT NO_ROW
#define FIELD(name, key, of, from, to, facts, list_keys, merge_key, value)                       \
	{                                                                                        \
		.go = #name, .json = (key), .label = #name ":", .json_len = sizeof(key) - 1,     \
		.label_len = sizeof(#name), .since = (from), .until = (to), .flags = (facts),    \
		.type = &types[TYPE_##of], .keys = list_keys, .patch_key = (merge_key),          \
		.dflt = (value),                                                                 \
	},
static const struct schema_field fields[N_FIELDS] = {
#include "k8s/schema.def"
};
#undef SCALAR
#undef POINTER
#undef LIST
#undef MAP
#undef STRUCT
#undef FIELD

#define ZERO_STRING ""
#define ZERO_BOOL "false"
#define ZERO_INT32 "0"
#define ZERO_INT64 "0"
#define ZERO_QUANTITY                                                                            \
	"{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} "                    \
	"d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string) Format:(resource.Format)}"
#define ZERO_INT_OR_STRING "{Type:(intstr.Type)0 IntVal:(int32)0 StrVal:(string)}"
#define ZERO_TIME "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"
#define ZERO_RAW "" /* only ever behind a pointer */
#define SPEWN(text, value)                                                                       \
	.go = (text), .zero = "(" text ")" value, .zero_len = sizeof("(" text ")" value) - 1,    \
	.open_len = sizeof(text) + 1

#define FIELD NO_ROW
#define SCALAR(id, text, of) {.kind = SCHEMA_##of, SPEWN(text, ZERO_##of)},
#define POINTER(id, text, of) {.kind = SCHEMA_POINTER, .elem = &types[TYPE_##of], SPEWN(text, "<nil>")},
#define LIST(id, text, of) {.kind = SCHEMA_LIST, .elem = &types[TYPE_##of], SPEWN(text, "<nil>")},
#define MAP(id, text, from, to)                                                                  \
	{.kind = SCHEMA_MAP, .key = &types[TYPE_##from], .elem = &types[TYPE_##to],              \
	 SPEWN(text, "<nil>")},
#define STRUCT(id, text, n, facts)                                                               \
	{.kind = SCHEMA_STRUCT, .flags = (facts), .fields = fields + FIRST_##id, .n_fields = (n), \
	 .go = (text), .zero = "(" text ")", .open_len = sizeof(text) + 1,                       \
	 .zero_len = sizeof(text) + 1},
static const struct schema_type types[N_TYPES] = {
#include "k8s/schema.def"
};
#undef MINOR
#undef SCALAR
#undef POINTER
#undef LIST
#undef MAP
#undef STRUCT

#define SCALAR NO_ROW
#define POINTER NO_ROW
#define LIST NO_ROW
#define MAP NO_ROW
#define STRUCT NO_ROW
#define MINOR(minor, release) minor,
static const int minors[] = {
#include "k8s/schema.def"
};
#define N_MINORS ((int)(sizeof(minors) / sizeof(*minors)))

int schema_newest(void)
{
	return minors[N_MINORS - 1];
}

bool schema_minor_known(long minor)
{
	for (int i = 0; i < N_MINORS; i++)
		if (minors[i] == minor)
			return true;
	return false;
}

int schema_next_minor(int minor)
{
	for (int i = 0; i < N_MINORS; i++)
		if (minors[i] > minor)
			return minors[i];
	return 0;
}

int schema_previous_minor(int minor)
{
	for (int i = N_MINORS - 1; i >= 0; i--)
		if (minor == 0 || minors[i] < minor)
			return minors[i];
	return 0;
}

int schema_minor_for(int server_minor)
{
	int best = minors[0];

	if (server_minor <= 0)
		return schema_newest();
	for (int i = 0; i < N_MINORS && minors[i] <= server_minor; i++)
		best = minors[i];
	return best;
}

const struct schema_type *schema_root(enum object_kind kind)
{
	switch (kind) {
	case KIND_DEPLOYMENT:
		return &types[TYPE_v1_Deployment];
	case KIND_DAEMONSET:
		return &types[TYPE_v1_DaemonSet];
	case KIND_SERVICE:
		return &types[TYPE_v1_Service];
	default:
		return NULL;
	}
}

const struct schema_type *schema_content(enum object_kind kind)
{
	switch (kind) {
	case KIND_DEPLOYMENT:
	case KIND_DAEMONSET:
		return &types[TYPE_v1_PodTemplateSpec];
	case KIND_SERVICE:
		return &types[TYPE_v1_ServiceSpec];
	default:
		return NULL;
	}
}

/* Members mostly come in declaration order, so the search begins after the one found last. */
size_t schema_own_field(const struct schema_type *type, const char *json, size_t from, int minor)
{
	const struct schema_field *fields_of = type->fields;
	size_t n = type->n_fields;

	if (!*json)
		return n;
	for (size_t tried = 0, i = from; tried < n; tried++, i++) {
		if (i >= n)
			i = 0;
		if (fields_of[i].json[0] == json[0] && schema_has(&fields_of[i], minor) &&
		    strcmp(fields_of[i].json, json) == 0)
			return i;
	}
	return n;
}

const struct schema_field *schema_field_after(const struct schema_type *type, const char *json,
					      const struct schema_field *last, int minor)
{
	size_t from = 0, i;

	type = schema_value(type);
	if (!type || type->kind != SCHEMA_STRUCT || !*json)
		return NULL;
	if (last && last >= type->fields && last < type->fields + type->n_fields)
		from = (size_t)(last - type->fields) + 1;
	i = schema_own_field(type, json, from, minor);
	if (i < type->n_fields)
		return &type->fields[i];
	schema_fields(f, type) {
		const struct schema_field *inner;

		if (!(f->flags & SCHEMA_INLINE) || !schema_has(f, minor))
			continue;
		inner = schema_field_after(f->type, json, last, minor);
		if (inner)
			return inner;
	}
	return NULL;
}

const struct schema_field *schema_field(const struct schema_type *type, const char *json, int minor)
{
	return schema_field_after(type, json, NULL, minor);
}
