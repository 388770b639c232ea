/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN 16
#define BLOCK_SIZE ((size_t)64 << 10)

struct block {
	struct block *older;
	size_t size, used;
	_Alignas(ALIGN) unsigned char bytes[];
};

static struct block *newest; /* the run's arena: with cJSON's hooks the only mutable global */
static int debug = -1;

static _Noreturn void out_of_memory(void)
{
	fputs("✗ out of memory\n", stderr);
	abort();
}

static bool debugging(void)
{
	if (debug < 0) {
		const char *env = getenv("ARENA_DEBUG");
		debug = env && *env && *env != '0';
	}
	return debug;
}

static void push_block(size_t size)
{
	struct block *b;

	if (size > SIZE_MAX - sizeof(*b))
		out_of_memory();
	b = malloc(sizeof(*b) + size);
	if (!b)
		out_of_memory();
	b->older = newest;
	b->size = size;
	b->used = 0;
	newest = b;
}

void *arena_alloc_raw(size_t size)
{
	void *p;

	if (size > SIZE_MAX - ALIGN)
		out_of_memory();
	if (debugging()) {
		push_block(size);
		newest->used = size;
		return newest->bytes;
	}
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!newest || newest->size - newest->used < size)
		push_block(size > BLOCK_SIZE / 4 ? size : BLOCK_SIZE);
	p = newest->bytes + newest->used;
	newest->used += size;
	return p;
}

void *arena_alloc(size_t size)
{
	return memset(arena_alloc_raw(size), 0, size);
}

void *arena_grow(void *p, size_t old_size, size_t new_size)
{
	size_t rounded = (old_size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	size_t want = (new_size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	void *q;

	if (p && !debugging() && newest && newest->used >= rounded &&
	    (unsigned char *)p == newest->bytes + newest->used - rounded &&
	    newest->size - (newest->used - rounded) >= want) {
		newest->used += want - rounded;
		return p;
	}
	q = arena_alloc_raw(new_size);
	if (p)
		memcpy(q, p, old_size < new_size ? old_size : new_size);
	return q;
}

char *arena_strndup(const char *s, size_t n)
{
	char *copy = arena_alloc_raw(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *arena_strdup(const char *s)
{
	return arena_strndup(s, strlen(s));
}

char *arena_printf(const char *fmt, ...)
{
	va_list ap, again;
	char *s;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	s = arena_alloc_raw((size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, again);
	va_end(again);
	return s;
}

struct arena_mark arena_mark(void)
{
	return (struct arena_mark){newest, newest ? newest->used : 0};
}

void arena_rewind(struct arena_mark mark)
{
	while (newest != mark.block) {
		struct block *older = newest->older;

		free(newest);
		newest = older;
	}
	if (newest)
		newest->used = mark.used;
}

void arena_release(void)
{
	arena_rewind((struct arena_mark){NULL, 0});
}
