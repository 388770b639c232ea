/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_facts.h"
#include "fleet/running.h"
#include "k8s/tracking.h"

#define ROOM ((size_t)256 << 10)
#define ROOM_LEAST ((size_t)64 << 10) /* for what is kept of one object */
#define TEXT_MAX 512                  /* longer than any name that a server takes */

static const struct doctor_check checks[] = {
#define CHECK(function, id, severity, each, needs, title, remedy) \
	{id, SEVERITY_##severity, each, (each) | (needs), title, remedy, check_##function},
#include "fleet/doctor.def"
#undef CHECK
};
#define CHECKS (sizeof(checks) / sizeof(*checks))

static const struct kind {
	const char *group, *kind;
	unsigned about;
	void (*keep)(struct doctor *d, const struct tree *object);
} kinds[] = {
	{"flagger.app", "Canary", ABOUT_CANARY, doctor_keep_canary},
	{"apps", "Deployment", ABOUT_WORKLOAD, doctor_keep_workload},
	{"apps", "DaemonSet", ABOUT_WORKLOAD, doctor_keep_workload},
	{"", "Service", ABOUT_SERVICE, doctor_keep_workload},
	{"batch", "Job", ABOUT_JOB, doctor_keep_job},
	{"", "Pod", ABOUT_JOB, doctor_keep_job},
	{"batch", "CronJob", ABOUT_CRONJOB, doctor_keep_cronjob},
	{"apiextensions.k8s.io", "CustomResourceDefinition", ABOUT_CRD, doctor_keep_crd},
	{"argoproj.io", "Application", ABOUT_ARGO, doctor_keep_argo},
	{"kustomize.toolkit.fluxcd.io", "Kustomization", ABOUT_FLUX, doctor_keep_flux},
	{"helm.toolkit.fluxcd.io", "HelmRelease", ABOUT_HELM, doctor_keep_helm},
	{"source.toolkit.fluxcd.io", "OCIRepository", ABOUT_SOURCE, doctor_keep_source},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", ABOUT_POLICY, doctor_keep_policy},
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static const struct kind *find_kind(const char *group, const char *kind)
{
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].kind, kind) == 0 && strcmp(kinds[i].group, group) == 0)
			return &kinds[i];
	return NULL;
}

const char *severity_name(enum severity severity)
{
	return severity == SEVERITY_ERROR ? "error" : "warning";
}

unsigned doctor_kind(const char *group, const char *kind)
{
	const struct kind *k = find_kind(group, kind);

	return k ? k->about : 0;
}

struct doctor *doctor_new(int64_t now)
{
	struct doctor *d = NEW(struct doctor);

	d->now = now;
	return d;
}

void doctor_make_room(struct doctor *d)
{
	if (d->room_left >= ROOM_LEAST)
		return;
	d->room = arena_alloc(ROOM);
	d->room_left = ROOM;
}

void *doctor_keep(struct doctor *d, size_t size)
{
	void *p = d->room;

	size = (size + 15) & ~(size_t)15;
	if (size > d->room_left)
		BUG("no room left to keep %zu bytes", size);
	d->room += size;
	d->room_left -= size;
	return p;
}

const char *doctor_keep_text(struct doctor *d, const char *text)
{
	size_t len = strnlen(text, TEXT_MAX);
	char *copy;

	if (!len)
		return "";
	copy = doctor_keep(d, len + 1);
	memcpy(copy, text, len);
	return copy;
}

struct at doctor_keep_at(struct doctor *d)
{
	const struct identity *id = &d->at.id;
	const struct kind *k = find_kind(id->group, id->kind);
	struct at at = {.manifest = d->at.manifest};

	at.id.group = k ? k->group : doctor_keep_text(d, id->group);
	at.id.kind = k ? k->kind : doctor_keep_text(d, id->kind);
	at.id.namespace = doctor_keep_text(d, id->namespace);
	at.id.name = doctor_keep_text(d, id->name);
	return at;
}

static enum engine engine_of(const struct tracked_app *app, const struct tree *object)
{
	const char *flux = object_label(object, "kustomize.toolkit.fluxcd.io/name");

	if (strcmp(app->engine, "Argo CD") == 0)
		return ENGINE_ARGO;
	if (strcmp(app->engine, "Flux") == 0)
		return flux && strcmp(flux, app->name) == 0 ? ENGINE_FLUX : ENGINE_HELM;
	return strcmp(app->engine, "Helm") == 0 ? ENGINE_HELM : ENGINE_NONE;
}

