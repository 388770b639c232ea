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
	const char *typed; /* what its List says that it doesn't, as dump_typed() has it; NULL: nothing */
};

/*
 * What the API server's typed Lists (DeploymentList) say once for all items, given the text before
 * the items, closed; NULL where it says no such thing. And an item's text with it in front.
 */
const char *dump_typed(const char *text, size_t len);
const char *dump_typed_text(size_t *out_len, const char *typed, const char *text, size_t len);

int dump_take(bool *taken, struct dump *d, const struct dump_item *item, const struct dump_filter *filter,
	      struct error *err);
/* apiVersion, kind and metadata, without what an index doesn't need. */
const struct tree *dump_outline(const char *text, size_t len, const char *name, struct error *err);
/* Why this is no object that a dump may hold, or that could be missed; NULL: it is one. */
const char *dump_no_object(const struct tree *t);
int dump_nothing(const struct strings *paths, struct error *err); /* refuses a dump without any */
const char *dump_target_name(const struct tree *canary); /* "" where it names none */
/* KIND_OTHER for a name that is none. */
enum object_kind dump_kind_named(const char *name);

#endif
