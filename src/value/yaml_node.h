/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A YAML document as it was written: nodes with their lines, aliases not yet followed, scalars not
 * yet resolved. yaml.c builds it from libyaml's events, yaml_decode.c makes a tree of it, locate.c
 * looks for a line in it. It lives on the arena and is at most TREE_MAX_DEPTH deep.
 */
#ifndef PERCH_VALUE_YAML_NODE_H
#define PERCH_VALUE_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "value/yaml.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP, NODE_ALIAS };

struct yaml_node {
	enum node_kind kind;
	unsigned line;
	const char *tag;              /* of a scalar, in full; "" where it has none */
	const char *value;            /* of a scalar; the name of an alias */
	bool plain;                   /* a scalar to be resolved: unquoted, or tagged "!" */
	bool active;                  /* an alias that is being expanded */
	struct yaml_node *target;     /* of an alias */
	struct yaml_node *child, *last, *next; /* a map's children are key, value, key, … */
};

/* Gives each document's root and first line; `document` returns 0 to go on. */
struct yaml_reading {
	int (*document)(void *arg, struct yaml_node *root, unsigned line, struct error *err);
	void *arg;
	const char *name;
};
int yaml_read(const struct yaml_reading *r, const char *text, size_t len, struct error *err);

/* Is this key `<<`, to be merged? */
bool yaml_is_merge(const struct yaml_node *key);
/* The tree of a document; NULL on failure. */
struct tree *yaml_decode(const struct yaml_documents *d, struct yaml_node *root, struct error *err);

#endif
