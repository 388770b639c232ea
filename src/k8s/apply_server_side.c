/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "k8s/appliers.h"
#include "k8s/conflicts.h"
#include "k8s/flux.h"
#include "k8s/merge.h"
#include "k8s/normalise.h"
#include "k8s/owners.h"

#define KUBECTL "kubectl" /* its name when it applies server-side */

struct prune {
	const struct application *a;
	const struct fieldset *last, *owned; /* by the applier last time; by anybody now */
};

static struct fieldset *named(const struct prune *p, const struct fieldset *set)
{
	return fieldset_named(set, p->a->type, p->a->minor);
}

static struct fieldset *named_of(const struct prune *p, const struct tree *v)
{
	return named(p, fieldset_of(v, p->a->type, p->a->minor));
}

static struct tree *without(const struct prune *p, const struct tree *v, const struct fieldset *set)
{
	struct tree *left = fieldset_remove(v, set, p->a->type, p->a->minor);

	return left ? left : tree_new_map();
}

/*
 * Goes what was applied last time, isn't now, and nobody else owns. First all of last time's goes,
 * then what somebody owns comes back, then what was never the applier's, as the server does it.
 */
static struct tree *pruned(const struct prune *p, const struct tree *merged)
{
	struct fieldset *all = named_of(p, merged), *last = named(p, p->last), *kept, *gone;
	struct tree *left = without(p, merged, last);

	kept = fieldset_union(named_of(p, left), named(p, p->owned));
	left = without(p, merged, fieldset_difference(all, kept));
	gone = fieldset_difference(all, named_of(p, left));
	return without(p, merged, fieldset_intersection(gone, last));
}

const struct tree *apply_server_side(const struct application *a, struct error *err)
{
	const char *manager = a->applier->manager ? a->applier->manager : KUBECTL;
	const char *skipped = flux_applies(manager) ? flux_skips(a->desired, a->live) : NULL;
	/* Flux sends what its Go types make of the manifest */
	const struct tree *sent = flux_applies(manager) ? normalise(a->desired, a->type, a->minor) : a->desired;
	struct owner *owners = owners_read(a->live);
	struct fieldset *others;
	struct prune p = {.a = a, .last = owners_applied(owners, manager, sent, a->live, &others)};
	struct tree *merged;

	if (skipped && a->live) {
		note_add(a->warnings, "skipped: %s: Flux leaves the object as it is", skipped);
		return a->live;
	}
	if (merge_check(sent, a->type, a->minor, err) != 0)
		return NULL;
	merged = merge_applied(a->live, sent, a->type, a->minor);
	if (!a->live)
		return merged;
	conflicts_note(a->warnings, a->live, merged, a->type, a->minor, owners, manager);
	if (!p.last)
		return merged;
	p.owned = fieldset_union(others, fieldset_of(sent, a->type, a->minor));
	return pruned(&p, merged);
}
