/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whom a server-side apply takes fields from: what it adds or gives another value (as spelled, an
 * atomic list, map or struct as one) and another manager's entry holds. An apply without force
 * would be refused for these; both engines force. Source: structured-merge-diff, Typed.Compare.
 */
#ifndef PERCH_K8S_CONFLICTS_H
#define PERCH_K8S_CONFLICTS_H

#include "base/notes.h"
#include "k8s/owners.h"

/* A note per field and manager: "conflict: PATH: taken over from MANAGER". */
void conflicts_note(struct notes *out, const struct tree *live, const struct tree *merged,
		    const struct schema_type *type, int minor, const struct owner *owners,
		    const char *manager);

#endif
