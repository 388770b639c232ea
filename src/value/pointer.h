/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 6901 pointers into a tree: `/spec/template/spec/containers/0/image`, with ~1 for a slash and
 * ~0 for a tilde in a key. The empty pointer is the tree itself.
 */
#ifndef PERCH_VALUE_POINTER_H
#define PERCH_VALUE_POINTER_H

#include "value/tree.h"

/* Takes the next token off a pointer, unescaped, on the arena; NULL at the end. */
const char *pointer_next(const char **pointer);
/* The child that a token names: a map's by key, a list's by index; NULL where there is none. */
const struct tree *pointer_step(const struct tree *t, const char *token);
/* The value at a pointer; NULL where a step is absent. */
const struct tree *pointer_get(const struct tree *t, const char *pointer);
/* Adds one token, escaped. */
void pointer_add(struct buffer *pointer, const char *token);

#endif
