/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "k8s/appliers.h"
#include "k8s/owners.h"

/* Helm 3 and Flux's helm-controller, as managedFields name their Updates. */
static bool is_helm(const struct owner *o, const char *manager)
{
	if (manager)
		return strcmp(o->manager, manager) == 0;
	return strcmp(o->manager, "helm") == 0 || strcmp(o->manager, "helm-controller") == 0;
}

/* The last release's manifest lies in a Secret; what Helm owns of the object stands in for it. */
const struct tree *apply_helm(const struct application *a, struct error *err)
{
	struct fieldset *owned = NULL;

	for (const struct owner *o = owners_read(a->live); o; o = o->next)
		if (is_helm(o, a->applier->manager))
			owned = fieldset_union(owned, o->fields);
	if (!owned && a->live)
		note_add(a->warnings, "helm: no field of the live object is Helm's, nothing is removed");
	return apply_patched(a, owned ? fieldset_extract(a->live, owned, a->type, a->minor) : NULL, err);
}
