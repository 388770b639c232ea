/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text to tree, and a List of any size to its items. A guard pass over the text comes before
 * cJSON: it bounds depth and bytes, refuses what Go's decoder refuses (raw control characters, bad
 * literals, trailing text) and what a C string can't hold (\u0000, lone surrogates, invalid UTF-8),
 * and keeps the spelling of numbers that a double can't hold. Errors are ERR_INPUT and begin with
 * `name:line:`. Duplicate keys: the last wins, as in Go.
 */
#ifndef PERCH_VALUE_JSON_H
#define PERCH_VALUE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "value/tree.h"

/* One value that fills the text (blanks around it are fine). The text needs no NUL. */
const struct tree *json_parse(const char *text, size_t len, const char *name, struct error *err);
/* The same for a part of a file: errors count lines from `line`, on which the text begins. */
const struct tree *json_parse_at(const char *text, size_t len, const char *name, unsigned line,
				 struct error *err);

/* For places_read() of yaml.h: the text to look in, if it is one JSON value, else NULL; and a line of it. */
const char *json_places(const char *text, size_t len);
unsigned json_line(const char *places, const char *pointer);

struct json_item {
	const char *text; /* valid during the call only */
	size_t len;
	uint64_t offset;  /* of its first byte in the input */
	unsigned line;    /* on which it begins */
};

/*
 * Splits a top-level object whose `items` is a list (a kubectl List) into its items, or gives the
 * object itself where it has no items; also a stream of such objects one after another. Nothing but
 * one item is in memory at a time (TREE_MAX_BYTES at most). `read` fills a buffer and returns the
 * bytes read, 0 at the end, -1 on failure. `item` returns 0 to go on; what it allocates it may
 * rewind only to a mark of its own call. `list`, which may be NULL, gets a List without its items
 * after the last of them (`{"kind":"DeploymentList","items":[]}`), so that an empty List shows too;
 * `items: null` is one. `begin`, which may be NULL, gets what stands before the items the same way,
 * as yet unchecked. Brackets and strings are followed; the rest json_parse_at() checks.
 */
struct json_split {
	long (*read)(void *arg, char *buf, size_t size, struct error *err);
	int (*item)(void *arg, const struct json_item *item, struct error *err);
	int (*list)(void *arg, const struct json_item *envelope, struct error *err);
	void *arg;
	const char *name;
	void (*begin)(void *arg, const char *text, size_t len);
	struct buffer *window; /* the memory to read into, kept for the next input; NULL: new */
};
int json_split(const struct json_split *s, struct error *err);
/* The same for a text at hand, which is not copied; `read` isn't asked. */
int json_split_text(const struct json_split *s, const char *text, size_t len, struct error *err);

#endif
