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

#include "base/error.h"
#include "value/tree.h"

/* One value that fills the text (blanks around it are fine). The text needs no NUL. */
const struct tree *json_parse(const char *text, size_t len, const char *name, struct error *err);

/*
 * Splits a top-level object whose `items` is a list (a kubectl List) into its items, or gives the
 * object itself where it has no items; also a stream of such objects one after another. Nothing but
 * one item is in memory at a time. `read` fills a buffer and returns the bytes read, 0 at the end,
 * -1 on failure. `item` gets each item's bytes with its offset in the input; it returns 0 to go on.
 */
struct json_split {
	long (*read)(void *arg, char *buf, size_t size, struct error *err);
	int (*item)(void *arg, const char *text, size_t len, uint64_t offset, struct error *err);
	void *arg;
	const char *name;
};
int json_split(const struct json_split *s, struct error *err);

#endif
