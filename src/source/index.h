/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the objects of a dump are: 12 bytes each, whatever their names, so that a fleet's size
 * hardly shows in memory. An entry is a key, which says what the object is (28 bits of a hash of
 * namespace and name, 4 of kind), and its place: offset (40 bits) and length (24) in the dump. Two
 * names may share a key; who looks one up reads the object and compares.
 */
#ifndef PERCH_SOURCE_INDEX_H
#define PERCH_SOURCE_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "k8s/object.h"

#define INDEX_MAX_OFFSET ((uint64_t)1 << 40)
#define INDEX_MAX_LENGTH ((uint64_t)1 << 24)

struct index_entry {
	uint32_t key;
	uint64_t place;
};

struct index_chunk;

struct index {
	struct index_chunk **chunks;
	size_t count, n_chunks, cap_chunks;
};

uint32_t index_key(enum object_kind kind, const char *namespace, const char *name);
static inline enum object_kind index_kind(uint32_t key)
{
	return (enum object_kind)(key & 15);
}
static inline uint64_t index_place(uint64_t offset, uint64_t length)
{
	return offset << 24 | length;
}
static inline uint64_t index_offset(uint64_t place)
{
	return place >> 24;
}
static inline size_t index_length(uint64_t place)
{
	return (size_t)(place & (INDEX_MAX_LENGTH - 1));
}

void index_add(struct index *x, uint32_t key, uint64_t place);
/* Takes out the entries of a kind whose place is not before this one. */
void index_drop(struct index *x, enum object_kind kind, uint64_t place);
struct index_entry index_at(const struct index *x, size_t i);
/* Once all is added: sorted by key, then by place. */
void index_sort(struct index *x);
/* The first entry with this key; x->count if there is none. The others follow it. */
size_t index_find(const struct index *x, uint32_t key);

#endif
