/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/yaml_node.h"
#include "value/yaml_scalar.h"

/*
 * What can't be JSON (a null key, .inf) is an error only where no later key of the same name covers
 * it, so a poison stands in for it: a string that begins with a byte no text has, then the error.
 */
#define POISON '\xFF'

struct decoder {
	const struct yaml_documents *d;
	struct error *err;
	size_t visited, by_alias;
	unsigned depth, alias_depth;
	bool poisoned;
};

struct entry {
	const char *key;
	struct tree *value;
	const struct yaml_node *map; /* in which it was written */
	unsigned line;
	size_t index;
};

struct entries {
	struct entry *list;
	size_t count, cap;
};

static int fail(const struct decoder *d, const struct yaml_node *n, const char *what)
{
	return error_set(d->err, ERR_INPUT, "%s:%u: %s", d->d->name, n->line, what);
}

static struct tree *poison(struct decoder *d, const struct yaml_node *n, const char *what)
{
	d->poisoned = true;
	return tree_new_string(arena_printf("%c%s:%u: %s", POISON, d->d->name, n->line, what));
}

/* go-yaml's bound on how much of a document may come from aliases, as a ratio of visits. */
static bool too_many_aliases(const struct decoder *d)
{
	const double low = 400000, high = 4000000;
	double visited = (double)d->visited, allowed = 0.99;

	if (d->by_alias <= 100 || d->visited <= 1000)
		return false;
	if (visited >= high)
		allowed = 0.10;
	else if (visited > low)
		allowed = 0.99 - 0.89 * ((visited - low) / (high - low));
	return (double)d->by_alias / visited > allowed;
}

static int visit(struct decoder *d, const struct yaml_node *n)
{
	d->visited++;
	d->by_alias += d->alias_depth > 0;
	if (too_many_aliases(d))
		return fail(d, n, "aliases expand to too much");
	if (d->visited > TREE_MAX_NODES)
		return fail(d, n, "the text holds too many values");
	return 0;
}

static int enter_alias(struct decoder *d, struct yaml_node *n)
{
	if (n->active)
		return error_set(d->err, ERR_INPUT, "%s:%u: anchor '%s' contains itself", d->d->name,
				 n->line, n->value);
	n->active = true;
	d->alias_depth++;
	return 0;
}

static void leave_alias(struct decoder *d, struct yaml_node *n)
{
	n->active = false;
	d->alias_depth--;
}

static int resolve(struct decoder *d, const struct yaml_node *n, struct scalar *out)
{
	if (!*n->tag && !n->plain) {
		*out = (struct scalar){.kind = SCALAR_STRING, .text = n->value};
		return 0;
	}
	if (scalar_resolve(out, n->tag, n->value) == 0)
		return 0;
	/* The value isn't told: it may be a Secret's. */
	return error_set(d->err, ERR_INPUT, "%s:%u: the value is no %s", d->d->name, n->line,
			 scalar_tag_name(n->tag));
}

static struct tree *scalar(struct decoder *d, const struct yaml_node *n)
{
	char text[FLOAT_SIZE];
	struct scalar s;

	if (resolve(d, n, &s))
		return NULL;
	switch (s.kind) {
	case SCALAR_NULL:
		return tree_new_null();
	case SCALAR_BOOL:
		return tree_new_bool(s.truth);
	case SCALAR_INT:
		return tree_new_int(s.integer);
	case SCALAR_UINT:
		snprintf(text, sizeof(text), "%" PRIu64, s.natural);
		return tree_new_number(text);
	case SCALAR_FLOAT:
		if (!isfinite(s.real))
			return poison(d, n, "an infinite number or NaN has no place in JSON");
		scalar_float_json(text, s.real);
		return tree_new_number(text);
	default:
		return tree_new_string(s.text);
	}
}

/* The text of a key; what no JSON key can be poisons the value and keeps a key of its own. */
static const char *key_text(struct decoder *d, const struct yaml_node *n, const char **fault)
{
	struct scalar s;

	if (resolve(d, n, &s))
		return NULL;
	if (s.kind == SCALAR_NULL) {
		*fault = "a key is null";
		return "\xFF";
	}
	if (s.kind == SCALAR_UINT) {
		*fault = "a key is an integer beyond 64 bits";
		return arena_printf("\xFF%" PRIu64, s.natural);
	}
	return scalar_key(&s);
}

static const char *key(struct decoder *d, struct yaml_node *n, const char **fault)
{
	const char *text;

	if (visit(d, n))
		return NULL;
	if (n->kind == NODE_ALIAS) {
		if (enter_alias(d, n))
			return NULL;
		text = key(d, n->target, fault);
		leave_alias(d, n);
		return text;
	}
	if (n->kind != NODE_SCALAR) {
		fail(d, n, "a key is a list or map");
		return NULL;
	}
	return key_text(d, n, fault);
}

static void set(struct entries *e, struct entry entry)
{
	if (e->count == e->cap) {
		size_t cap = e->cap ? e->cap * 2 : 8;

		e->list = arena_grow(e->list, e->cap * sizeof(*e->list), cap * sizeof(*e->list));
		e->cap = cap;
	}
	entry.index = e->count;
	e->list[e->count++] = entry;
}

