/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/pointer.h"

static bool is_word(const char *key)
{
	for (const char *c = key; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			return false;
	return *key;
}

static struct path_mark here(const struct path *p)
{
	return (struct path_mark){p->text.len, p->pointer.len};
}

struct path_mark path_key(struct path *p, const char *key)
{
	struct path_mark mark = here(p);

	if (!is_word(key))
		buffer_printf(&p->text, "[%s]", key);
	else if (p->text.len)
		buffer_printf(&p->text, ".%s", key);
	else
		buffer_str(&p->text, key);
	pointer_add(&p->pointer, key);
	return mark;
}

struct path_mark path_item(struct path *p, const char *key, size_t index)
{
	struct path_mark mark = here(p);

	if (key)
		buffer_printf(&p->text, "[%s]", key);
	else
		buffer_printf(&p->text, "[%zu]", index);
	buffer_printf(&p->pointer, "/%zu", index);
	return mark;
}

static void cut(struct buffer *b, size_t len)
{
	b->len = len;
	if (b->data)
		b->data[len] = '\0';
}

void path_back(struct path *p, struct path_mark mark)
{
	cut(&p->text, mark.text);
	cut(&p->pointer, mark.pointer);
}

const char *path_text(const struct path *p)
{
	return arena_strdup(buffer_text(&p->text));
}

const char *path_pointer(const struct path *p)
{
	return arena_strdup(buffer_text(&p->pointer));
}

/* One part of a key as text: a string, a number, or the field's default, which is a JSON string. */
static const char *key_part(const struct tree *item, const struct schema_field *list, const char *key)
{
	const struct tree *value = tree_get(item, key);
	const struct schema_field *f;

	if (tree_string(value))
		return tree_string(value);
	if (tree_number(value))
		return tree_number(value);
	f = schema_field(list->type->elem, key, schema_newest());
	if (!f || !f->dflt)
		return NULL;
	return arena_strndup(f->dflt + 1, strlen(f->dflt) - 2);
}

const char *path_item_key(const struct tree *item, const struct schema_field *list)
{
	const char *first, *second;

	if (!list || !(list->flags & SCHEMA_KEYED) || tree_kind(item) != TREE_MAP)
		return NULL;
	first = key_part(item, list, list->keys[0]);
	if (!first || !list->keys[1])
		return first;
	second = key_part(item, list, list->keys[1]);
	return second ? arena_printf("%s/%s", first, second) : first;
}

struct keyed {
	const char *key;
	size_t index;
};

static int by_key_then_index(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

const char **path_item_keys(const struct tree *items, size_t n, const struct schema_field *list)
{
	const char **keys = NEW_ARRAY(const char *, n + 1);
	struct keyed *sorted = NEW_ARRAY(struct keyed, n + 1);
	size_t found = 0, i = 0, repeats = 1;

	tree_each(item, items) {
		keys[i] = path_item_key(item, list);
		if (keys[i])
			sorted[found++] = (struct keyed){keys[i], i};
		i++;
	}
	qsort(sorted, found, sizeof(*sorted), by_key_then_index);
	for (i = 1; i < found; i++) {
		repeats = strcmp(sorted[i].key, sorted[i - 1].key) == 0 ? repeats + 1 : 1;
		if (repeats > 1)
			keys[sorted[i].index] = arena_printf("%s#%zu", sorted[i].key, repeats);
	}
	return keys;
}
