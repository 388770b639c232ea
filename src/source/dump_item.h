/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One object on its way into a dump: looked at by its outline, checked, and put into the indices.
 * For those who read dumps (dump_read.c) and those who make them (dump_spool.c); all others use
 * dump.h. Errors are ERR_INPUT with `name:line:`.
 */
#ifndef PERCH_SOURCE_DUMP_ITEM_H
#define PERCH_SOURCE_DUMP_ITEM_H

#include "source/dump.h"

struct dump_item {
	const char *text;
	size_t len;
	uint64_t offset; /* of its first byte in the whole dump */
	const char *name; /* of its file, and the line on which it begins: for errors */
	unsigned line;
};

int dump_take(bool *taken, struct dump *d, const struct dump_item *item, const struct dump_filter *filter,
	      struct error *err);
/* apiVersion, kind and metadata, without what an index doesn't need. */
const struct tree *dump_outline(const char *text, size_t len, const char *name, struct error *err);
const char *dump_target_name(const struct tree *canary); /* "" where it names none */
/* KIND_OTHER for a name that is none. */
enum object_kind dump_kind_named(const char *name);

#endif
