/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk behind diff.h: two values of one type, side by side, a change for each place where they
 * differ in Kubernetes' sense. Values are borrowed.
 */
#ifndef PERCH_K8S_DIFF_WALK_H
#define PERCH_K8S_DIFF_WALK_H

#include "k8s/change.h"
#include "k8s/path.h"

struct diff_walk {
	struct changes *out;
	struct path old_path, new_path; /* the same place in either object */
	bool (*skip)(const char *path); /* NULL: nothing is left out */
};

/* `field`: the one that holds the values, for a list's keys; NULL otherwise. Absent values are NULL. */
void diff_walk(struct diff_walk *d, const struct tree *old_value, const struct tree *new_value,
	       const struct schema_type *type, const struct schema_field *field);
/* One step down both paths by a map key, and up again with diff_up(). */
struct diff_mark {
	struct path_mark old_mark, new_mark;
};
struct diff_mark diff_down(struct diff_walk *d, const char *key);
void diff_up(struct diff_walk *d, struct diff_mark mark);

/* Is it the node selector by which Flagger parks a DaemonSet? */
bool diff_parking(const char *path);

/* Pairs the items of two keyed lists: item i of `a` is item pairs[i] of `b`, PAIR_NONE if none. */
#define PAIR_NONE ((size_t)-1)
size_t *diff_pairs(const char *const *a, size_t n, const char *const *b, size_t m);

#endif
