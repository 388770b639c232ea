/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/scaler.h"

#include <string.h>

#include "base/arena.h"

#define PAUSED "autoscaling.keda.sh/paused-replicas"

/* `own`: the Canary's field in spec.autoscalerRef.primaryScalerReplicas that goes before it. */
static const struct carried {
	enum object_kind kind;
	const char *field, *own;
} carried[] = {
	{KIND_HPA, "minReplicas", "minReplicas"},
	{KIND_HPA, "maxReplicas", "maxReplicas"},
	{KIND_HPA, "metrics", NULL},
	{KIND_HPA, "behavior", NULL},
	{KIND_SCALEDOBJECT, "minReplicaCount", "minReplicas"},
	{KIND_SCALEDOBJECT, "maxReplicaCount", "maxReplicas"},
	{KIND_SCALEDOBJECT, "idleReplicaCount", NULL},
	{KIND_SCALEDOBJECT, "pollingInterval", NULL},
	{KIND_SCALEDOBJECT, "cooldownPeriod", NULL},
	{KIND_SCALEDOBJECT, "advanced", NULL},
	{KIND_SCALEDOBJECT, "fallback", NULL},
	{KIND_SCALEDOBJECT, "triggers", NULL},
};

static const struct tree *scaler_ref(const struct canary *c)
{
	return tree_path(c->object, "spec", "autoscalerRef", NULL);
}

bool canary_has_scaler(const struct canary *c)
{
	return tree_kind(scaler_ref(c)) == TREE_MAP;
}

enum object_kind canary_scaler(const char **name, const struct canary *c)
{
	const char *kind = tree_string_or(tree_get(scaler_ref(c), "kind"), "");

	*name = tree_string_or(tree_get(scaler_ref(c), "name"), "");
	return strcmp(kind, "ScaledObject") == 0 ? KIND_SCALEDOBJECT : KIND_HPA;
}

/* Flagger writes a trigger's query anew for the primary, so queries never compare. */
static const struct tree *without_queries(const struct tree *triggers)
{
	struct tree *copy = tree_copy(triggers);

	for (size_t i = 0; i < tree_len(copy); i++)
		tree_remove(tree_get_mutable(tree_at_mutable(copy, i), "metadata"), "query");
	return copy;
}

static bool same(const struct carried *f, const struct tree *wanted, const struct tree *has)
{
	if (strcmp(f->field, "triggers") == 0)
		return tree_same(without_queries(wanted), without_queries(has));
	return tree_same(wanted, has);
}

static void compare(struct notes *notes, const struct carried *f, const struct tree *ref,
		    const struct tree *target, const struct tree *primary)
{
	const struct tree *own =
		f->own ? tree_path(ref, "primaryScalerReplicas", f->own, NULL) : NULL;
	const struct tree *wanted = own ? own : tree_path(target, "spec", f->field, NULL);
	const struct tree *has = tree_path(primary, "spec", f->field, NULL);

	if (!wanted || same(f, wanted, has))
		return;
	note_add(notes, "pending: %s '%s': %s", object_kind_name(f->kind), object_identity(primary, "").name,
		 tree_number(wanted) && tree_number(has)
			 ? arena_printf("%s %s, a promotion makes it %s", f->field, tree_number(has),
					tree_number(wanted))
			 : arena_printf("%s differs, only a promotion carries the target's", f->field));
}

void scaler_notes(struct notes *notes, const struct canary *c, const struct lookup *lookup)
{
	const struct tree *ref = scaler_ref(c);
	const char *name;
	enum object_kind kind = canary_scaler(&name, c);
	struct seen target, primary;

	if (!*name || !lookup->find)
		return;
	target = lookup->find(lookup->arg, kind, c->namespace, name);
	primary = lookup->find(lookup->arg, kind, c->namespace, arena_printf("%s-primary", name));
	if (primary.reading == READ_PRESENT && object_annotation(primary.object, PAUSED))
		note_add(notes, "pending: ScaledObject '%s-primary' is paused at %s replicas", name,
			 object_annotation(primary.object, PAUSED));
	/* of two versions of the API the same thing is spelled in two ways */
	if (target.reading != READ_PRESENT || primary.reading != READ_PRESENT ||
	    !tree_same(tree_get(target.object, "apiVersion"), tree_get(primary.object, "apiVersion")))
		return;
	for (size_t i = 0; i < sizeof(carried) / sizeof(*carried); i++)
		if (carried[i].kind == kind)
			compare(notes, &carried[i], ref, target.object, primary.object);
}
