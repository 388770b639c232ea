/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The references of a pod spec to ConfigMaps and Secrets that Flagger's config tracker knows, in
 * the order in which it scans them: volumes, then the containers, then the init containers. All
 * else (imagePullSecrets, CSI, ephemeral containers, …) it never looks at. Source: flagger.md §4.
 */
#ifndef PERCH_FLAGGER_REFS_H
#define PERCH_FLAGGER_REFS_H

#include <stdbool.h>

#include "k8s/object.h"

struct ref {
	enum object_kind kind;     /* KIND_CONFIGMAP or KIND_SECRET */
	const char *name;          /* never empty */
	bool optional, in_init;
	const struct tree *holder; /* the map that holds the name … */
	const char *field;         /* … under this key */
};

typedef void ref_visit(void *arg, const struct ref *ref);
void refs_each(const struct tree *pod_spec, ref_visit *visit, void *arg);
/* `configmap/NAME` or `secret/NAME`, as status.trackedConfigs spells it; on the arena. */
const char *ref_key(enum object_kind kind, const char *name);

#endif
