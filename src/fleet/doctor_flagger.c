/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of Flagger's Deployments and of the CRD, and the checks of them. */
#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_facts.h"
#include "fleet/running.h"

#define GUARD "perch-guard"

enum crd_weight { CRD_STATUS, CRD_SUSPEND, CRD_OLDER };
static const struct crd_field {
	const char *path;
	struct release since;
	enum crd_weight weight;
} fields[] = {
#define CRD_FIELD(path, major, minor, weight) {path, {major, minor, 0}, CRD_##weight},
#include "fleet/crd_fields.def"
#undef CRD_FIELD
};
#define FIELDS (sizeof(fields) / sizeof(*fields))

static const struct tree *pod_of(const struct tree *object)
{
	return tree_path(object, "spec", "template", "spec", NULL);
}

static const struct tree *container_of(const struct tree *object)
{
	return running_likely_container(pod_of(object));
}

static const char *image_of(const struct tree *object)
{
	return tree_string_or(tree_get(container_of(object), "image"), "");
}

static const char *image_path(const struct tree *object)
{
	return arena_printf("spec.template.spec.containers[%s].image",
			    tree_string_or(tree_get(container_of(object), "name"), ""));
}

static bool has_guard(const struct tree *object)
{
	tree_each(c, tree_get(pod_of(object), "initContainers"))
		if (strcmp(tree_string_or(tree_get(c, "name"), ""), GUARD) == 0)
			return true;
	return false;
}

/* The value of a Go flag among the arguments; "" where it isn't there, "true" where it has none. */
static const char *flag(const struct tree *words, const char *name)
{
	size_t len = strlen(name);

	tree_each(word, words) {
		const char *text = tree_string_or(word, "");

		if (*text != '-')
			continue;
		text += text[1] == '-' ? 2 : 1;
		if (strncmp(text, name, len) == 0 && text[len] == '=')
			return text + len + 1;
		if (strcmp(text, name) == 0) {
			const char *next = tree_string_or(tree_next(word), "");

			return *next && *next != '-' ? next : "true";
		}
	}
	return "";
}

static bool elects(const struct tree *object)
{
	const char *said = flag(tree_get(container_of(object), "args"), "enable-leader-election");
	int64_t replicas = 1;

	tree_int64(tree_path(object, "spec", "replicas", NULL), &replicas);
	return (*said && strchr("1tT", *said)) || replicas > 1;
}

void doctor_keep_flagger(struct doctor *d, const struct tree *object)
{
	struct flagger_fact *f = KEEP(d, struct flagger_fact);
	const char *watches = flag(tree_get(container_of(object), "args"), "namespace");

	f->at = doctor_keep_at(d);
	f->watches = doctor_keep_text(d, watches);
	f->guard = has_guard(object);
	f->elects = elects(object);
	f->known = release_read(&f->release, image_of(object)) == RELEASE_KNOWN;
	f->next = d->flaggers;
	d->flaggers = f;
	d->guard |= f->guard;
	d->installed |= f->guard;
}

void check_flagger_unknown(struct doctor *d, const struct tree *object)
{
	const char *image = image_of(object), *path = image_path(object);
	struct release r, newest = release_newest();

	switch (release_read(&r, image)) {
	case RELEASE_KNOWN:
		break;
	case RELEASE_UNLISTED:
		doctor_find(d, path, "Flagger %s; the newest that this perch knows is %s", release_text(&r),
			    release_text(&newest));
		break;
	case RELEASE_AMBIGUOUS:
		doctor_find(d, path, "the tag of '%s' fits releases of different schemas", image);
		break;
	case RELEASE_NONE:
		doctor_find(d, path, "the image '%s' names no release", image);
		break;
	}
}

void check_flagger_too_old(struct doctor *d, const struct tree *object)
{
	static const struct release first = {1, 32, 0};
	struct release r;

	if (release_read(&r, image_of(object)) == RELEASE_KNOWN && release_compare(&r, &first) < 0)
		doctor_find(d, image_path(object), "Flagger %s", release_text(&r));
}

/* Whether the HelmRelease that makes it patches guard in shows live only. */
void check_flagger_no_guard(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct flagger_fact *f = d->flaggers; f; f = f->next)
		if (!f->guard)
			doctor_find_at(d, &f->at, "spec.template.spec.initContainers", "there is no " GUARD);
}

