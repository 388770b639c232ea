/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/object.h"

#include <string.h>

#include "base/arena.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct {
	enum object_kind kind;
	const char *group, *name;
} kinds[] = {
	{KIND_DEPLOYMENT, "apps", "Deployment"},
	{KIND_DAEMONSET, "apps", "DaemonSet"},
	{KIND_SERVICE, "", "Service"},
	{KIND_KNATIVE, "serving.knative.dev", "Service"},
	{KIND_CANARY, "flagger.app", "Canary"},
	{KIND_REPLICASET, "apps", "ReplicaSet"},
	{KIND_CONTROLLERREVISION, "apps", "ControllerRevision"},
	{KIND_CONFIGMAP, "", "ConfigMap"},
	{KIND_SECRET, "", "Secret"},
	{KIND_HPA, "autoscaling", "HorizontalPodAutoscaler"},
	{KIND_SCALEDOBJECT, "keda.sh", "ScaledObject"},
	{KIND_CLUSTERINFO, "perch.dev", "ClusterInfo"},
};

static const char *group_of(const struct tree *object)
{
	const char *version = tree_string_or(tree_get(object, "apiVersion"), "");
	const char *slash = strchr(version, '/');

	return slash ? arena_strndup(version, (size_t)(slash - version)) : "";
}

static bool in_group(const struct tree *object, const char *group)
{
	const char *version = tree_string_or(tree_get(object, "apiVersion"), "");
	size_t len = strlen(group);

	if (len == 0)
		return !strchr(version, '/');
	return strncmp(version, group, len) == 0 && version[len] == '/';
}

struct identity object_identity(const struct tree *object, const char *fallback_namespace)
{
	const struct tree *meta = tree_get(object, "metadata");
	const char *namespace = tree_string_or(tree_get(meta, "namespace"), "");

	return (struct identity){
		.group = group_of(object),
		.kind = tree_string_or(tree_get(object, "kind"), ""),
		.namespace = *namespace ? namespace : fallback_namespace,
		.name = tree_string_or(tree_get(meta, "name"), ""),
	};
}

bool identity_same(const struct identity *a, const struct identity *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->kind, b->kind) == 0 &&
	       strcmp(a->namespace, b->namespace) == 0 && strcmp(a->group, b->group) == 0;
}

const char *object_list_of(const struct tree *object)
{
	static const char list[] = "List";
	const char *kind = tree_string_or(tree_get(object, "kind"), "");
	size_t len = strlen(kind), tail = strlen(list);

	return len >= tail && strcmp(kind + len - tail, list) == 0 ? arena_strndup(kind, len - tail) : NULL;
}

const struct tree *object_of_list(const struct tree *item, const struct tree *list)
{
	const char *kind = object_list_of(list), *version = tree_string(tree_get(list, "apiVersion"));
	struct tree *copy;

	if (!kind || !*kind || !version || tree_kind(item) != TREE_MAP || tree_get(item, "kind") ||
	    tree_get(item, "apiVersion"))
		return item;
	copy = tree_copy(item);
	tree_put(copy, "apiVersion", tree_new_string(version));
	tree_put(copy, "kind", tree_new_string(kind));
	return copy;
}

const char *object_annotation(const struct tree *object, const char *key)
{
	return tree_string(tree_get(tree_path(object, "metadata", "annotations", NULL), key));
}

const char *object_label(const struct tree *object, const char *key)
{
	return tree_string(tree_get(tree_path(object, "metadata", "labels", NULL), key));
}

enum object_kind object_kind(const struct tree *object)
{
	const char *name = tree_string_or(tree_get(object, "kind"), "");

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(name, kinds[i].name) == 0 && in_group(object, kinds[i].group))
			return kinds[i].kind;
	return KIND_OTHER;
}

const char *object_kind_name(enum object_kind kind)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return "object";
}

bool object_is_target(enum object_kind kind)
{
	return kind == KIND_DEPLOYMENT || kind == KIND_DAEMONSET || kind == KIND_SERVICE;
}

const struct tree *object_content(const struct tree *object, enum object_kind kind)
{
	const struct tree *spec = tree_get(object, "spec");

	return kind == KIND_SERVICE ? spec : tree_get(spec, "template");
}
