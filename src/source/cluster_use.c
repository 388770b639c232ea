/* SPDX-License-Identifier: Apache-2.0 */
#include "source/cluster_use.h"

#include "base/arena.h"
#include "flagger/canary.h"
#include "flagger/refs.h"
#include "flagger/scaler.h"

static void use_history(const struct canary *c, use_visit *visit, void *arg)
{
	if (c->phase != PHASE_FAILED)
		return; /* only then do revisions tell anything */
	if (c->target_kind == KIND_DEPLOYMENT)
		visit(arg, USE_HISTORY, KIND_REPLICASET, c->namespace, c->target_name);
	if (c->target_kind == KIND_DAEMONSET)
		visit(arg, USE_HISTORY, KIND_CONTROLLERREVISION, c->namespace, c->target_name);
}

void use_of_canary(const struct tree *canary, use_visit *visit, void *arg)
{
	struct error ignored;
	struct canary c;
	enum object_kind scaler;
	const char *name;

	if (canary_read(&c, canary, &ignored) != 0)
		return; /* the verdict says what is wrong with it */
	visit(arg, USE_TARGET, c.target_kind, c.namespace, c.target_name);
	if (c.target_kind != KIND_KNATIVE)
		visit(arg, USE_OBJECT, c.target_kind, c.namespace, canary_primary_name(&c));
	scaler = canary_scaler(&name, &c);
	if (*name) {
		visit(arg, USE_OBJECT, scaler, c.namespace, name);
		visit(arg, USE_OBJECT, scaler, c.namespace, arena_printf("%s-primary", name));
	}
	use_history(&c, visit, arg);
}

struct refs {
	use_visit *visit;
	void *arg;
	const char *namespace;
};

static void on_ref(void *arg, const struct ref *ref)
{
	const struct refs *r = arg;

	r->visit(r->arg, USE_OBJECT, ref->kind, r->namespace, ref->name);
}

void use_of_target(const struct tree *target, use_visit *visit, void *arg)
{
	enum object_kind kind = object_kind(target);
	struct refs r = {visit, arg, object_identity(target, "default").namespace};

	if (kind == KIND_DEPLOYMENT || kind == KIND_DAEMONSET)
		refs_each(tree_path(target, "spec", "template", "spec", NULL), on_ref, &r);
}
