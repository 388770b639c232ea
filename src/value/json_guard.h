/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guard pass over JSON text, for json.c alone. It checks the whole grammar as Go's decoder does,
 * refuses what a C string can't hold, bounds depth, nodes and bytes, and writes the text anew:
 * without blanks, each number that a tree keeps as text (tree.h) as a string that begins with
 * TREE_NUMBER_MARK. What cJSON then reads needs no further look.
 */
#ifndef PERCH_VALUE_JSON_GUARD_H
#define PERCH_VALUE_JSON_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct guarded {
	const char *text;
	size_t len;
	bool marked;   /* some numbers were written as marked strings */
	bool doubtful; /* some map may hold a key twice */
};

/* `line` is the line on which the text begins. */
int json_guard(struct guarded *out, const char *text, size_t len, const char *name, unsigned line,
	       struct error *err);

#endif
