/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defaults and feature gates: what an API server of some minor adds to a decoded object and what it
 * drops before it stores it (rules.def; kubernetes-diff.md §2.4, §2.10). Both change a tree that
 * normalise() made, in place.
 */
#ifndef PERCH_K8S_DEFAULTS_H
#define PERCH_K8S_DEFAULTS_H

#include "base/notes.h"
#include "k8s/schema.h"

/* Fills what is absent. */
void defaults_fill(struct tree *value, const struct schema_type *type, int minor);

/* Takes out of `part`, a part of `whole`, what `whole` would be given as a default if it lacked it. */
void defaults_strip(struct tree *part, const struct tree *whole, const struct schema_type *type,
		    const struct schema_field *field, int minor);

/*
 * The twins and the leftovers that conversion to the server's internal type evens out in a pod
 * template: serviceAccount is serviceAccountName, init containers have no annotations.
 */
void defaults_convert(struct tree *template);

/* Drops from the object's pod template what the server has switched off and `old` doesn't use. */
void defaults_gate(struct tree *object, const struct tree *old, int minor, struct notes *warnings);

#endif
