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

static bool is_helm(const char *manager)
{
	return strcmp(manager, "helm") == 0 || strcmp(manager, "helm-controller") == 0;
}

/* Who brings what is in Git; beside it injectors apply, too. Helm 4 does by the name of Helm 3. */
static bool is_engine(const char *manager)
{
	return strcmp(manager, "argocd-controller") == 0 || strcmp(manager, "kustomize-controller") == 0 ||
	       strcmp(manager, "kubectl") == 0 || is_helm(manager);
}

struct applier applier_find(const struct tree *live, struct notes *warnings)
{
	const char *only = NULL, *engine = NULL, *helm = NULL;
	struct owner *list = owners_read(live);
	size_t candidates = 0, engines = 0;
	bool noted = object_annotation(live, LAST_APPLIED);

	for (const struct owner *o = list; o; o = o->next) {
		if (o->apply && !is_ours(o->manager)) {
			only = o->manager;
			candidates++;
		}
		if (o->apply && is_engine(o->manager)) {
			engine = o->manager;
			engines++;
		}
		if (!o->apply && is_helm(o->manager))
			helm = o->manager;
	}
	if (candidates == 1 && (engines || (!noted && !helm)))
		return (struct applier){APPLIER_SERVER_SIDE, only, "only Apply manager"};
	if (engines == 1)
		return (struct applier){APPLIER_SERVER_SIDE, engine, "only engine that applies"};
	if (noted)
		return (struct applier){APPLIER_CLIENT_SIDE, NULL, "last-applied-configuration"};
	if (engines == 0 && helm)
		return (struct applier){APPLIER_HELM, helm, "Update entry of Helm"};
	if (live && candidates)
		note_add(warnings, "applier: %zu managers apply the object, so a two-way merge is assumed; say --applier",
			 candidates);
	else if (live)
		note_add(warnings, "applier: %s, so a two-way merge is assumed; say --applier",
			 list ? "nothing tells who applies the object" : "the object has no managedFields");
	return (struct applier){APPLIER_TWO_WAY, NULL, "nothing tells"};
}
