/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A difference between two objects, one place at a time. Paths are DESIGN.md's: list items by key
 * (`spec.template.spec.containers[podinfod].env[LEVEL].value`), odd map keys in brackets, two-part
 * keys `ports[8080/TCP]`, a repeated key `[A#2]`, items without a key by index. Values are borrowed
 * from the trees compared; NULL means absent. An added or removed list item is one change.
 */
#ifndef PERCH_K8S_CHANGE_H
#define PERCH_K8S_CHANGE_H

#include <stddef.h>

#include "value/tree.h"

enum change_op { CHANGE_ADD, CHANGE_REMOVE, CHANGE_REPLACE };

/* What a change is about; the table of classes is in classes.def (path pattern → class). */
enum change_class {
	CLASS_IMAGE,
	CLASS_COMMAND,
	CLASS_ENV,
	CLASS_CONFIG,
	CLASS_RESOURCES,
	CLASS_PROBE,
	CLASS_PORT,
	CLASS_VOLUME,
	CLASS_SECURITY,
	CLASS_SCHEDULING,
	CLASS_METADATA,
	CLASS_RESTART,
	CLASS_OTHER,
};

struct change {
	const char *path;
	enum change_op op;
	enum change_class class;
	const struct tree *old_value, *new_value;
	const char *pointer; /* RFC 6901 place of the new value (old one's for a removal) in its object */
	const char *origin;  /* "git", "live" or NULL */
	const char *by;      /* ignored: the rule ("policy line 3"); foreign: the owner */
	const char *file;    /* where D says so; NULL where unknown */
	unsigned line;
	struct change *next;
};

struct changes {
	struct change *first, *last;
	size_t count;
};

void changes_add(struct changes *list, struct change *c); /* takes c, which lives on the arena */
/* The class by path and values, as classes.def says. */
enum change_class change_classify(const struct change *c);
const char *change_class_name(enum change_class class);
/* "image and env": the classes of these changes, each once, `other` by its first place. */
const char *changes_classes(const struct changes *list, size_t *count); /* NULL: not counted */
const char *change_op_name(enum change_op op);

#define change_each(c, list) for (struct change *c = (list)->first; c; c = c->next)

#endif
