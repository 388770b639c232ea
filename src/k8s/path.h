/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a walk is: DESIGN.md's path text (`spec.template.spec.containers[web].env[LEVEL].value`) and
 * the RFC 6901 pointer of the same place, grown and cut back together as the walk goes down and up.
 * Map keys of other bytes than letters, digits, `_` and `-` stand in brackets; so do list items: by
 * key (`[web]`, `[8080/TCP]`, a repeated one `[A#2]`), else by index.
 */
#ifndef PERCH_K8S_PATH_H
#define PERCH_K8S_PATH_H

#include "base/buffer.h"
#include "k8s/schema.h"

struct path {
	struct buffer text, pointer;
};

struct path_mark {
	size_t text, pointer;
};

/* Each goes one step down and returns what path_back() needs to come up again. */
struct path_mark path_key(struct path *p, const char *key);
struct path_mark path_item(struct path *p, const char *key, size_t index); /* key NULL: by index */
void path_back(struct path *p, struct path_mark mark);
/* Copies on the arena. */
const char *path_text(const struct path *p);
const char *path_pointer(const struct path *p);

/*
 * The key of a list item by the list's field (`LEVEL`, `8080/TCP`), absent parts by their default;
 * NULL where the list has no keys or the item none of them.
 */
const char *path_item_key(const struct tree *item, const struct schema_field *list);
/* The keys of all items, repeated ones numbered; NULLs where there is none. */
const char **path_item_keys(const struct tree *items, size_t n, const struct schema_field *list);

#endif
