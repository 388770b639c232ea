/* SPDX-License-Identifier: Apache-2.0 */
/*
 * go-spew's `%#v` text of a decoded Kubernetes value, byte for byte (flagger.md §2.2), straight from
 * the JSON tree and the schema of one minor, streamed into FNV-1a: the text, about 7 KB for a pod
 * template, is never in memory unless it is asked for. Decoding is what client-go does: unknown
 * fields are dropped, null leaves a zero, an empty list or map is not nil.
 */
#ifndef PERCH_FLAGGER_SPEW_H
#define PERCH_FLAGGER_SPEW_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "k8s/schema.h"

#define SPEW_FNV_START 2166136261u

enum spew_result {
	SPEW_OK,
	SPEW_UNDECODABLE, /* Go could not decode the value; schema_check() tells where */
	SPEW_UNKNOWABLE,  /* the text depends on Flagger's process: a set time, managed fields */
};

struct spew {
	uint32_t fnv;        /* of all text so far; begins with SPEW_FNV_START */
	struct buffer *text; /* where the text goes too, or NULL */
	int minor;
	enum spew_result result;
	/* A map field that is printed without this key, and as an empty map where it is nil; or NULL. */
	const struct schema_field *stripped;
	const char *stripped_key;
};

void spew_text(struct spew *s, const char *text, size_t len);
void spew_integer(struct spew *s, int64_t n);
void spew_fail(struct spew *s, enum spew_result result);
/* "(v1.PodTemplateSpec){…}"; value NULL is the type's zero. Sets s->result where it fails. */
void spew_value(struct spew *s, const struct schema_type *type, const struct tree *value);

/* "{i:(resource.int64Amount){…} … }" of a quantity's text (spew_quantity.c). */
void spew_quantity(struct spew *s, const char *text);

#define SPEW_LITERAL(s, literal) spew_text((s), (literal), sizeof(literal) - 1)

#endif
