/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a canary together with its target, its primary and their apps. */
#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_facts.h"

static const char *name_of(const struct at *at)
{
	return arena_printf("%s %s/%s", at->id.kind, at->id.namespace, at->id.name);
}

static bool is_workload(enum object_kind kind)
{
	return kind == KIND_DEPLOYMENT || kind == KIND_DAEMONSET;
}

static const struct workload_fact *target_of(const struct doctor *d, const struct canary_fact *c)
{
	return doctor_workload(d, c->target_kind, c->at.id.namespace, c->target);
}

static const struct canary_fact *canary_of(const struct doctor *d, const struct workload_fact *w)
{
	return doctor_canary_on(d, w->kind, w->at.id.namespace, w->at.id.name);
}

/* One that is both rendered and live is seen twice. */
static bool other_canary_on(const struct canary_fact *a, const struct canary_fact *b)
{
	return a->target_kind == b->target_kind && strcmp(a->target, b->target) == 0 &&
	       strcmp(a->at.id.namespace, b->at.id.namespace) == 0 && strcmp(a->at.id.name, b->at.id.name) != 0;
}

void check_one_target(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (size_t i = 1; i < d->n_canaries; i++)
		if (other_canary_on(d->aims[i - 1], d->aims[i]))
			doctor_find_at(d, &d->aims[i]->at, "spec.targetRef", "%s %s is the target of %s too",
				       object_kind_name(d->aims[i]->target_kind), d->aims[i]->target,
				       d->aims[i - 1]->at.id.name);
}

/* Rendered, it may be in other manifests; that is target-elsewhere's to say. */
void check_target_missing(struct doctor *d, const struct tree *object)
{
	(void)object;
	if (!doctor_has_listed(d, ABOUT_WORKLOAD))
		return;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (!c->at.manifest && is_workload(c->target_kind) && !target_of(d, c))
			doctor_find_at(d, &c->at, "spec.targetRef", "there is no %s %s",
				       object_kind_name(c->target_kind), c->target);
}

static size_t count_apps(const struct app apps[APPS_MAX])
{
	size_t n = 0;

	while (n < APPS_MAX && apps[n].engine != ENGINE_NONE)
		n++;
	return n;
}

static bool same_app(const struct app *a, const struct app *b)
{
	return a->engine == b->engine && strcmp(a->name, b->name) == 0 && strcmp(a->namespace, b->namespace) == 0;
}

static bool share_an_app(const struct app a[APPS_MAX], const struct app b[APPS_MAX])
{
	for (size_t i = 0; i < count_apps(a); i++)
		for (size_t j = 0; j < count_apps(b); j++)
			if (same_app(&a[i], &b[j]))
				return true;
	return false;
}

static const char *app_name(const struct app *a)
{
	return *a->namespace ? arena_printf("%s/%s", a->namespace, a->name) : a->name;
}

void check_target_elsewhere(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next) {
		const struct workload_fact *w = target_of(d, c);

		if (c->at.manifest && !w && is_workload(c->target_kind))
			doctor_find_at(d, &c->at, "spec.targetRef", "%s %s isn't among the manifests",
				       object_kind_name(c->target_kind), c->target);
		else if (w && count_apps(c->apps) && count_apps(w->apps) && !share_an_app(c->apps, w->apps))
			doctor_find_at(d, &c->at, "spec.targetRef", "the target is %s's, the Canary %s's",
				       app_name(&w->apps[0]), app_name(&c->apps[0]));
	}
}

/* The canary whose primary this would be; NULL: none. */
static const struct canary_fact *primary_of(const struct doctor *d, const struct workload_fact *w)
{
	static const char suffix[] = "-primary";
	const char *name = w->at.id.name;
	size_t len = strlen(name), n = sizeof(suffix) - 1;

	if (len <= n || strcmp(name + len - n, suffix) != 0)
		return NULL;
	return doctor_canary_on(d, w->kind, w->at.id.namespace, arena_strndup(name, len - n));
}

void check_primary_in_git(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct workload_fact *w = d->workloads; w; w = w->next) {
		const struct canary_fact *c = w->at.manifest ? primary_of(d, w) : NULL;

		if (c)
			doctor_find_at(d, &w->at, "", "it is the primary of canary %s", c->at.id.name);
	}
}

