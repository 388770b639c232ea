/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/pending.h"

#include "flagger/scaler.h"

static const struct {
	enum object_kind kind;
	const char *field;
} carried[] = {
	{KIND_DEPLOYMENT, "progressDeadlineSeconds"}, {KIND_DEPLOYMENT, "minReadySeconds"},
	{KIND_DEPLOYMENT, "revisionHistoryLimit"},    {KIND_DEPLOYMENT, "strategy"},
	{KIND_DAEMONSET, "minReadySeconds"},          {KIND_DAEMONSET, "revisionHistoryLimit"},
	{KIND_DAEMONSET, "updateStrategy"},
};

static const char *as_text(const struct tree *value)
{
	struct buffer text = {0};

	if (!value)
		return "nothing";
	tree_print_canonical(&text, value);
	return buffer_text(&text);
}

/* An idle target stands at 0, which nobody asked for. */
static bool asks_for_replicas(const struct canary *c, const struct tree *replicas)
{
	int64_t n;

	return c->target_kind == KIND_DEPLOYMENT && tree_int64(replicas, &n) && n > 0 &&
	       !canary_has_scaler(c);
}

/* Flagger makes a primary from the target as it stands, parked or not; a promotion takes that off. */
static bool is_parked(const struct tree *object)
{
	return tree_path(object, "spec", "template", "spec", "nodeSelector", "flagger.app/scale-to-zero",
			 NULL);
}

void pending_notes(struct notes *notes, const struct canary *c, const struct tree *target,
		   const struct tree *primary, const struct lookup *lookup)
{
	const struct tree *wanted = tree_get(target, "spec"), *has = tree_get(primary, "spec");
	const struct tree *replicas = tree_get(wanted, "replicas");

	if (asks_for_replicas(c, replicas) && !tree_same(replicas, tree_get(has, "replicas")))
		note_add(notes, "pending: the primary has %s replicas, the target %s; "
			 "only a promotion carries them", as_text(tree_get(has, "replicas")), as_text(replicas));
	if (c->target_kind == KIND_DAEMONSET && is_parked(primary))
		note_add(notes, "pending: the primary is parked (nodeSelector flagger.app/scale-to-zero) and "
			 "runs nowhere; only a promotion ends that");
	for (size_t i = 0; i < sizeof(carried) / sizeof(*carried); i++) {
		const char *field = carried[i].field;

		if (carried[i].kind == c->target_kind &&
		    !tree_same(tree_get(wanted, field), tree_get(has, field)))
			note_add(notes, "pending: spec.%s of the primary is %s, the target's %s; "
				 "only a promotion carries it", field, as_text(tree_get(has, field)), as_text(tree_get(wanted, field)));
	}
	scaler_notes(notes, c, lookup);
}
