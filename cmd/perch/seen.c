/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/seen.h"

#include "base/arena.h"

#define SLOTS ((size_t)1 << 16)

static uint64_t hash_of(const struct tree *object)
{
	const char *uid = tree_string_or(tree_path(object, "metadata", "uid", NULL), "");
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *uid; uid++)
		h = (h ^ (unsigned char)*uid) * UINT64_C(1099511628211);
	return h ? h : 1;
}

/* Where it is or would be; NULL: the set is full. */
static uint64_t *slot_of(const struct seen_objects *s, uint64_t hash)
{
	for (size_t i = 0; i < SLOTS; i++) {
		uint64_t *slot = &s->slots[(hash + i) % SLOTS];

		if (*slot == hash || !*slot)
			return slot;
	}
	return NULL;
}

struct seen_objects seen_new(void)
{
	return (struct seen_objects){NEW_ARRAY(uint64_t, SLOTS)};
}

bool seen_has(const struct seen_objects *s, const struct tree *object)
{
	const uint64_t *slot = slot_of(s, hash_of(object));

	return slot && *slot;
}

bool seen_add(struct seen_objects *s, const struct tree *object)
{
	uint64_t hash = hash_of(object), *slot = slot_of(s, hash);

	if (slot && *slot)
		return false;
	if (slot)
		*slot = hash;
	return true;
}
