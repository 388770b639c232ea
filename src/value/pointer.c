/* SPDX-License-Identifier: Apache-2.0 */
#include "value/pointer.h"

#include <string.h>

#include "base/arena.h"

const char *pointer_next(const char **pointer)
{
	const char *at = *pointer;
	char *token, *out;

	if (*at != '/')
		return NULL;
	at++;
	token = out = arena_alloc(strcspn(at, "/") + 1);
	for (; *at && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			*out++ = *++at == '1' ? '/' : '~';
		else
			*out++ = *at;
	}
	*pointer = at;
	return token;
}

/* An index as RFC 6901 spells it: digits, none to spare. */
static bool read_index(size_t *out, const char *token)
{
	size_t n = 0;

	if (!*token || strspn(token, "0123456789") != strlen(token) || strlen(token) > 9 ||
	    (*token == '0' && token[1]))
		return false;
	for (; *token; token++)
		n = n * 10 + (size_t)(*token - '0');
	*out = n;
	return true;
}

const struct tree *pointer_step(const struct tree *t, const char *token)
{
	size_t index;

	if (tree_kind(t) == TREE_LIST)
		return read_index(&index, token) ? tree_at(t, index) : NULL;
	return tree_get(t, token);
}

const struct tree *pointer_get(const struct tree *t, const char *pointer)
{
	const char *token;

	while (t && (token = pointer_next(&pointer)))
		t = pointer_step(t, token);
	return t;
}

void pointer_add(struct buffer *pointer, const char *token)
{
	buffer_char(pointer, '/');
	for (; *token; token++) {
		if (*token == '~' || *token == '/')
			buffer_str(pointer, *token == '/' ? "~1" : "~0");
		else
			buffer_char(pointer, *token);
	}
}
