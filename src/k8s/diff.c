/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/diff.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "k8s/diff_walk.h"
#include "k8s/object.h"

#define SHOWN 60

/* Flagger's parking of a DaemonSet, and the label that a ReplicaSet gets from its Deployment. */
bool diff_parking(const char *path)
{
	return strcmp(path, "spec.template.spec.nodeSelector[flagger.app/scale-to-zero]") == 0;
}

static bool hash_label(const char *path)
{
	return strcmp(path, "spec.template.metadata.labels.pod-template-hash") == 0;
}

void diff_content(struct changes *out, const struct tree *old_object, const struct tree *new_object)
{
	enum object_kind kind = object_kind(new_object ? new_object : old_object);
	enum object_kind other = object_kind(old_object ? old_object : new_object);
	struct diff_walk d = {.out = out};
	const struct tree *a = tree_get(old_object, "spec"), *b = tree_get(new_object, "spec");
	const struct schema_type *type = schema_content(kind);

	if (kind == KIND_DAEMONSET || other == KIND_DAEMONSET)
		d.skip = diff_parking;
	else if (kind == KIND_REPLICASET || other == KIND_REPLICASET)
		d.skip = hash_label;
	diff_down(&d, "spec");
	if (kind != KIND_SERVICE) {
		diff_down(&d, "template");
		a = tree_get(a, "template");
		b = tree_get(b, "template");
		type = schema_content(KIND_DEPLOYMENT);
	}
	/* an object that comes or goes is one change */
	diff_walk(&d, a, b, a && b ? type : NULL, NULL);
}

/* What the server writes, or a controller for itself, is no difference. */
static bool not_said(const char *path)
{
	static const char *const left_out[] = {
		"apiVersion", "kind", "metadata.uid", "metadata.resourceVersion", "metadata.generation",
		"metadata.creationTimestamp", "metadata.selfLink", "metadata.deletionTimestamp",
		"metadata.deletionGracePeriodSeconds", "metadata.name", "metadata.namespace",
		"metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]",
		"metadata.annotations[deployment.kubernetes.io/revision]",
		"metadata.annotations[deprecated.daemonset.template.generation]",
	};

	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (strcmp(path, left_out[i]) == 0)
			return true;
	return strncmp(path, "status", 6) == 0 || strncmp(path, "metadata.managedFields", 22) == 0 ||
	       strncmp(path, "spec.template", 13) == 0;
}

static bool not_said_of_service(const char *path)
{
	return not_said(path) || strncmp(path, "spec", 4) == 0;
}

static const char *shown(const struct tree *v)
{
	struct buffer b = {0};

	if (!v)
		return "absent";
	if (tree_string(v))
		buffer_str(&b, tree_string(v));
	else
		tree_print(&b, v, 0);
	if (b.len <= SHOWN)
		return buffer_text(&b);
	return arena_printf("%.*s…", (int)utf8_cut(b.data, b.len, SHOWN), b.data);
}

static void note_change(struct notes *out, const struct change *c)
{
	const char *rest = strchr(c->path, '.');

	if (strcmp(c->path, "spec.replicas") == 0)
		note_add(out, "replicas: %s → %s", shown(c->old_value), shown(c->new_value));
	else if (rest)
		note_add(out, "%.*s: %s: %s → %s", (int)(rest - c->path), c->path, rest + 1,
			 shown(c->old_value), shown(c->new_value));
	else
		note_add(out, "%s: %s → %s", c->path, shown(c->old_value), shown(c->new_value));
}

void diff_notes(struct notes *out, const struct tree *old_object, const struct tree *new_object)
{
	enum object_kind kind = object_kind(new_object);
	struct changes found = {0};
	struct diff_walk d = {.out = &found, .skip = kind == KIND_SERVICE ? not_said_of_service : not_said};

	if (!old_object || !new_object)
		return;
	diff_walk(&d, old_object, new_object, schema_root(kind), NULL);
	change_each(c, &found)
		if (strcmp(c->path, "spec.replicas") == 0)
			note_change(out, c);
	change_each(c, &found)
		if (strcmp(c->path, "spec.replicas") != 0)
			note_change(out, c);
}
