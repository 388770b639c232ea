/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/json.h"
#include "value/pointer.h"
#include "value/yaml.h"
#include "value/yaml_node.h"
#include "value/yaml_scalar.h"

#define LOOKS_MAX 100000 /* at keys: merges of merges can ask for any number */

struct search {
	size_t looks;
	unsigned depth; /* of merges within merges; a map may even merge itself */
};

struct places {
	const char *json; /* the text, where it is JSON; else the document's root */
	struct yaml_node *root;
	size_t skip; /* documents before the one in question */
};

static struct yaml_node *followed(struct yaml_node *n)
{
	return n->kind == NODE_ALIAS ? n->target : n;
}

/* Is this key spelled so? Keys that YAML resolves (8080, yes) count as their JSON text. */
static bool key_is(struct yaml_node *key, const char *name)
{
	struct yaml_node *n = followed(key);
	struct scalar s = {.kind = SCALAR_STRING, .text = n->value};
	const char *text;

	if (n->kind != NODE_SCALAR)
		return false;
	if ((*n->tag || n->plain) && scalar_resolve(&s, n->tag, n->value))
		return false;
	text = scalar_key(&s);
	return text && strcmp(text, name) == 0;
}

static struct yaml_node *list_item(struct yaml_node *list, const char *step)
{
	char *end;
	unsigned long index = strtoul(step, &end, 10);
	struct yaml_node *item = list->child;

	if (end == step || *end)
		return NULL;
	while (item && index--)
		item = item->next;
	return item;
}

static struct yaml_node *find_key(struct search *s, struct yaml_node *map, const char *step);

/* What `<<` brings in: a map, or several of which the first wins. */
static struct yaml_node *find_merged(struct search *s, struct yaml_node *from, const char *step)
{
	struct yaml_node *found = NULL;

	if (from->kind != NODE_LIST)
		return find_key(s, followed(from), step);
	for (struct yaml_node *m = from->child; m && !found; m = m->next)
		found = find_key(s, followed(m), step);
	return found;
}

/* The key of a map that counts: of equal ones, merged ones among them, the last. */
static struct yaml_node *find_key(struct search *s, struct yaml_node *map, const char *step)
{
	struct yaml_node *found = NULL;

	if (map->kind != NODE_MAP || s->depth == TREE_MAX_DEPTH)
		return NULL;
	s->depth++;
	for (struct yaml_node *k = map->child; k && s->looks < LOOKS_MAX; k = k->next->next) {
		struct yaml_node *hit = NULL;

		s->looks++;
		if (yaml_is_merge(k))
			hit = find_merged(s, k->next, step);
		else if (key_is(k, step))
			hit = k;
		if (hit)
			found = hit;
	}
	s->depth--;
	return found;
}

static int take_document(void *arg, struct yaml_node *root, unsigned line, struct error *err)
{
	struct places *p = arg;

	(void)line;
	(void)err;
	if (p->skip) {
		p->skip--;
		return 0;
	}
	p->root = root;
	return -1; /* the rest need not be read */
}

const struct places *places_read(const char *text, size_t len, size_t document)
{
	struct places *p = NEW(struct places);
	struct yaml_reading reading = {take_document, p, "-"};
	struct error ignored;

	p->skip = document;
	if (document == 0)
		p->json = json_places(text, len);
	if (!p->json)
		yaml_read(&reading, text, len, &ignored);
	return p->json || p->root ? p : NULL;
}

static unsigned yaml_line(struct yaml_node *root, const char *pointer)
{
	struct search s = {.looks = 0};
	struct yaml_node *at = root, *key;
	unsigned line = root->line;
	const char *step;

	while ((step = pointer_next(&pointer))) {
		at = followed(at);
		key = at->kind == NODE_LIST ? list_item(at, step) : find_key(&s, at, step);
		if (!key)
			break;
		line = key->line;
		at = at->kind == NODE_LIST ? key : key->next;
	}
	return line;
}

unsigned places_line(const struct places *p, const char *pointer)
{
	if (!p)
		return 0;
	return p->json ? json_line(p->json, pointer) : yaml_line(p->root, pointer);
}

unsigned locate(const char *text, size_t len, size_t document, const char *pointer)
{
	struct arena_mark mark = arena_mark();
	unsigned line = places_line(places_read(text, len, document), pointer);

	arena_rewind(mark);
	return line;
}
