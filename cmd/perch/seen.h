/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which objects were met already, by uid, over several readings of a cluster: a set that is allocated
 * once, before the arena is rewound between readings. Full, it forgets: an object may then count as
 * new twice.
 */
#ifndef PERCH_SEEN_H
#define PERCH_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "value/tree.h"

struct seen_objects {
	uint64_t *slots; /* hashes of uids; 0 is free */
};

struct seen_objects seen_new(void);
bool seen_has(const struct seen_objects *s, const struct tree *object);
/* Is it new? */
bool seen_add(struct seen_objects *s, const struct tree *object);

#endif
