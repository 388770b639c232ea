/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a canary uses of the cluster: its target and primary, their autoscalers, the revisions of a
 * target that failed, and the configs that the target's Pods refer to. Secrets are told like the
 * rest; who reads leaves them out.
 */
#ifndef PERCH_SOURCE_CLUSTER_USE_H
#define PERCH_SOURCE_CLUSTER_USE_H

#include "k8s/object.h"

enum use {
	USE_TARGET,
	USE_OBJECT,  /* read as it is */
	USE_HISTORY, /* revisions that an object of this name controls */
};

/* Strings are valid during the call only. */
typedef void use_visit(void *arg, enum use use, enum object_kind kind, const char *namespace,
		       const char *name);

void use_of_canary(const struct tree *canary, use_visit *visit, void *arg);
/* Of a Deployment or DaemonSet; nothing of other kinds. */
void use_of_target(const struct tree *target, use_visit *visit, void *arg);

#endif
