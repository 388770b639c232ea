/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/join.h"

#include "flagger/refs.h"
#include "flagger/scaler.h"

/* A lookup's argument is handed on as it came; what is found is only read. */
static struct seen find_config(void *arg, enum object_kind kind, const char *namespace, const char *name)
{
	const struct fleet *fleet = arg;
	const struct manifest *m = NULL;

	if (fleet->desired)
		m = manifests_find(fleet->desired, kind, namespace, name);
	if (m)
		return (struct seen){READ_PRESENT, m->object, NULL};
	if (fleet->dump)
		return dump_find(fleet->dump, kind, namespace, name);
	return (struct seen){READ_UNREAD, NULL, NULL};
}

const struct manifest *fleet_desired(const struct fleet *fleet, const struct canary *c)
{
	if (!fleet->desired)
		return NULL;
	return manifests_find(fleet->desired, c->target_kind, c->namespace, c->target_name);
}

static void take_history(struct subject *out, const struct dump *dump, enum object_kind target)
{
	enum object_kind kind = target == KIND_DAEMONSET ? KIND_CONTROLLERREVISION : KIND_REPLICASET;

	if (target != KIND_DEPLOYMENT && target != KIND_DAEMONSET)
		return;
	out->history_count = dump_history(&out->history, dump, kind, out->target.object);
}

void fleet_subject(struct subject *out, const struct fleet *fleet, const struct tree *canary)
{
	const struct manifest *desired;
	struct error ignored;
	struct canary c;

	*out = (struct subject){.canary = canary, .configs = {find_config, (void *)fleet}};
	if (canary_read(&c, canary, &ignored) != 0)
		return; /* the verdict says what is wrong with it */
	if (fleet->dump) {
		out->rival = dump_rival(fleet->dump, canary);
		out->target = dump_find(fleet->dump, c.target_kind, c.namespace, c.target_name);
		out->primary = dump_find(fleet->dump, c.target_kind, c.namespace, canary_primary_name(&c));
		/* Only of a failed run does its age tell anything, and there are many revisions. */
		if (out->target.object && c.phase == PHASE_FAILED)
			take_history(out, fleet->dump, c.target_kind);
	}
	desired = fleet_desired(fleet, &c);
	if (desired) {
		out->desired = desired->object;
		out->desired_file = desired->text->name;
	}
}

struct touch {
	const struct manifests *desired;
	const char *namespace;
	bool found;
};

static void look_for_ref(void *arg, const struct ref *ref)
{
	struct touch *t = arg;

	if (manifests_find(t->desired, ref->kind, t->namespace, ref->name))
		t->found = true;
}

static bool scaler_rendered(const struct fleet *fleet, const struct tree *canary)
{
	struct error ignored;
	struct canary c;
	const char *name;
	enum object_kind kind;

	if (canary_read(&c, canary, &ignored) != 0)
		return false;
	kind = canary_scaler(&name, &c);
	return *name && manifests_find(fleet->desired, kind, c.namespace, name);
}

bool fleet_touched(const struct fleet *fleet, const struct subject *s)
{
	struct identity id = object_identity(s->canary, "default");
	struct touch t = {fleet->desired, id.namespace, false};

	if (scaler_rendered(fleet, s->canary))
		return true;
	if (s->desired || manifests_find(fleet->desired, KIND_CANARY, id.namespace, id.name))
		return true;
	refs_each(tree_path(s->target.object, "spec", "template", "spec", NULL), look_for_ref, &t);
	return t.found;
}