void doctor_keep_apps(struct doctor *d, struct app out[APPS_MAX], const struct tree *object)
{
	struct tracked_app apps[TRACKING_MAX];
	size_t n = tracking_read(apps, object), kept = 0;

	for (size_t i = 0; i < n && kept < APPS_MAX; i++) {
		enum engine engine = engine_of(&apps[i], object);

		if (engine != ENGINE_NONE)
			out[kept++] = (struct app){engine, doctor_keep_text(d, apps[i].namespace),
						   doctor_keep_text(d, apps[i].name)};
	}
}

static const char *text_of(const char *fmt, va_list ap)
{
	char text[TEXT_MAX];

	vsnprintf(text, sizeof(text), fmt, ap);
	return arena_strdup(text);
}

static void add_finding(struct doctor *d, const struct at *at, const char *path, const char *text)
{
	struct finding *f = KEEP(d, struct finding);

	*f = (struct finding){d->check, at->id, doctor_keep_text(d, path), at->manifest, doctor_keep_text(d, text),
			      d->findings};
	d->findings = f;
}

void doctor_find(struct doctor *d, const char *path, const char *fmt, ...)
{
	struct at at = doctor_keep_at(d);
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = text_of(fmt, ap);
	va_end(ap);
	add_finding(d, &at, path, text);
}

void doctor_find_at(struct doctor *d, const struct at *at, const char *path, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	doctor_make_room(d);
	va_start(ap, fmt);
	text = text_of(fmt, ap);
	va_end(ap);
	add_finding(d, at, path, text);
}

static bool runs_flagger(const struct tree *object)
{
	const struct tree *pod = tree_path(object, "spec", "template", "spec", NULL);
	const char *name = object_label(object, "app.kubernetes.io/name");

	return running_container(pod) || (name && strcmp(name, "flagger") == 0);
}

static struct identity identity_of(const struct tree *object, const struct manifest *manifest)
{
	struct identity id = manifest ? manifest->id : object_identity(object, "");
	const char *made = tree_string(tree_path(object, "metadata", "generateName", NULL));

	if (!*id.name && made)
		id.name = arena_printf("%s*", made);
	return id;
}

void doctor_see(struct doctor *d, const struct tree *object, const struct manifest *manifest)
{
	struct identity id = identity_of(object, manifest);
	const struct kind *k = find_kind(id.group, id.kind);
	unsigned about;

	if (!k)
		return;
	about = k->about;
	doctor_make_room(d);
	d->at = (struct at){id, manifest};
	k->keep(d, object);
	if (strcmp(id.kind, "Deployment") == 0 && runs_flagger(object)) {
		about |= ABOUT_FLAGGER;
		doctor_keep_flagger(d, object);
	}
	d->seen |= about;
	for (size_t i = 0; i < CHECKS; i++) {
		if (!(checks[i].each & about))
			continue;
		d->check = &checks[i];
		d->check->run(d, object);
	}
}

void doctor_listed(struct doctor *d, unsigned about)
{
	d->listed |= about;
}

void doctor_unread(struct doctor *d, unsigned about)
{
	d->unread |= about;
}

bool doctor_has_listed(const struct doctor *d, unsigned about)
{
	return (d->listed & about) == about && !(d->unread & about);
}

const char *const *doctor_flagger_namespaces(const struct doctor *d)
{
	size_t n = 1;
	const char **out;

	for (const struct flagger_fact *f = d->flaggers; f; f = f->next)
		n++;
	out = NEW_ARRAY(const char *, n);
	n = 0;
	for (const struct flagger_fact *f = d->flaggers; f; f = f->next) {
		bool twice = false;

		for (size_t i = 0; i < n; i++)
			twice |= strcmp(out[i], f->at.id.namespace) == 0;
		if (!twice)
			out[n++] = f->at.id.namespace;
	}
	return out;
}

static int by_place(const char *name, const char *namespace, enum object_kind kind, const char *other_name,
		    const char *other_namespace, enum object_kind other_kind)
{
	int order = strcmp(name, other_name);

	order = order ? order : strcmp(namespace, other_namespace);
	return order ? order : (kind > other_kind) - (kind < other_kind);
}

