/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/flux.h"

#include <string.h>
#include <strings.h>

#include "k8s/object.h"

#define MANAGER "kustomize-controller"
#define SSA "kustomize.toolkit.fluxcd.io/ssa"
#define RECONCILE "kustomize.toolkit.fluxcd.io/reconcile"

bool flux_applies(const char *manager)
{
	return manager && strcmp(manager, MANAGER) == 0;
}

static bool says(const struct tree *object, const char *key, const char *value)
{
	const char *label = object_label(object, key), *annotation = object_annotation(object, key);

	return (label && strcasecmp(label, value) == 0) || (annotation && strcasecmp(annotation, value) == 0);
}

bool flux_merges(const struct tree *desired, const struct tree *live)
{
	return says(desired, SSA, "Merge") || says(live, SSA, "Merge");
}

const char *flux_skips(const struct tree *desired, const struct tree *live)
{
	if (says(desired, RECONCILE, "disabled") || says(live, RECONCILE, "disabled"))
		return RECONCILE ": disabled";
	if (says(desired, SSA, "Ignore") || says(live, SSA, "Ignore"))
		return SSA ": Ignore";
	if (live && says(desired, SSA, "IfNotPresent"))
		return SSA ": IfNotPresent";
	return NULL;
}