void check_leader_election(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct flagger_fact *f = d->flaggers; f; f = f->next) {
		bool looked = f->at.manifest || doctor_has_listed(d, ABOUT_JOB);

		if (f->guard && f->elects && looked && !d->reconciler)
			doctor_find_at(d, &f->at, "spec.template.spec.containers",
				       "its Pods overlap, and no Job reconciles");
	}
}

/* Rendered and live, it is one. */
static bool same_deployment(const struct flagger_fact *a, const struct flagger_fact *b)
{
	return identity_same(&a->at.id, &b->at.id);
}

static bool overlap(const struct flagger_fact *a, const struct flagger_fact *b)
{
	return !*a->watches || !*b->watches || strcmp(a->watches, b->watches) == 0;
}

void check_two_flaggers(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct flagger_fact *a = d->flaggers; a; a = a->next)
		for (const struct flagger_fact *b = a->next; b; b = b->next)
			if (!same_deployment(a, b) && overlap(a, b))
				doctor_find_at(d, &a->at, "", "so does %s/%s", b->at.id.namespace, b->at.id.name);
}

static bool keeps_unknown(const struct tree *schema)
{
	return tree_true(tree_get(schema, "x-kubernetes-preserve-unknown-fields"));
}

/* Is the field in the schema, or kept though it isn't? */
static bool schema_has(const struct tree *schema, const char *path)
{
	while (*path) {
		size_t len = strcspn(path, ".");
		const struct tree *next = tree_get(tree_get(schema, "properties"), arena_strndup(path, len));

		if (!next)
			return keeps_unknown(schema);
		schema = next;
		path += len + (path[len] == '.');
	}
	return true;
}

static const struct tree *schema_of(const struct tree *crd)
{
	tree_each(version, tree_path(crd, "spec", "versions", NULL))
		if (strcmp(tree_string_or(tree_get(version, "name"), ""), "v1beta1") == 0)
			return tree_path(version, "schema", "openAPIV3Schema", NULL);
	return NULL;
}

static bool is_canaries(const struct tree *crd)
{
	return strcmp(tree_string_or(tree_path(crd, "metadata", "name", NULL), ""), "canaries.flagger.app") == 0;
}

static unsigned missing_in(const struct tree *crd)
{
	const struct tree *schema = schema_of(crd);
	unsigned missing = 0;

	for (size_t i = 0; i < FIELDS; i++)
		if (!schema_has(schema, fields[i].path))
			missing |= 1u << i;
	return missing;
}

void doctor_keep_crd(struct doctor *d, const struct tree *object)
{
	struct crd_fact *f;

	if (!is_canaries(object))
		return;
	f = KEEP(d, struct crd_fact);
	f->at = doctor_keep_at(d);
	f->missing = missing_in(object);
	f->next = d->crds;
	d->crds = f;
}

static const char *names(unsigned missing, enum crd_weight weight, const struct release *running)
{
	struct buffer b = {0};

	for (size_t i = 0; i < FIELDS; i++)
		if (missing & 1u << i && fields[i].weight == weight &&
		    (!running || release_compare(&fields[i].since, running) <= 0))
			buffer_printf(&b, "%s%s", b.len ? ", " : "", fields[i].path);
	return buffer_text(&b);
}

void check_crd_no_suspend(struct doctor *d, const struct tree *object)
{
	if (is_canaries(object) && *names(missing_in(object), CRD_SUSPEND, NULL))
		doctor_find(d, "spec.versions", "its schema has no spec.suspend");
}

void check_crd_prunes_status(struct doctor *d, const struct tree *object)
{
	const char *lost = is_canaries(object) ? names(missing_in(object), CRD_STATUS, NULL) : "";

	if (*lost)
		doctor_find(d, "spec.versions", "its schema has no %s", lost);
}

void check_crd_older(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct crd_fact *c = d->crds; c; c = c->next) {
		for (const struct flagger_fact *f = d->flaggers; f; f = f->next) {
			const char *lost = f->known ? names(c->missing, CRD_OLDER, &f->release) : "";

			if (*lost)
				doctor_find_at(d, &c->at, "spec.versions", "Flagger %s has %s, which it drops",
					       release_text(&f->release), lost);
		}
	}
}

void check_no_crd(struct doctor *d, const struct tree *object)
{
	const struct at at = {{"apiextensions.k8s.io", "CustomResourceDefinition", "", "canaries.flagger.app"}, NULL};

	(void)object;
	if (!d->crds && doctor_has_listed(d, ABOUT_CRD))
		doctor_find_at(d, &at, "", "the server has no such CustomResourceDefinition");
}
