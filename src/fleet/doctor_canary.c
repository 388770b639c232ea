/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of one Canary, and of what belongs to it. */
#include <string.h>

#include "act/hold.h"
#include "base/arena.h"
#include "base/glob.h"
#include "fleet/doctor_facts.h"
#include "flagger/canary.h"
#include "io/clock.h"
#include "k8s/flux.h"
#include "k8s/owners.h"
#include "value/json.h"
#include "value/pointer.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"
#define PARKED "flagger.app/scale-to-zero"
#define OWNERS 16
#define BROKEN_TOLD 8 /* fields of one object: what is kept of it has little room */

/* Managers that apply what a manifest says again and again. */
static bool is_applier(const char *manager)
{
	static const char *const globs[] = {"argocd-*", "kustomize-controller", "helm*", "Helm*", "kubectl",
					    "kubectl-client-side-apply"};

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++)
		if (glob_match(globs[i], manager, ""))
			return true;
	return false;
}

static bool last_applied_names(const struct tree *object, const char *pointer)
{
	const char *text = object_annotation(object, LAST_APPLIED);
	struct error ignored;

	return text && pointer_get(json_parse(text, strlen(text), LAST_APPLIED, &ignored), pointer);
}

/* Who of those that apply manifests names the value at this place: a manager, last-applied; "" for nobody. */
static const char *applied_by(const struct tree *object, const char *pointer, bool live_only)
{
	const struct owner *owners[OWNERS];
	size_t n = 0;

	if (pointer_get(object, pointer))
		n = owners_at(owners, OWNERS, owners_read(object), object, pointer);
	for (size_t i = 0; i < n && i < OWNERS; i++)
		if (is_applier(owners[i]->manager))
			return owners[i]->manager;
	return !live_only && last_applied_names(object, pointer) ? LAST_APPLIED : "";
}

/* Is it a text that Flux substitutes? */
static bool is_variable(const struct tree *value)
{
	return strncmp(tree_string_or(value, ""), "${", 2) == 0;
}

/* Argo CD's sync option on the object; "" for none. */
static const char *sync_option(const struct tree *object)
{
	static const char *const options[] = {"Replace=true", "Force=true"};
	const char *said = object_annotation(object, "argocd.argoproj.io/sync-options");

	for (size_t i = 0; said && i < sizeof(options) / sizeof(*options); i++)
		if (strstr(said, options[i]))
			return options[i];
	return "";
}

/* Who else keeps spec.suspend: an applier, or whoever left it at false, which perch's apply runs into. */
static const char *suspend_owner(const struct tree *object)
{
	const struct tree *suspend = tree_path(object, "spec", "suspend", NULL);
	const char *applier = applied_by(object, "/spec/suspend", true);

	if (!suspend || *applier)
		return suspend ? applier : "";
	return tree_true(suspend) ? "" : hold_others(object);
}

static const char *or_none(const char *text)
{
	return text ? text : "";
}

static const char *gates_of(const struct tree *object)
{
	struct buffer b = {0};

	tree_each(hook, tree_path(object, "spec", "analysis", "webhooks", NULL)) {
		const char *type = tree_string_or(tree_get(hook, "type"), "");

		if (strncmp(type, "confirm-", 8) == 0)
			buffer_printf(&b, "%s%s", b.len ? ", " : "", type);
	}
	return buffer_text(&b);
}

void doctor_keep_canary(struct doctor *d, const struct tree *object)
{
	struct canary_fact *f = KEEP(d, struct canary_fact);
	const char *apex = tree_string(tree_path(object, "spec", "service", "name", NULL));
	struct canary c;
	struct error ignored;

	canary_read(&c, object, &ignored);
	f->at = doctor_keep_at(d);
	doctor_keep_apps(d, f->apps, object);
	f->target_kind = c.target_kind;
	f->target = doctor_keep_text(d, or_none(c.target_name));
	f->apex = apex && *apex ? doctor_keep_text(d, apex) : f->target;
	f->held = c.held;
	f->suspended = c.suspended;
	f->in_flight = phase_in_flight(c.phase);
	f->until = doctor_keep_text(d, c.held ? or_none(c.held_until) : "");
	f->gates = doctor_keep_text(d, gates_of(object));
	f->replaced_by = sync_option(object);
	f->skipped_by = or_none(flux_skips(object, object));
	f->suspend_by = d->at.manifest ? "" : doctor_keep_text(d, suspend_owner(object));
	f->next = d->canaries;
	d->canaries = f;
	d->n_canaries++;
}

