/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity of a Kubernetes object, read from its tree. Group, not version, counts for identity.
 * Strings are borrowed from the tree; namespace falls back to the one given (-n, else "default").
 */
#ifndef PERCH_K8S_OBJECT_H
#define PERCH_K8S_OBJECT_H

#include <stdbool.h>

#include "value/tree.h"

struct identity {
	const char *group;      /* "apps", "" for core */
	const char *kind;
	const char *namespace;
	const char *name;
};

struct identity object_identity(const struct tree *object, const char *fallback_namespace);
bool identity_same(const struct identity *a, const struct identity *b);
/*
 * The API server's own Lists (DeploymentList) say once for all items what they are; kubectl's List
 * leaves it to them. "Deployment" or "": the kind that a List gives its items; NULL: it is no List.
 */
const char *object_list_of(const struct tree *object);
/* The item, with apiVersion and kind of its List where it has neither. */
const struct tree *object_of_list(const struct tree *item, const struct tree *list);
const char *object_annotation(const struct tree *object, const char *key); /* NULL: absent */
const char *object_label(const struct tree *object, const char *key);
/* What perch reads, from apiVersion and kind. */
enum object_kind {
	KIND_OTHER,
	KIND_DEPLOYMENT,
	KIND_DAEMONSET,
	KIND_SERVICE,
	KIND_KNATIVE, /* Service of serving.knative.dev */
	KIND_CANARY,
	KIND_REPLICASET,
	KIND_CONTROLLERREVISION,
	KIND_CONFIGMAP,
	KIND_SECRET,
	KIND_HPA,
	KIND_SCALEDOBJECT,
	KIND_CLUSTERINFO, /* perch.dev/v1, first in a dump */
};
enum object_kind object_kind(const struct tree *object);
const char *object_kind_name(enum object_kind kind); /* "Deployment" */
/* Does it have a pod template or Service spec that Flagger hashes? */
bool object_is_target(enum object_kind kind);
/* That template (a Service's spec); NULL: absent. */
const struct tree *object_content(const struct tree *object, enum object_kind kind);

#endif