void check_daemonset_parked(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct workload_fact *w = d->workloads; w; w = w->next)
		if (w->kind == KIND_DAEMONSET && w->parked && primary_of(d, w))
			doctor_find_at(d, &w->at, "spec.template.spec.nodeSelector",
				       "flagger.app/scale-to-zero fits no node");
}

/* A Flagger-made Service belongs to its Canary; one that was there before is only redirected. */
void check_apex_in_git(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next) {
		const struct workload_fact *w = doctor_workload(d, KIND_SERVICE, c->at.id.namespace, c->apex);

		if (!is_workload(c->target_kind) || !w || w->of_flagger)
			continue;
		if (w->at.manifest)
			doctor_find_at(d, &w->at, "spec.selector", "it is the apex of canary %s", c->at.id.name);
		else if (count_apps(w->apps))
			doctor_find_at(d, &w->at, "spec.selector", "it is the apex of canary %s, and %s applies it",
				       c->at.id.name, app_name(&w->apps[0]));
	}
}

static bool replicas_ignored(const struct doctor *d, const struct workload_fact *w)
{
	/* Of manifests nobody says whose they are. */
	for (const struct app_fact *a = d->apps; w->at.manifest && a; a = a->next)
		if (a->at.manifest && a->ignores_replicas)
			return true;
	for (size_t i = 0; i < count_apps(w->apps); i++) {
		const struct app_fact *a = doctor_app(d, &w->apps[i]);

		if (a && a->ignores_replicas)
			return true;
	}
	return false;
}

void check_replicas_in_git(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct workload_fact *w = d->workloads; w; w = w->next) {
		const struct canary_fact *c = w->kind == KIND_DEPLOYMENT && *w->replicas_by ? canary_of(d, w) : NULL;

		if (c && !replicas_ignored(d, w))
			doctor_find_at(d, &w->at, "spec.replicas", "%s names it, and Flagger parks the target of %s",
				       w->replicas_by, c->at.id.name);
	}
}

/* Of manifests nobody says whose they are: beside a canary an app may be its. */
static bool applies_a_canary(const struct doctor *d, const struct app_fact *a)
{
	if (a->at.manifest)
		return d->n_canaries > 0;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		for (size_t i = 0; i < count_apps(c->apps); i++)
			if (doctor_app(d, &c->apps[i]) == a)
				return true;
	return false;
}

void check_engine_replaces(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (*c->replaced_by)
			doctor_find_at(d, &c->at, "metadata.annotations[argocd.argoproj.io/sync-options]", "%s",
				       c->replaced_by);
	for (const struct workload_fact *w = d->workloads; w; w = w->next)
		if (*w->replaced_by && is_workload(w->kind) && canary_of(d, w))
			doctor_find_at(d, &w->at, "metadata.annotations[argocd.argoproj.io/sync-options]", "%s",
				       w->replaced_by);
	for (const struct app_fact *a = d->apps; a; a = a->next)
		if (*a->replaces && applies_a_canary(d, a))
			doctor_find_at(d, &a->at, a->replaces_path, "%s", a->replaces);
}

void check_not_applied(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (*c->skipped_by)
			doctor_find_at(d, &c->at, "metadata", "%s", c->skipped_by);
	for (const struct workload_fact *w = d->workloads; w; w = w->next)
		if (*w->skipped_by && is_workload(w->kind) && canary_of(d, w))
			doctor_find_at(d, &w->at, "metadata", "%s keeps Flux from the target of %s", w->skipped_by,
				       canary_of(d, w)->at.id.name);
}

/* Argo CD's PostSync waits for each of the app's resources to be healthy. */
void check_gate_before_postsync(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next) {
		for (const struct job_fact *j = *c->gates ? d->jobs : NULL; j; j = j->next) {
			bool together = c->at.manifest ? j->at.manifest != NULL : share_an_app(c->apps, j->apps);

			if (!j->post_sync || !together)
				continue;
			doctor_find_at(d, &c->at, "spec.analysis.webhooks", "%s, and %s waits for it", c->gates,
				       name_of(&j->at));
			break;
		}
	}
}
