/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/json_guard.h"

struct entry {
	struct tree *node;
	size_t index;
};

static int by_key_then_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(tree_key(x->node), tree_key(y->node));

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void drop_shadowed(struct tree *map)
{
	size_t n = tree_len(map), i = 0;
	struct entry *entries = NEW_ARRAY(struct entry, n + 1);

	tree_each(child, map) {
		entries[i] = (struct entry){(struct tree *)child, i};
		i++;
	}
	qsort(entries, n, sizeof(*entries), by_key_then_place);
	for (i = 1; i < n; i++)
		if (strcmp(tree_key(entries[i - 1].node), tree_key(entries[i].node)) == 0)
			tree_detach(map, entries[i - 1].node);
}

/* The last of equal keys wins, at its own place. */
static void drop_duplicates(struct tree *t)
{
	tree_each(child, t)
		drop_duplicates((struct tree *)child);
	if (tree_kind(t) == TREE_MAP)
		drop_shadowed(t);
}

const struct tree *json_parse(const char *text, size_t len, const char *name, struct error *err)
{
	return json_parse_at(text, len, name, 1, err);
}

const struct tree *json_parse_at(const char *text, size_t len, const char *name, unsigned line,
				 struct error *err)
{
	struct guarded g;
	struct tree *t;

	if (json_guard(&g, text, len, name, line, err))
		return NULL;
	t = tree_parse(g.text, g.len, g.marked);
	if (!t)
		BUG("text that the guard passed can't be parsed");
	if (g.doubtful)
		drop_duplicates(t);
	return t;
}
