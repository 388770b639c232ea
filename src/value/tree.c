/* SPDX-License-Identifier: Apache-2.0 */
#include "value/tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "value/number.h"

static void keep(void *p)
{
	(void)p; /* the arena gives all back at once */
}

void tree_init(void)
{
	cJSON_Hooks hooks = {.malloc_fn = arena_alloc_raw, .free_fn = keep};

	cJSON_InitHooks(&hooks);
}

static cJSON *mutable(struct tree *t)
{
	return (cJSON *)t;
}

static int type_of(const struct tree *t)
{
	return t ? tree_node(t)->type & 0xFF : cJSON_Invalid;
}

enum tree_kind tree_kind(const struct tree *t)
{
	switch (type_of(t)) {
	case cJSON_NULL:
		return TREE_NULL;
	case cJSON_True:
	case cJSON_False:
		return TREE_BOOL;
	case cJSON_Number:
	case cJSON_Raw:
		return TREE_NUMBER;
	case cJSON_String:
		return TREE_STRING;
	case cJSON_Array:
		return TREE_LIST;
	case cJSON_Object:
		return TREE_MAP;
	default:
		return TREE_ABSENT;
	}
}

const char *tree_kind_name(enum tree_kind kind)
{
	static const char *const names[] = {
		[TREE_ABSENT] = "nothing", [TREE_NULL] = "null", [TREE_BOOL] = "boolean",
		[TREE_NUMBER] = "number",  [TREE_STRING] = "string", [TREE_LIST] = "list",
		[TREE_MAP] = "map",
	};

	return names[kind];
}

size_t tree_len(const struct tree *t)
{
	size_t n = 0;

	for (const struct tree *child = tree_first(t); child; child = tree_next(child))
		n++;
	return n;
}

const struct tree *tree_get(const struct tree *map, const char *key)
{
	if (type_of(map) != cJSON_Object)
		return NULL;
	tree_each(child, map)
		if (tree_key(child)[0] == key[0] && strcmp(tree_key(child), key) == 0)
			return child;
	return NULL;
}

const struct tree *tree_at(const struct tree *list, size_t index)
{
	if (type_of(list) != cJSON_Array)
		return NULL;
	tree_each(child, list)
		if (index-- == 0)
			return child;
	return NULL;
}

const struct tree *tree_path(const struct tree *t, ...)
{
	const char *step;
	va_list steps;

	va_start(steps, t);
	while (t && (step = va_arg(steps, const char *)))
		t = tree_get(t, step);
	va_end(steps);
	return t;
}

const char *tree_string(const struct tree *t)
{
	return type_of(t) == cJSON_String ? tree_node(t)->valuestring : NULL;
}

const char *tree_string_or(const struct tree *t, const char *fallback)
{
	const char *s = tree_string(t);

	return s ? s : fallback;
}

bool tree_true(const struct tree *t)
{
	return type_of(t) == cJSON_True;
}

bool tree_int64(const struct tree *t, int64_t *out)
{
	if (type_of(t) == cJSON_Raw)
		return number_int64(tree_node(t)->valuestring, out);
	if (type_of(t) != cJSON_Number)
		return false;
	*out = (int64_t)tree_node(t)->valuedouble;
	return true;
}

bool tree_plain_int64(const struct tree *t, int64_t *out)
{
	if (type_of(t) == cJSON_Raw && strpbrk(tree_node(t)->valuestring, ".eE"))
		return false;
	return tree_int64(t, out);
}

const char *tree_number_text(const struct tree *t, char room[TREE_NUMBER_SIZE])
{
	if (type_of(t) == cJSON_Raw)
		return tree_node(t)->valuestring;
	if (type_of(t) != cJSON_Number)
		return NULL;
	snprintf(room, TREE_NUMBER_SIZE, "%" PRId64, (int64_t)tree_node(t)->valuedouble);
	return room;
}

const char *tree_number(const struct tree *t)
{
	char room[TREE_NUMBER_SIZE];
	const char *text = tree_number_text(t, room);

	return text == room ? arena_strdup(room) : text;
}

bool tree_empty(const struct tree *t)
{
	switch (tree_kind(t)) {
	case TREE_ABSENT:
	case TREE_NULL:
		return true;
	case TREE_LIST:
	case TREE_MAP:
		return !tree_first(t);
	default:
		return false;
	}
}

static bool same_numbers(const struct tree *a, const struct tree *b)
{
	char x[TREE_NUMBER_SIZE], y[TREE_NUMBER_SIZE];

	if (type_of(a) == cJSON_Number && type_of(b) == cJSON_Number)
		return tree_node(a)->valuedouble == tree_node(b)->valuedouble;
	return number_same(tree_number_text(a, x), tree_number_text(b, y));
}

static bool same_lists(const struct tree *a, const struct tree *b)
{
	const struct tree *x = tree_first(a), *y = tree_first(b);

	for (; x && y; x = tree_next(x), y = tree_next(y))
		if (!tree_same(x, y))
			return false;
	return !x && !y;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(tree_key(*(const struct tree *const *)a), tree_key(*(const struct tree *const *)b));
}

