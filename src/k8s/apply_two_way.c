/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/appliers.h"
#include "k8s/patch.h"

const struct tree *apply_patched(const struct application *a, const struct tree *original, struct error *err)
{
	struct tree *patch;

	if (!a->live)
		return a->desired;
	patch = patch_create(original, a->desired, a->live, a->type, a->minor, a->warnings, err);
	if (!patch)
		return NULL;
	return patch_merge(tree_copy(a->live), patch, a->type, a->minor, true, err);
}

/* Nobody's ownership is known, so what Git doesn't say stays. */
const struct tree *apply_two_way(const struct application *a, struct error *err)
{
	return apply_patched(a, NULL, err);
}
