/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server-side apply's merge: nothing goes, what the applied object says wins, keyed lists are
 * merged by key and take its order. Source: sigs.k8s.io/structured-merge-diff, typed.Merge.
 */
#ifndef PERCH_K8S_MERGE_H
#define PERCH_K8S_MERGE_H

#include "base/error.h"
#include "k8s/schema.h"

/* What server-side apply refuses: ERR_INPUT where a keyed list repeats a key or an item has none. */
int merge_check(const struct tree *applied, const struct schema_type *type, int minor,
		struct error *err);

/* A new tree. `applied` has passed merge_check(). */
struct tree *merge_applied(const struct tree *live, const struct tree *applied,
			   const struct schema_type *type, int minor);

#endif