static bool owned_by_canary(const struct tree *object)
{
	tree_each(owner, tree_path(object, "metadata", "ownerReferences", NULL))
		if (strcmp(tree_string_or(tree_get(owner, "kind"), ""), "Canary") == 0)
			return true;
	return false;
}

static const char *replicas_owner(const struct doctor *d, const struct tree *object)
{
	if (!tree_path(object, "spec", "replicas", NULL))
		return "";
	return d->at.manifest ? "Git" : applied_by(object, "/spec/replicas", false);
}

void doctor_keep_workload(struct doctor *d, const struct tree *object)
{
	struct workload_fact *f = KEEP(d, struct workload_fact);

	f->at = doctor_keep_at(d);
	doctor_keep_apps(d, f->apps, object);
	f->kind = object_kind(object);
	f->replicas_by = doctor_keep_text(d, replicas_owner(d, object));
	f->replaced_by = sync_option(object);
	f->skipped_by = or_none(flux_skips(object, object));
	f->parked = tree_get(tree_path(object, "spec", "template", "spec", "nodeSelector", NULL), PARKED);
	f->of_flagger = owned_by_canary(object);
	f->next = d->workloads;
	d->workloads = f;
	d->n_workloads++;
}

/* In a manifest any spelling of the key counts, live what the last apply had. */
static void check_key(struct doctor *d, const struct tree *object, const char *key)
{
	const struct tree *value = tree_get(tree_get(object, "spec"), key);
	const char *pointer = arena_printf("/spec/%s", key), *path = arena_printf("spec.%s", key);

	if (d->at.manifest) {
		if (value && tree_kind(value) != TREE_NULL && !is_variable(value))
			doctor_find(d, path, "the manifest says %s", tree_kind(value) == TREE_BOOL
				    ? tree_true(value) ? "true" : "false" : tree_kind_name(tree_kind(value)));
	} else if (!*applied_by(object, pointer, true) && last_applied_names(object, pointer)) {
		doctor_find(d, path, "%s has it: the next apply writes it again", LAST_APPLIED);
	}
}

void check_suspend_in_git(struct doctor *d, const struct tree *object)
{
	check_key(d, object, "suspend");
}

void check_skip_analysis_in_git(struct doctor *d, const struct tree *object)
{
	const char *owner = d->at.manifest ? "" : applied_by(object, "/spec/skipAnalysis", true);

	if (*owner)
		doctor_find(d, "spec.skipAnalysis", "%s applies it", owner);
	else
		check_key(d, object, "skipAnalysis");
}

static bool whole_or_absent(const struct tree *value)
{
	int64_t n;

	return tree_kind(value) != TREE_NUMBER || tree_int64(value, &n);
}

void check_breaks_flagger(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec");
	size_t broken = 0;

	if (tree_empty(spec))
		doctor_find(d, "spec", "it is missing");
	tree_each(value, tree_get(spec, "analysis"))
		if (!whole_or_absent(value) && broken++ < BROKEN_TOLD)
			doctor_find(d, arena_printf("spec.analysis.%s", tree_key(value)), "%s is no whole number",
				    tree_number(value));
}

/* A ConfigMap that Flux reads is another way to hold (--via configmap): then Flux is meant to own it. */
static bool substituted(const struct doctor *d, const struct canary_fact *c)
{
	for (size_t i = 0; i < APPS_MAX; i++) {
		const struct app_fact *a = doctor_app(d, &c->apps[i]);

		if (c->apps[i].engine == ENGINE_FLUX && a && a->substitutes)
			return true;
	}
	return false;
}

void check_suspend_owned(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (*c->suspend_by && !(strcmp(c->suspend_by, "kustomize-controller") == 0 && substituted(d, c)))
			doctor_find_at(d, &c->at, "spec.suspend", "it belongs to %s", c->suspend_by);
}

void check_hold_expired(struct doctor *d, const struct tree *object)
{
	int64_t until;

	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (*c->until && (!clock_read(&until, c->until) || until <= d->now))
			doctor_find_at(d, &c->at, "", "held until %s", c->until);
}

void check_daemonset_frozen(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (c->target_kind == KIND_DAEMONSET && c->suspended && c->in_flight)
			doctor_find_at(d, &c->at, "spec.suspend", "suspended while its analysis runs");
}