static struct tree *decode(struct decoder *d, struct yaml_node *n);

bool yaml_is_merge(const struct yaml_node *n)
{
	return n->kind == NODE_SCALAR && strcmp(n->value, "<<") == 0 &&
	       (n->plain || strcmp(scalar_tag_name(n->tag), "!!merge") == 0);
}

static int map_entries(struct decoder *d, struct yaml_node *n, struct entries *e);

static int merge_one(struct decoder *d, struct yaml_node *n, struct entries *e)
{
	int failed;

	if ((n->kind == NODE_ALIAS ? n->target : n)->kind != NODE_MAP)
		return fail(d, n, "'<<' merges maps only");
	if (visit(d, n))
		return -1;
	if (n->kind == NODE_MAP)
		return map_entries(d, n, e);
	if (enter_alias(d, n) || visit(d, n->target))
		return -1;
	failed = map_entries(d, n->target, e);
	leave_alias(d, n);
	return failed;
}

/* Of several maps the first wins, so it is set last. */
static int merge_list(struct decoder *d, struct yaml_node *first, struct entries *e)
{
	size_t n = 0;
	struct yaml_node **maps;

	for (struct yaml_node *m = first; m; m = m->next)
		n++;
	maps = NEW_ARRAY(struct yaml_node *, n + 1);
	for (struct yaml_node *m = first; m; m = m->next)
		*maps++ = m;
	while (n--)
		if (merge_one(d, *--maps, e))
			return -1;
	return 0;
}

static int entry(struct decoder *d, struct yaml_node *map, struct yaml_node *k, struct entries *e)
{
	const char *fault = NULL, *text;
	struct tree *value;

	if (yaml_is_merge(k))
		return k->next->kind == NODE_LIST ? merge_list(d, k->next->child, e)
						  : merge_one(d, k->next, e);
	text = key(d, k, &fault);
	if (!text)
		return -1;
	value = decode(d, k->next);
	if (!value)
		return -1;
	if (fault)
		value = poison(d, k, fault);
	set(e, (struct entry){text, value, map, k->line, 0});
	return 0;
}

static int map_entries(struct decoder *d, struct yaml_node *n, struct entries *e)
{
	if (++d->depth > TREE_MAX_DEPTH)
		return fail(d, n, "values are nested too deeply");
	for (struct yaml_node *k = n->child; k; k = k->next->next)
		if (entry(d, n, k, e))
			return -1;
	d->depth--;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Drops the entries that a later one covers; tells of two in one map, for a merge is no mistake. */
static void drop_covered(const struct decoder *d, struct entries *e)
{
	struct entry **sorted = NEW_ARRAY(struct entry *, e->count + 1);

	for (size_t i = 0; i < e->count; i++)
		sorted[i] = &e->list[i];
	qsort(sorted, e->count, sizeof(struct entry *), by_key);
	for (size_t i = 1; i < e->count; i++) {
		struct entry *old = sorted[i - 1], *new = sorted[i];

		if (strcmp(old->key, new->key) != 0)
			continue;
		old->value = NULL;
		if (old->map == new->map && d->d->warn)
			d->d->warn(d->d->arg, arena_printf("%s:%u: duplicate key '%s', the last one wins",
							   d->d->name, new->line, new->key));
	}
}

static struct tree *map(struct decoder *d, struct yaml_node *n)
{
	struct tree *t = tree_new_map();
	struct entries e = {0};

	if (map_entries(d, n, &e))
		return NULL;
	drop_covered(d, &e);
	for (size_t i = 0; i < e.count; i++)
		if (e.list[i].value)
			tree_add(t, e.list[i].key, e.list[i].value);
	return t;
}

static struct tree *list(struct decoder *d, struct yaml_node *n)
{
	struct tree *t = tree_new_list();

	if (++d->depth > TREE_MAX_DEPTH) {
		fail(d, n, "values are nested too deeply");
		return NULL;
	}
	for (struct yaml_node *child = n->child; child; child = child->next) {
		struct tree *item = decode(d, child);

		if (!item)
			return NULL;
		tree_append(t, item);
	}
	d->depth--;
	return t;
}

static struct tree *decode(struct decoder *d, struct yaml_node *n)
{
	struct tree *t;

	if (visit(d, n))
		return NULL;
	switch (n->kind) {
	case NODE_SCALAR:
		return scalar(d, n);
	case NODE_LIST:
		return list(d, n);
	case NODE_MAP:
		return map(d, n);
	default:
		if (enter_alias(d, n))
			return NULL;
		t = decode(d, n->target);
		leave_alias(d, n);
		return t;
	}
}

static int find_poison(const struct tree *t, struct error *err)
{
	const char *s = tree_string(t);

	if (s && *s == POISON)
		return error_set(err, ERR_INPUT, "%s", s + 1);
	tree_each(child, t)
		if (find_poison(child, err))
			return -1;
	return 0;
}

struct tree *yaml_decode(const struct yaml_documents *documents, struct yaml_node *root, struct error *err)
{
	struct decoder d = {.d = documents, .err = err, .visited = 1};
	struct tree *t = decode(&d, root);

	return t && d.poisoned && find_poison(t, err) ? NULL : t;
}
