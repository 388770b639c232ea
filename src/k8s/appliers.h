/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function per applier, for apply.c alone: what the object would be before the server decodes,
 * defaults and stores it. `desired` has only fields that the server knows; both are typed right.
 */
#ifndef PERCH_K8S_APPLIERS_H
#define PERCH_K8S_APPLIERS_H

#include "k8s/apply.h"
#include "k8s/schema.h"

struct application {
	const struct tree *desired, *live;
	const struct applier *applier;
	const struct schema_type *type;
	int minor;
	struct notes *warnings;
};

/* NULL with ERR_INPUT where the applier can't send the object. */
typedef const struct tree *apply_by(const struct application *a, struct error *err);

/* A three-way strategic merge patch and what the server makes of it; original NULL: two-way. */
const struct tree *apply_patched(const struct application *a, const struct tree *original,
				 struct error *err);

apply_by apply_server_side, apply_client_side, apply_helm, apply_replace, apply_two_way;

#endif
