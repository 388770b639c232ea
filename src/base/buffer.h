/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing run of bytes on the arena, always NUL-terminated once something was added. Each buffer
 * states its maximum; reaching it sets `full` and drops what comes after, so a caller checks once,
 * at the end. Zero-initialised with only .max set it is empty and ready.
 */
#ifndef PERCH_BASE_BUFFER_H
#define PERCH_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#define BUFFER_MAX ((size_t)1 << 30)

struct buffer {
	char *data;
	size_t len, cap, max; /* max 0 means BUFFER_MAX */
	bool full;
};

void buffer_add(struct buffer *b, const char *data, size_t len);
void buffer_str(struct buffer *b, const char *s);
void buffer_char(struct buffer *b, char c);
void buffer_printf(struct buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The text so far, never NULL. */
const char *buffer_text(const struct buffer *b);

#endif
