/* SPDX-License-Identifier: Apache-2.0 */
#include "source/index.h"

#include <stdbool.h>

#include "base/arena.h"

#define CHUNK 2048

/* Keys and places apart, or each entry would be padded to 16 bytes. */
struct index_chunk {
	uint64_t places[CHUNK];
	uint32_t keys[CHUNK];
};

static uint64_t mix(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (h ^ '/') * UINT64_C(1099511628211);
}

uint32_t index_key(enum object_kind kind, const char *namespace, const char *name)
{
	uint64_t h = mix(mix(UINT64_C(14695981039346656037), namespace), name);

	return (uint32_t)(h ^ h >> 32) << 4 | (uint32_t)kind;
}

struct index_entry index_at(const struct index *x, size_t i)
{
	const struct index_chunk *chunk = x->chunks[i / CHUNK];

	return (struct index_entry){chunk->keys[i % CHUNK], chunk->places[i % CHUNK]};
}

static void set(const struct index *x, size_t i, struct index_entry e)
{
	struct index_chunk *chunk = x->chunks[i / CHUNK];

	chunk->keys[i % CHUNK] = e.key;
	chunk->places[i % CHUNK] = e.place;
}

/* In chunks, since what outgrows its place on the arena leaves the old one behind. */
void index_add(struct index *x, uint32_t key, uint64_t place)
{
	if (x->count == x->n_chunks * CHUNK) {
		if (x->n_chunks == x->cap_chunks) {
			size_t cap = x->cap_chunks ? x->cap_chunks * 2 : 64;

			x->chunks = arena_grow(x->chunks, x->cap_chunks * sizeof(*x->chunks),
					       cap * sizeof(*x->chunks));
			x->cap_chunks = cap;
		}
		x->chunks[x->n_chunks++] = arena_alloc_raw(sizeof(**x->chunks));
	}
	set(x, x->count++, (struct index_entry){key, place});
}

void index_drop(struct index *x, enum object_kind kind, uint64_t place)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->count; i++) {
		struct index_entry e = index_at(x, i);

		if (index_kind(e.key) != kind || e.place < place)
			set(x, kept++, e);
	}
	x->count = kept;
}

static bool less(struct index_entry a, struct index_entry b)
{
	return a.key != b.key ? a.key < b.key : a.place < b.place;
}

static void sift_down(const struct index *x, size_t root, size_t count)
{
	struct index_entry moved = index_at(x, root);
	size_t child;

	while ((child = 2 * root + 1) < count) {
		if (child + 1 < count && less(index_at(x, child), index_at(x, child + 1)))
			child++;
		if (!less(moved, index_at(x, child)))
			break;
		set(x, root, index_at(x, child));
		root = child;
	}
	set(x, root, moved);
}

/* Heapsort: in place, where qsort() would take as much memory again. */
void index_sort(struct index *x)
{
	for (size_t i = x->count / 2; i-- > 0;)
		sift_down(x, i, x->count);
	for (size_t n = x->count; n-- > 1;) {
		struct index_entry first = index_at(x, 0);

		set(x, 0, index_at(x, n));
		set(x, n, first);
		sift_down(x, 0, n);
	}
}

size_t index_find(const struct index *x, uint32_t key)
{
	size_t lo = 0, hi = x->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (index_at(x, mid).key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < x->count && index_at(x, lo).key == key ? lo : x->count;
}
