/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of Argo CD's and Flux's own objects, and the checks of them. */
#include <string.h>

#include "fleet/doctor_facts.h"
#include "io/clock.h"

#define LEAST_TIMEOUT 30 /* seconds: kustomize-controller waits so long at least */
#define GUARD "perch-guard"

static struct app_fact *keep_app(struct doctor *d, enum engine engine)
{
	struct app_fact *f = KEEP(d, struct app_fact);

	f->at = doctor_keep_at(d);
	f->engine = engine;
	f->replaces = f->replaces_path = f->range = f->range_path = "";
	f->next = d->apps;
	d->apps = f;
	return f;
}

const struct app_fact *doctor_app(const struct doctor *d, const struct app *app)
{
	for (const struct app_fact *f = app->engine == ENGINE_NONE ? NULL : d->apps; f; f = f->next)
		if (f->engine == app->engine && strcmp(f->at.id.name, app->name) == 0 &&
		    (!*app->namespace || strcmp(f->at.id.namespace, app->namespace) == 0))
			return f;
	return NULL;
}

static bool has_string(const struct tree *list, const char *wanted)
{
	tree_each(item, list)
		if (strcmp(tree_string_or(item, ""), wanted) == 0)
			return true;
	return false;
}

/* Does any text in it have this word? Patches are texts. */
static bool mentions(const struct tree *t, const char *word)
{
	if (strstr(tree_string_or(t, ""), word))
		return true;
	tree_each(child, t)
		if (mentions(child, word))
			return true;
	return false;
}

/* The part of a path, chart or URL that names it: `flagger` of oci://ghcr.io/fluxcd/charts/flagger. */
static bool is_flagger(const char *name)
{
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	return strcmp(name, "flagger") == 0 || strcmp(name, "flagger-manifests") == 0;
}

/* A version is digits and dots, then perhaps -rc.1 or +build; all else is a range. */
static bool is_range(const char *version)
{
	size_t n, dots = 0;

	version += *version == 'v';
	n = strspn(version, "0123456789.");
	for (size_t i = 0; i < n; i++)
		dots += version[i] == '.';
	return dots != 2 || version[n - 1] == '.' || (version[n] && !strchr("-+", version[n])) ||
	       strpbrk(version, " ,|*<>=~^");
}

static void keep_range(struct doctor *d, struct app_fact *f, const char *range, const char *path)
{
	if (!is_range(range))
		return;
	f->range = doctor_keep_text(d, *range ? range : "the newest");
	f->range_path = path;
}

static void keep_chart(struct doctor *d, struct app_fact *f, const struct tree *source, const char *path)
{
	if (is_flagger(tree_string_or(tree_get(source, "chart"), "")))
		keep_range(d, f, tree_string_or(tree_get(source, "targetRevision"), ""), path);
}

static bool argo_ignores_replicas(const struct tree *spec)
{
	if (!has_string(tree_path(spec, "syncPolicy", "syncOptions", NULL), "RespectIgnoreDifferences=true"))
		return false;
	tree_each(rule, tree_get(spec, "ignoreDifferences")) {
		const char *kind = tree_string_or(tree_get(rule, "kind"), "");

		if (strcmp(kind, "Deployment") != 0 && strcmp(kind, "*") != 0)
			continue;
		if (has_string(tree_get(rule, "jsonPointers"), "/spec/replicas") ||
		    has_string(tree_get(rule, "jqPathExpressions"), ".spec.replicas"))
			return true;
	}
	return false;
}

void doctor_keep_argo(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec"), *sync = tree_get(spec, "syncPolicy");
	struct app_fact *f = keep_app(d, ENGINE_ARGO);

	f->self_heal = tree_true(tree_path(sync, "automated", "selfHeal", NULL));
	f->ignores_replicas = argo_ignores_replicas(spec);
	f->replaces_path = "spec.syncPolicy.syncOptions";
	if (has_string(tree_get(sync, "syncOptions"), "Replace=true"))
		f->replaces = "Replace=true";
	else if (has_string(tree_get(sync, "syncOptions"), "Force=true"))
		f->replaces = "Force=true";
	keep_chart(d, f, tree_get(spec, "source"), "spec.source.targetRevision");
	tree_each(source, tree_get(spec, "sources"))
		keep_chart(d, f, source, "spec.sources");
	f->guards = mentions(spec, GUARD);
}