const struct tree **tree_sorted(const struct tree *map)
{
	size_t n = tree_len(map), i = 0;
	const struct tree **sorted = NEW_ARRAY(const struct tree *, n + 1);

	tree_each(child, map)
		sorted[i++] = child;
	qsort(sorted, n, sizeof(*sorted), by_key);
	return sorted;
}

/* Equal maps mostly have equal order, so that is tried first; sorting keeps big ones linear-ish. */
static bool same_maps(const struct tree *a, const struct tree *b)
{
	const struct tree *x = tree_first(a), *y = tree_first(b), **sx, **sy;
	struct arena_mark mark;
	size_t n;
	bool same = true;

	for (; x && y && strcmp(tree_key(x), tree_key(y)) == 0; x = tree_next(x), y = tree_next(y))
		if (!tree_same(x, y))
			return false;
	n = tree_len(a);
	if ((!x && !y) || n != tree_len(b))
		return !x && !y;
	mark = arena_mark();
	sx = tree_sorted(a);
	sy = tree_sorted(b);
	for (size_t i = 0; same && i < n; i++)
		same = strcmp(tree_key(sx[i]), tree_key(sy[i])) == 0 && tree_same(sx[i], sy[i]);
	arena_rewind(mark);
	return same;
}

bool tree_same(const struct tree *a, const struct tree *b)
{
	enum tree_kind kind = tree_kind(a);

	if (kind != tree_kind(b))
		return false;
	switch (kind) {
	case TREE_BOOL:
		return type_of(a) == type_of(b);
	case TREE_NUMBER:
		return same_numbers(a, b);
	case TREE_STRING:
		return strcmp(tree_string(a), tree_string(b)) == 0;
	case TREE_LIST:
		return same_lists(a, b);
	case TREE_MAP:
		return same_maps(a, b);
	default:
		return true;
	}
}

static struct tree *made(cJSON *node)
{
	if (!node)
		BUG("a node of a tree could not be made");
	return (struct tree *)node;
}

struct tree *tree_new_map(void)
{
	return made(cJSON_CreateObject());
}

struct tree *tree_new_list(void)
{
	return made(cJSON_CreateArray());
}

struct tree *tree_new_string(const char *s)
{
	return made(cJSON_CreateString(s));
}

struct tree *tree_new_number(const char *text)
{
	int64_t n;

	if (!number_plain(text, strlen(text)))
		return made(cJSON_CreateRaw(text));
	number_int64(text, &n);
	return made(cJSON_CreateNumber((double)n));
}

struct tree *tree_new_int(int64_t n)
{
	char text[TREE_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRId64, n);
	return tree_new_number(text);
}

struct tree *tree_new_bool(bool b)
{
	return made(cJSON_CreateBool(b));
}

struct tree *tree_new_null(void)
{
	return made(cJSON_CreateNull());
}

struct tree *tree_copy(const struct tree *t)
{
	return t ? made(cJSON_Duplicate(tree_node(t), true)) : NULL;
}

void tree_add(struct tree *map, const char *key, struct tree *value)
{
	if (!cJSON_AddItemToObject(mutable(map), key, mutable(value)))
		BUG("'%s' could not be added", key);
}

void tree_put(struct tree *map, const char *key, struct tree *value)
{
	struct tree *old = tree_get_mutable(map, key);

	if (!old)
		tree_add(map, key, value);
	else if (old != value)
		tree_replace(map, old, value);
}

void tree_replace(struct tree *parent, struct tree *old, struct tree *value)
{
	mutable(value)->string = mutable(old)->string;
	if (!cJSON_ReplaceItemViaPointer(mutable(parent), mutable(old), mutable(value)))
		BUG("a value could not be replaced");
}

void tree_append(struct tree *list, struct tree *value)
{
	mutable(value)->string = NULL;
	if (!cJSON_AddItemToArray(mutable(list), mutable(value)))
		BUG("a list item could not be added");
}

void tree_detach(struct tree *parent, struct tree *child)
{
	cJSON_DetachItemViaPointer(mutable(parent), mutable(child));
}

void tree_remove(struct tree *map, const char *key)
{
	struct tree *old = tree_get_mutable(map, key);

	if (old)
		tree_detach(map, old);
}

struct tree *tree_get_mutable(struct tree *map, const char *key)
{
	return (struct tree *)tree_get(map, key);
}

struct tree *tree_at_mutable(struct tree *list, size_t index)
{
	return (struct tree *)tree_at(list, index);
}

/* Numbers came through cJSON as strings that begin with a byte no text can have (tree.h). */
static void unmark_numbers(cJSON *t)
{
	for (cJSON *child = t->child; child; child = child->next)
		unmark_numbers(child);
	if (t->type == cJSON_String && t->valuestring[0] == TREE_NUMBER_MARK) {
		t->type = cJSON_Raw;
		t->valuestring++;
	}
}

struct tree *tree_parse(const char *text, size_t len, bool marked)
{
	cJSON *t = cJSON_ParseWithLengthOpts(text, len, NULL, false);

	if (!t)
		return NULL;
	if (marked)
		unmark_numbers(t);
	return (struct tree *)t;
}
