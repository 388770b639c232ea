/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/history.h"

#include <string.h>

#include "flagger/canary.h"
#include "flagger/primary.h"
#include "k8s/diff.h"

const char *history_newest(const struct subject *s)
{
	const char *newest = NULL;

	for (size_t i = 0; i < s->history_count; i++) {
		const char *made =
			tree_string(tree_path(s->history[i], "metadata", "creationTimestamp", NULL));

		if (made && (!newest || strcmp(made, newest) > 0))
			newest = made;
	}
	return newest;
}

/* A ReplicaSet has the template in spec, plus a label of its controller's; a ControllerRevision in data. */
static struct tree *template_of(const struct tree *revision)
{
	const struct tree *t = object_kind(revision) == KIND_CONTROLLERREVISION
				       ? tree_path(revision, "data", "spec", "template", NULL)
				       : tree_path(revision, "spec", "template", NULL);
	struct tree *copy = tree_copy(t), *metadata, *labels;

	metadata = tree_get_mutable(copy, "metadata");
	labels = tree_get_mutable(metadata, "labels");
	if (labels)
		tree_remove(labels, "pod-template-hash");
	if (tree_get(copy, "$patch"))
		tree_remove(copy, "$patch");
	return copy;
}

static struct tree *with_template(const struct tree *target, struct tree *template)
{
	struct tree *copy = tree_copy(target);
	struct tree *spec = tree_get_mutable(copy, "spec");

	if (!spec)
		return NULL;
	tree_put(spec, "template", template);
	return copy;
}

static bool is_promoted(const struct canary *c, const struct tree *candidate, const struct tree *primary,
			const struct flagger *flagger)
{
	struct changes changes = {0};
	struct error ignored;
	const struct tree *forward =
		primary_forward(c, candidate, primary, flagger->selector_labels, &ignored);

	if (!forward)
		return false;
	diff_content(&changes, primary_comparable(primary), forward);
	return changes.count == 0;
}

const struct tree *history_promoted(const struct subject *s, const struct flagger *flagger)
{
	struct canary c;
	struct error ignored;

	if (s->target.reading != READ_PRESENT || s->primary.reading != READ_PRESENT ||
	    canary_read(&c, s->canary, &ignored) != 0)
		return NULL;
	for (size_t i = 0; i < s->history_count; i++) {
		struct tree *template = template_of(s->history[i]);
		const struct tree *candidate = template ? with_template(s->target.object, template) : NULL;

		if (candidate && is_promoted(&c, candidate, s->primary.object, flagger))
			return candidate;
	}
	return NULL;
}
