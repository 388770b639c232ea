/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "k8s/apply.h"
#include "k8s/object.h"
#include "k8s/owners.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"

/* Flagger and perch write targets, but Git doesn't come through them. */
static bool is_ours(const char *manager)
{
	return strcmp(manager, "flagger") == 0 || strcmp(manager, "perch") == 0;
}

struct applier applier_find(const struct tree *live, struct notes *warnings)
{
	const char *only = NULL, *helm = NULL;
	struct owner *list = owners_read(live);
	size_t candidates = 0;

	for (const struct owner *o = list; o; o = o->next) {
		if (o->apply && !is_ours(o->manager)) {
			only = o->manager;
			candidates++;
		}
		if (!o->apply && (strcmp(o->manager, "helm") == 0 || strcmp(o->manager, "helm-controller") == 0))
			helm = o->manager;
	}
	if (candidates == 1)
		return (struct applier){APPLIER_SERVER_SIDE, only, "only Apply manager"};
	if (object_annotation(live, LAST_APPLIED))
		return (struct applier){APPLIER_CLIENT_SIDE, NULL, "last-applied-configuration"};
	if (candidates == 0 && helm)
		return (struct applier){APPLIER_HELM, helm, "Update entry of Helm"};
	if (live && candidates)
		note_add(warnings, "applier: %zu managers apply the object, so a two-way merge is assumed; say --applier",
			 candidates);
	else if (live)
		note_add(warnings, "applier: %s, so a two-way merge is assumed; say --applier",
			 list ? "nothing tells who applies the object" : "the object has no managedFields");
	return (struct applier){APPLIER_TWO_WAY, NULL, "nothing tells"};
}
