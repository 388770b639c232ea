/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server-side apply's merge: nothing goes, what the applied object says wins, keyed lists are
 * merged by key and take its order. Source: sigs.k8s.io/structured-merge-diff, typed.Merge.
 */
#ifndef PERCH_K8S_MERGE_H
#define PERCH_K8S_MERGE_H

#include "base/notes.h"
#include "k8s/schema.h"

/*
 * A new tree. A list in which `applied` repeats a key is refused by the server; here it replaces
 * the live one, with a warning.
 */
struct tree *merge_applied(const struct tree *live, const struct tree *applied,
			   const struct schema_type *type, int minor, struct notes *warnings);

#endif
