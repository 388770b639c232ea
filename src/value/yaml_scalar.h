/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a YAML scalar means, as go-yaml v2 resolves it (YAML 1.1 without base 60 and timestamps):
 * booleans y/yes/on, null, integers in Go's bases with underscores, floats, !!tags. Source: resolve.go.
 */
#ifndef PERCH_VALUE_YAML_SCALAR_H
#define PERCH_VALUE_YAML_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum scalar_kind {
	SCALAR_STRING,
	SCALAR_NULL,
	SCALAR_BOOL,
	SCALAR_INT,
	SCALAR_UINT, /* beyond int64 */
	SCALAR_FLOAT,
};

struct scalar {
	enum scalar_kind kind;
	const char *text; /* a string; on the arena or the text that was given */
	bool truth;
	int64_t integer;
	uint64_t natural;
	double real;
};

#define FLOAT_SIZE 48

/* An untagged plain scalar has tag ""; -1 where the text doesn't fit its tag. */
int scalar_resolve(struct scalar *out, const char *tag, const char *text);
/* How JSON spells a scalar that is a key; NULL for null and integers beyond int64, which are none. */
const char *scalar_key(const struct scalar *s);
/* A finite float as Go's JSON encoder prints it. */
void scalar_float_json(char out[FLOAT_SIZE], double d);
/* A float as sigs.k8s.io/yaml spells one that is a key: as a float32. */
void scalar_float_key(char out[FLOAT_SIZE], double d);
/* What !!binary stands for, bytes that are no UTF-8 replaced as Go does; NULL: no base64. */
const char *scalar_binary(const char *base64);
/* One of the forms that !!timestamp takes. */
bool scalar_is_timestamp(const char *text);
const char *scalar_tag_name(const char *tag); /* "!!int" for tag:yaml.org,2002:int */

#endif
