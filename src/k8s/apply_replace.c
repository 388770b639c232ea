/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/appliers.h"
#include "k8s/object.h"

/* What the server keeps of the old object whatever is put in its place. */
static void carry(struct tree *to, const struct tree *from, const char *const *keys)
{
	for (; *keys; keys++)
		if (tree_get(from, *keys) && !tree_get(to, *keys))
			tree_put(to, *keys, tree_copy(tree_get(from, *keys)));
}

static struct tree *map_in(struct tree *map, const char *key)
{
	if (tree_kind(tree_get(map, key)) != TREE_MAP)
		tree_put(map, key, tree_new_map());
	return tree_get_mutable(map, key);
}

const struct tree *apply_replace(const struct application *a, struct error *err)
{
	static const char *const meta[] = {"uid", "resourceVersion", "generation", "creationTimestamp",
					   "managedFields", "ownerReferences", "finalizers", NULL};
	static const char *const service[] = {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy",
					      "healthCheckNodePort", NULL};
	struct tree *put = tree_copy(a->desired);

	(void)err;
	if (!a->live)
		return put;
	carry(map_in(put, "metadata"), tree_get(a->live, "metadata"), meta);
	if (object_kind(put) == KIND_SERVICE)
		carry(map_in(put, "spec"), tree_get(a->live, "spec"), service);
	return put;
}
