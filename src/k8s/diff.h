/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff: what differs between two objects of one kind, as Kubernetes' semantic equality sees it
 * (nil = empty list or map, quantities by value; behind a pointer {} differs from absent), ordered
 * lists by position, keyed lists by key, each change with path and class. Only spec.template (for a
 * Service spec) makes changes; what differs elsewhere becomes notes, `replicas:` first of all.
 */
#ifndef PERCH_K8S_DIFF_H
#define PERCH_K8S_DIFF_H

#include "base/notes.h"
#include "k8s/change.h"

/* Content only: old and new template (Deployment, DaemonSet) or spec (Service). */
void diff_content(struct changes *out, const struct tree *old_object, const struct tree *new_object);
/* Entries in both T and T′ under the content that `desired` doesn't name and others own. */
void diff_foreign(struct changes *out, const struct tree *desired, const struct tree *live,
		  const struct tree *applied);
/* What differs outside the content, as notes. */
void diff_notes(struct notes *out, const struct tree *old_object, const struct tree *new_object);

#endif