/* A rule's target is a regular expression over kinds; without one it is for all. */
static bool flux_ignores_replicas(const struct tree *rules)
{
	tree_each(rule, rules) {
		const char *kind = tree_string_or(tree_path(rule, "target", "kind", NULL), ".*");

		if ((strstr(kind, "Deployment") || strchr(kind, '*')) &&
		    has_string(tree_get(rule, "paths"), "/spec/replicas"))
			return true;
	}
	return false;
}

static int64_t seconds(const struct tree *duration)
{
	struct error ignored;
	int64_t ms = 0;

	if (!tree_string(duration) || clock_duration(&ms, tree_string(duration), &ignored) != 0)
		return 0;
	return ms / 1000;
}

void doctor_keep_flux(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec"), *build = tree_get(spec, "postBuild");
	struct app_fact *f = keep_app(d, ENGINE_FLUX);
	int64_t interval = seconds(tree_get(spec, "interval"));

	f->ignores_replicas = flux_ignores_replicas(tree_get(spec, "ignore"));
	f->substitutes = !tree_empty(tree_get(build, "substituteFrom")) || !tree_empty(tree_get(build, "substitute"));
	f->forces = tree_true(tree_get(spec, "force"));
	f->timeout = seconds(tree_get(spec, "timeout"));
	if (!f->timeout && interval)
		f->timeout = interval - 30 > LEAST_TIMEOUT ? interval - 30 : LEAST_TIMEOUT;
	f->guards = mentions(spec, GUARD);
	d->guard |= f->guards;
}

void doctor_keep_helm(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec"), *chart = tree_path(spec, "chart", "spec", NULL);
	struct app_fact *f = keep_app(d, ENGINE_HELM);

	/* Helm patches three ways at an upgrade only; what corrects drift between them must be asked for. */
	f->ignores_replicas = flux_ignores_replicas(tree_path(spec, "driftDetection", "ignore", NULL));
	f->replaces_path = "spec.upgrade.force";
	if (tree_true(tree_path(spec, "upgrade", "force", NULL)))
		f->replaces = "upgrade.force";
	if (is_flagger(tree_string_or(tree_get(chart, "chart"), "")))
		keep_range(d, f, tree_string_or(tree_get(chart, "version"), ""), "spec.chart.spec.version");
	f->guards = mentions(tree_get(spec, "postRenderers"), GUARD);
	d->guard |= f->guards;
}

void doctor_keep_source(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec");
	const char *semver = tree_string(tree_path(spec, "ref", "semver", NULL));
	struct app_fact *f;

	if (!semver || !is_flagger(tree_string_or(tree_get(spec, "url"), "")))
		return;
	f = keep_app(d, ENGINE_NONE);
	keep_range(d, f, semver, "spec.ref.semver");
}

void check_flagger_range(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct app_fact *f = d->apps; f; f = f->next)
		if (*f->range && !f->guards && !d->guard)
			doctor_find_at(d, &f->at, f->range_path, "it follows %s", f->range);
}

static const struct job_fact *hook_of(const struct doctor *d, const struct app_fact *f)
{
	for (const struct job_fact *j = d->jobs; j; j = j->next) {
		bool of_app = f->at.manifest && j->at.manifest;

		for (size_t i = 0; i < APPS_MAX; i++)
			of_app |= doctor_app(d, &j->apps[i]) == f;
		if (of_app && j->hook)
			return j;
	}
	return NULL;
}

/* The sweeper decides what is left of a hold, so that with one a sync without hooks ends well. */
void check_self_heal(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct app_fact *f = d->apps; f; f = f->next) {
		const struct job_fact *j = f->engine == ENGINE_ARGO && f->self_heal && !d->sweeper ? hook_of(d, f) : NULL;

		if (j)
			doctor_find_at(d, &f->at, "spec.syncPolicy.automated.selfHeal", "%s %s is a hook of it",
				       j->at.id.kind, j->at.id.name);
	}
}
