/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: one arena per run. Nothing is freed one by one; a loop over a fleet takes a mark before
 * each canary and rewinds to it after. Allocations are zeroed and aligned for any type; running out
 * of memory ends the process. ARENA_DEBUG=1 in the environment gives each allocation a malloc of
 * its own, so that sanitizers and valgrind see overruns and use after rewind.
 */
#ifndef PERCH_BASE_ARENA_H
#define PERCH_BASE_ARENA_H

#include <stddef.h>

struct arena_mark {
	void *block;
	size_t used;
};

void *arena_alloc(size_t size);
/* Like arena_alloc, but the bytes are whatever they were. */
void *arena_alloc_raw(size_t size);
/* Grows the newest allocation in place when it can, else copies. */
void *arena_grow(void *p, size_t old_size, size_t new_size);
char *arena_strdup(const char *s);
char *arena_strndup(const char *s, size_t n);
char *arena_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

struct arena_mark arena_mark(void);
void arena_rewind(struct arena_mark mark);
/* Gives all back: main calls it at exit, so that leak checkers see a clean house. */
void arena_release(void);

#define NEW(type) ((type *)arena_alloc(sizeof(type)))
#define NEW_ARRAY(type, n) ((type *)arena_alloc(sizeof(type) * (size_t)(n)))

#endif
