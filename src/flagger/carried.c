/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/carried.h"

#include "k8s/defaults.h"
#include "k8s/normalise.h"

const struct tree *carried(const struct tree *forward, enum object_kind kind, int minor)
{
	const struct schema_type *type = schema_content(kind);
	struct notes dropped = {0};
	struct error err;
	struct tree *out = tree_copy(forward);
	struct tree *known = normalise_known(tree_path(forward, "spec", "template", NULL), type, minor,
					     &dropped, &err);

	if (!known)
		return NULL;
	known = normalise(known, type, schema_newest());
	defaults_fill(known, type, schema_newest());
	tree_put(tree_get_mutable(out, "spec"), "template", known);
	return out;
}
