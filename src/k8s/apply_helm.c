/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "k8s/appliers.h"
#include "k8s/defaults.h"
#include "k8s/owners.h"

/* Helm 3 and Flux's helm-controller, as managedFields name their Updates. */
static bool is_helm(const struct owner *o, const char *manager)
{
	if (manager)
		return strcmp(o->manager, manager) == 0;
	return strcmp(o->manager, "helm") == 0 || strcmp(o->manager, "helm-controller") == 0;
}

static struct tree *pod_of(const struct tree *object)
{
	return (struct tree *)tree_path(object, "spec", "template", "spec", NULL);
}

/* Both names of the service account are Helm's, but its manifest had one: the one that it still has. */
static void drop_twin(struct tree *previous, const struct tree *desired)
{
	const struct tree *now = pod_of(desired);
	bool old_name = tree_get(now, "serviceAccount") && !tree_get(now, "serviceAccountName");

	if (pod_of(previous))
		tree_remove(pod_of(previous), old_name ? "serviceAccountName" : "serviceAccount");
}

/*
 * The last release's manifest lies in a Secret; what Helm owns of the object stands in for it. Of
 * that the server's defaults, which a create leaves to Helm too, were never in a manifest.
 */
const struct tree *apply_helm(const struct application *a, struct error *err)
{
	struct fieldset *owned = NULL;
	struct tree *previous = NULL;

	for (const struct owner *o = owners_read(a->live); o; o = o->next)
		if (is_helm(o, a->applier->manager))
			owned = fieldset_union(owned, o->fields);
	if (owned)
		previous = fieldset_extract(a->live, owned, a->type, a->minor);
	else if (a->live)
		note_add(a->warnings, "helm: no field of the live object is Helm's, nothing is removed");
	if (previous) {
		defaults_strip(previous, a->live, a->type, NULL, a->minor);
		drop_twin(previous, a->desired);
	}
	return apply_patched(a, previous, err);
}
