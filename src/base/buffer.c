/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

static bool reserve(struct buffer *b, size_t more)
{
	size_t max = b->max ? b->max : BUFFER_MAX, cap = b->cap ? b->cap : 256;

	if (b->full || more > max - b->len) {
		b->full = true;
		return false;
	}
	while (cap < b->len + more + 1)
		cap *= 2;
	if (cap > b->cap) {
		b->data = arena_grow(b->data, b->cap, cap);
		b->cap = cap;
	}
	return true;
}

void buffer_add(struct buffer *b, const char *data, size_t len)
{
	if (!reserve(b, len))
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buffer_str(struct buffer *b, const char *s)
{
	buffer_add(b, s, strlen(s));
}

void buffer_char(struct buffer *b, char c)
{
	buffer_add(b, &c, 1);
}

void buffer_printf(struct buffer *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n > 0 && reserve(b, (size_t)n)) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

const char *buffer_text(const struct buffer *b)
{
	return b->len ? b->data : "";
}
