/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one value of perch: a JSON tree. cJSON stands behind it, and only tree.[ch] name cJSON. YAML
 * is loaded into it too (yaml.h), JSON through json.h. A tree is const once loaded; what changes one
 * builds a new one, sharing nothing with the old (a cJSON child knows one parent), so tree_copy()
 * what you keep. Everything lives on the arena and is never freed one by one.
 *
 * NULL is "absent" and every reader takes it: absent, null and zero stay distinct. Map look-ups are
 * case-sensitive. Maps have no duplicate keys (the loaders keep the last). Depth, nodes and bytes
 * are bounded at load, so walkers may recurse freely.
 *
 * Numbers: a plain integer of at most 15 digits is held as such; every other spelling (1.0, 8e1,
 * 9007199254740993, -0) keeps its text, so nothing is ever rounded.
 */
#ifndef PERCH_VALUE_TREE_H
#define PERCH_VALUE_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define TREE_MAX_DEPTH 128
#define TREE_MAX_NODES ((size_t)4 << 20)
#define TREE_MAX_BYTES ((size_t)256 << 20)

struct tree; /* a cJSON node, never looked into elsewhere */

enum tree_kind {
	TREE_ABSENT,
	TREE_NULL,
	TREE_BOOL,
	TREE_NUMBER,
	TREE_STRING,
	TREE_LIST,
	TREE_MAP,
};

/* Puts cJSON on the arena; main calls it first. */
void tree_init(void);

/* Reading. Any of these takes NULL. */
static inline const cJSON *tree_node(const struct tree *t)
{
	return (const cJSON *)t;
}

enum tree_kind tree_kind(const struct tree *t);
const char *tree_kind_name(enum tree_kind kind); /* "string", "list", … as an error names it */

static inline const struct tree *tree_first(const struct tree *t)
{
	return t ? (const struct tree *)tree_node(t)->child : NULL;
}

static inline const struct tree *tree_next(const struct tree *t)
{
	return (const struct tree *)tree_node(t)->next;
}

static inline const char *tree_key(const struct tree *t)
{
	return tree_node(t)->string;
}

#define tree_each(child, parent) \
	for (const struct tree *child = tree_first(parent); child; child = tree_next(child))

size_t tree_len(const struct tree *t);                            /* children of a list or map */
const struct tree *tree_get(const struct tree *map, const char *key); /* NULL: absent or no map */
const struct tree *tree_at(const struct tree *list, size_t index);
/* tree_path(t, "spec", "template", NULL): maps only; NULL where a step is absent. */
const struct tree *tree_path(const struct tree *t, ...) __attribute__((sentinel));
const char *tree_string(const struct tree *t);  /* NULL unless a string */
const char *tree_string_or(const struct tree *t, const char *fallback);
bool tree_true(const struct tree *t);           /* is it the boolean true? */
/* An integral number in any spelling (80, 80.0, 8e1) within int64; false for anything else. */
bool tree_int64(const struct tree *t, int64_t *out);
/* The same, but only where it is spelled plainly, without point and exponent. */
bool tree_plain_int64(const struct tree *t, int64_t *out);
/* The text of a number as it was spelled; NULL unless a number. */
const char *tree_number(const struct tree *t);
/* The same without the arena: spelled into `room` where it is held as an integer. */
#define TREE_NUMBER_SIZE 24
const char *tree_number_text(const struct tree *t, char room[TREE_NUMBER_SIZE]);
bool tree_empty(const struct tree *t);          /* absent, null, or a list or map without children */
/* JSON equality: maps without order, lists with it, numbers by exact value. */
bool tree_same(const struct tree *a, const struct tree *b);
/* The children of a map sorted bytewise by key, then NULL. */
const struct tree **tree_sorted(const struct tree *map);

/* Building. The value handed over belongs to its new parent from then on. */
struct tree *tree_new_map(void);
struct tree *tree_new_list(void);
struct tree *tree_new_string(const char *s);
struct tree *tree_new_number(const char *text); /* text must be a JSON number */
struct tree *tree_new_int(int64_t n);
struct tree *tree_new_bool(bool b);
struct tree *tree_new_null(void);
struct tree *tree_copy(const struct tree *t);   /* NULL for NULL */
void tree_put(struct tree *map, const char *key, struct tree *value); /* in place if there, else last */
void tree_add(struct tree *map, const char *key, struct tree *value); /* key is known to be new */
void tree_replace(struct tree *parent, struct tree *old, struct tree *value); /* keeps the key */
void tree_detach(struct tree *parent, struct tree *child);
void tree_append(struct tree *list, struct tree *value);
void tree_remove(struct tree *map, const char *key);
/* The children of a tree under construction, to be changed in place. */
struct tree *tree_get_mutable(struct tree *map, const char *key);
struct tree *tree_at_mutable(struct tree *list, size_t index);

/*
 * For json.c alone: text that its guard has passed. `marked`: some strings stand for numbers; they
 * begin with a byte that valid text never has. NULL only where the guard and cJSON disagree.
 */
#define TREE_NUMBER_MARK ((char)0xFF)
struct tree *tree_parse(const char *text, size_t len, bool marked);

/* Writing, as JSON. indent 0 is one line without blanks, else that many blanks a level. */
void tree_print(struct buffer *out, const struct tree *t, int indent);
/* The same with map keys sorted bytewise: equal trees print alike. */
void tree_print_canonical(struct buffer *out, const struct tree *t);
/* A string in JSON quotes, escaping what JSON must and no more. */
void tree_print_string(struct buffer *out, const char *s);

#endif
