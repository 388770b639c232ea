/* SPDX-License-Identifier: Apache-2.0 */
#include "act/write.h"

#include <string.h>

#include "act/via_write.h"
#include "base/arena.h"
#include "io/api.h"
#include "value/pointer.h"

#define MERGE_PATCH "application/merge-patch+json"
#define APPLY_PATCH "application/apply-patch+yaml"

static const struct api_kind canaries = {"flagger.app", "v1beta1", "canaries"};

/* What a patch of hashes leaves as it is. */
static const char *const unmoved[] = {
	"/metadata/uid", "/spec/suspend",         "/status/phase",      "/status/iterations",
	"/status/canaryWeight", "/status/failedChecks", "/status/conditions", "/status/trackedConfigs",
};

static void must(struct write *w, const char *pointer, const struct tree *value)
{
	if (w->n_musts == WRITE_MAX_MUSTS)
		BUG("more than %d things must hold of one write", WRITE_MAX_MUSTS);
	w->musts[w->n_musts++] = (struct must){pointer, value};
}

static void must_stay(struct write *w, const struct canary *c, const char *pointer)
{
	must(w, pointer, pointer_get(c->object, pointer));
}

/* The object that was decided on. */
static struct tree *which(const struct canary *c)
{
	static const char *const keys[] = {"uid", "resourceVersion"};
	const struct tree *read = tree_get(c->object, "metadata");
	struct tree *metadata = tree_new_map();

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		tree_put(metadata, keys[i], tree_copy(tree_get(read, keys[i])));
	return metadata;
}

static struct tree *patch_of(const struct canary *c, const char *key, struct tree *value)
{
	struct tree *patch = tree_new_map();

	tree_put(patch, "metadata", which(c));
	tree_put(patch, key, value);
	return patch;
}

static const char *hashes_text(const char *applied, const char *promoted)
{
	if (!*applied)
		return "an empty lastAppliedSpec";
	if (!promoted)
		return arena_printf("lastAppliedSpec %s", applied);
	return strcmp(applied, promoted) == 0
		       ? arena_printf("both hashes %s", applied)
		       : arena_printf("lastAppliedSpec %s and lastPromotedSpec %s", applied, promoted);
}

void write_hashes(struct write *out, const struct canary *c, const char *applied, const char *promoted)
{
	struct tree *status = tree_new_map();

	*out = (struct write){.done = "wrote", .would = "write", .what = hashes_text(applied, promoted),
			      .path = arena_printf("%s/status", api_path(&canaries, c->namespace, c->name)),
			      .content_type = MERGE_PATCH};
	tree_put(status, "lastAppliedSpec", tree_new_string(applied));
	if (promoted)
		tree_put(status, "lastPromotedSpec", tree_new_string(promoted));
	out->body = patch_of(c, "status", status);
	must(out, "/status/lastAppliedSpec", tree_get(status, "lastAppliedSpec"));
	if (promoted)
		must(out, "/status/lastPromotedSpec", tree_get(status, "lastPromotedSpec"));
	else
		must_stay(out, c, "/status/lastPromotedSpec");
	for (size_t i = 0; i < sizeof(unmoved) / sizeof(*unmoved); i++)
		must_stay(out, c, unmoved[i]);
}

/* What the ConfigMap has of it isn't the Canary's; guard, which reads none, must find acceptances on that. */
static bool goes_by_configmap(struct owned *on_canary, const struct canary *c, const struct owned *owned)
{
	const char *accepted = owned->accepted ? owned->accepted : "";

	*on_canary = *owned;
	if (!c->via)
		return false;
	on_canary->hold = NULL;
	on_canary->ship = on_canary->ended = NULL;
	return strcmp(accepted, c->accepted) == 0;
}

void write_owned(struct write *out, const struct canary *c, const struct owned *owned)
{
	struct owned on_canary;

	if (goes_by_configmap(&on_canary, c, owned)) {
		via_write(out, c, owned);
		return;
	}
	*out = (struct write){.done = "kept", .would = "keep", .what = "what perch owns", .apply = true,
			      .path = api_path(&canaries, c->namespace, c->name),
			      .content_type = APPLY_PATCH, .body = owned_object(c, &on_canary), .holds = on_canary.hold};
	tree_each(annotation, tree_path(out->body, "metadata", "annotations", NULL)) {
		struct buffer pointer = {0};

		buffer_str(&pointer, "/metadata/annotations");
		pointer_add(&pointer, tree_key(annotation));
		must(out, buffer_text(&pointer), annotation);
	}
	tree_each(field, tree_get(out->body, "spec"))
		must(out, arena_printf("/spec/%s", tree_key(field)), field);
	must_stay(out, c, "/metadata/uid");
	must_stay(out, c, "/status");
}

void write_unship(struct write *out, const struct canary *c, const char *why)
{
	struct hold_terms terms;
	struct owned owned = owned_read(c, &terms);

	owned.ship = NULL;
	write_owned(out, c, &owned);
	out->done = "took";
	out->would = "take";
	out->what = arena_printf("the ship%s%s off (%s)", *c->ship ? " " : "", c->ship, why);
}

void write_release(struct write *out, const struct canary *c)
{
	struct tree *spec = tree_new_map();

	*out = (struct write){.done = "took", .would = "take",
			      .what = arena_printf("the suspension off %s", hold_others(c->object)),
			      .path = api_path(&canaries, c->namespace, c->name),
			      .content_type = MERGE_PATCH};
	tree_put(spec, "suspend", tree_new_null());
	out->body = patch_of(c, "spec", spec);
	must(out, "/spec/suspend", NULL);
	must_stay(out, c, "/metadata/uid");
	must_stay(out, c, "/status");
}

const char *write_path(const struct write *w, bool dry_run)
{
	const char *force = w->apply ? "&force=false" : "";

	return arena_printf("%s?fieldManager=" FIELD_MANAGER "%s%s", w->path, force,
			    dry_run ? "&dryRun=All" : "");
}

static const char *shown(const struct tree *value)
{
	struct buffer text = {.max = 200};

	if (!value)
		return "absent";
	tree_print_canonical(&text, value);
	return text.full ? "something else" : buffer_text(&text);
}

const char *write_check(const struct write *w, const struct tree *answer)
{
	for (size_t i = 0; i < w->n_musts; i++) {
		const struct must *m = &w->musts[i];
		const struct tree *got = pointer_get(answer, m->pointer);

		if (tree_same(got, m->value))
			continue;
		return arena_printf("%s is %s, not %s", m->pointer, shown(got), shown(m->value));
	}
	return NULL;
}