static int by_name(const void *a, const void *b)
{
	const struct workload_fact *x = *(struct workload_fact *const *)a, *y = *(struct workload_fact *const *)b;

	return by_place(x->at.id.name, x->at.id.namespace, x->kind, y->at.id.name, y->at.id.namespace, y->kind);
}

static int by_target(const void *a, const void *b)
{
	const struct canary_fact *x = *(struct canary_fact *const *)a, *y = *(struct canary_fact *const *)b;

	return by_place(x->target, x->at.id.namespace, x->target_kind, y->target, y->at.id.namespace,
			y->target_kind);
}

static int by_target_and_name(const void *a, const void *b)
{
	const struct canary_fact *x = *(struct canary_fact *const *)a, *y = *(struct canary_fact *const *)b;
	int order = by_target(a, b);

	return order ? order : strcmp(x->at.id.name, y->at.id.name);
}

const struct workload_fact *doctor_workload(const struct doctor *d, enum object_kind kind, const char *namespace,
					    const char *name)
{
	const struct workload_fact wanted = {.kind = kind, .at.id = {.namespace = namespace, .name = name}};
	const struct workload_fact *key = &wanted;
	struct workload_fact **found = NULL;

	if (d->n_workloads)
		found = bsearch(&key, d->sorted, d->n_workloads, sizeof(*d->sorted), by_name);
	return found ? *found : NULL;
}

const struct canary_fact *doctor_canary_on(const struct doctor *d, enum object_kind kind, const char *namespace,
					   const char *name)
{
	const struct canary_fact wanted = {.target_kind = kind, .target = name, .at.id = {.namespace = namespace}};
	const struct canary_fact *key = &wanted;
	struct canary_fact **found = NULL;

	if (d->n_canaries)
		found = bsearch(&key, d->aims, d->n_canaries, sizeof(*d->aims), by_target);
	return found ? *found : NULL;
}

static void sort_facts(struct doctor *d)
{
	size_t n = 0;

	d->sorted = NEW_ARRAY(struct workload_fact *, d->n_workloads + 1);
	for (struct workload_fact *w = d->workloads; w; w = w->next)
		d->sorted[n++] = w;
	if (n)
		qsort(d->sorted, n, sizeof(*d->sorted), by_name);
	n = 0;
	d->aims = NEW_ARRAY(struct canary_fact *, d->n_canaries + 1);
	for (struct canary_fact *c = d->canaries; c; c = c->next)
		d->aims[n++] = c;
	if (n)
		qsort(d->aims, n, sizeof(*d->aims), by_target_and_name);
}

static int by_rank(const void *a, const void *b)
{
	const struct finding *x = *(const struct finding *const *)a, *y = *(const struct finding *const *)b;
	int order = (int)x->check->severity - (int)y->check->severity;

	order = order ? order : (x->check > y->check) - (x->check < y->check);
	order = order ? order : strcmp(x->id.namespace, y->id.namespace);
	order = order ? order : strcmp(x->id.name, y->id.name);
	order = order ? order : strcmp(x->id.kind, y->id.kind);
	order = order ? order : strcmp(x->path, y->path);
	return order ? order : strcmp(x->text, y->text);
}

static void sort_findings(struct doctor *d)
{
	struct finding **all, **end = &d->findings;
	size_t n = 0;

	for (struct finding *f = d->findings; f; f = f->next)
		n++;
	all = NEW_ARRAY(struct finding *, n + 1);
	n = 0;
	for (struct finding *f = d->findings; f; f = f->next)
		all[n++] = f;
	if (n)
		qsort(all, n, sizeof(*all), by_rank);
	for (size_t i = 0; i < n; i++) {
		*end = all[i];
		end = &all[i]->next;
	}
	*end = NULL;
}

void doctor_conclude(struct doctor *d)
{
	sort_facts(d);
	for (size_t i = 0; i < CHECKS; i++) {
		d->check = &checks[i];
		if (!d->check->each)
			d->check->run(d, NULL);
	}
	sort_findings(d);
}

const struct finding *doctor_findings(const struct doctor *d)
{
	return d->findings;
}

size_t doctor_checks(void)
{
	return CHECKS;
}

size_t doctor_looked(const struct doctor *d)
{
	size_t n = 0;

	for (size_t i = 0; i < CHECKS; i++)
		n += checks[i].needs == ((d->seen | d->listed) & checks[i].needs);
	return n;
}
