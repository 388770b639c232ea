/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/apply.h"

#include <string.h>

#include "base/arena.h"
#include "k8s/appliers.h"
#include "k8s/defaults.h"
#include "k8s/flux.h"
#include "k8s/normalise.h"
#include "k8s/object.h"
#include "k8s/owners.h"

#define PARKED "flagger.app/scale-to-zero"

static const struct {
	const char *name;
	apply_by *apply;
} appliers[] = {
	[APPLIER_UNKNOWN] = {"unknown", apply_two_way},
	[APPLIER_SERVER_SIDE] = {"server-side", apply_server_side},
	[APPLIER_CLIENT_SIDE] = {"client-side", apply_client_side},
	[APPLIER_HELM] = {"helm", apply_helm},
	[APPLIER_REPLACE] = {"replace", apply_replace},
	[APPLIER_TWO_WAY] = {"two-way", apply_two_way},
};

const char *applier_name(enum applier_kind kind)
{
	return appliers[kind].name;
}

int applier_parse(struct applier *out, const char *text, struct error *err)
{
	size_t len = strcspn(text, "=");

	*out = (struct applier){.why = "--applier"};
	for (int kind = APPLIER_SERVER_SIDE; kind <= APPLIER_TWO_WAY; kind++)
		if (strlen(appliers[kind].name) == len && strncmp(text, appliers[kind].name, len) == 0)
			out->kind = (enum applier_kind)kind;
	if (!out->kind)
		return error_set(err, ERR_USAGE,
				 "'%s' is no applier: server-side[=MANAGER], client-side, helm, replace or two-way",
				 text);
	if (!text[len])
		return 0;
	if (!text[len + 1] || (out->kind != APPLIER_SERVER_SIDE && out->kind != APPLIER_HELM))
		return error_set(err, ERR_USAGE, "'%s': only server-side and helm take a manager, as in server-side=flux",
				 text);
	out->manager = arena_strdup(text + len + 1);
	return 0;
}

/* Git's object without what isn't Git's to say: the server ignores it, or refuses it. */
static struct tree *sent(const struct tree *desired, const struct applier *applier, struct notes *warnings)
{
	struct tree *copy = tree_copy(desired), *meta = tree_get_mutable(copy, "metadata");

	tree_remove(copy, "status");
	if (tree_kind(meta) != TREE_MAP)
		return copy;
	if (tree_get(meta, "managedFields") && applier->kind == APPLIER_SERVER_SIDE)
		note_add(warnings, "refused: metadata.managedFields: server-side apply refuses an object that has it");
	tree_remove(meta, "managedFields");
	tree_remove(meta, "uid");
	tree_remove(meta, "resourceVersion");
	tree_remove(meta, "generation");
	return copy;
}

static bool parked(const struct tree *object)
{
	return tree_get(tree_path(object, "spec", "template", "spec", "nodeSelector", NULL), PARKED);
}

/* Decoding, defaults, conversion and gates, in the server's order. */
static struct tree *stored(const struct application *a, const struct tree *merged)
{
	struct tree *out = normalise(merged, a->type, a->minor), *template;

	defaults_fill(out, a->type, a->minor);
	template = tree_get_mutable(tree_get_mutable(out, "spec"), "template");
	if (!template)
		return out;
	defaults_convert(template);
	defaults_gate(out, a->live, a->minor, a->warnings);
	return out;
}

/* Only a new object that isn't applied server-side is decoded from its own JSON, as is a PUT. */
static unsigned flags(const struct applier *applier, const struct tree *live)
{
	if (applier->kind == APPLIER_SERVER_SIDE)
		return SENT_WRAPS | (flux_applies(applier->manager) ? 0 : SENT_REFUSES);
	return live && applier->kind != APPLIER_REPLACE ? SENT_WRAPS : 0;
}

static void note_garbled(struct notes *warnings, const struct tree *live)
{
	for (const struct owner *o = owners_read(live); o; o = o->next)
		if (o->garbled)
			note_add(warnings, "owners: managedFields of '%s' can't be read, so what it owns isn't known",
				 o->manager);
}

static int check_kinds(enum object_kind kind, const struct tree *desired, const struct tree *live,
		       struct error *err)
{
	if (!schema_root(kind))
		return error_set(err, ERR_INPUT, "'%s' is no kind whose apply is known",
				 tree_string_or(tree_get(desired, "kind"), ""));
	if (live && object_kind(live) != kind)
		return error_set(err, ERR_INPUT, "the live object is a '%s'",
				 tree_string_or(tree_get(live, "kind"), ""));
	return 0;
}

const struct tree *apply(const struct tree *desired, const struct tree *live, const struct applier *applier,
			 int server_minor, struct notes *warnings, struct error *err)
{
	enum object_kind kind = object_kind(desired);
	struct application a = {.live = live, .applier = applier, .type = schema_root(kind),
				.minor = schema_minor_for(server_minor), .warnings = warnings};
	const struct tree *merged;
	struct tree *out;

	if (check_kinds(kind, desired, live, err) != 0)
		return NULL;
	a.desired = normalise_sent(sent(desired, applier, warnings), a.type, a.minor, flags(applier, live),
				    warnings, err);
	if (!a.desired)
		return NULL;
	if (live && normalise_check(live, a.type, a.minor, err) != 0) {
		error_wrap(err, "the live object");
		return NULL;
	}
	note_garbled(warnings, live);
	merged = appliers[applier->kind].apply(&a, err);
	if (!merged)
		return NULL;
	out = stored(&a, merged);
	if (kind == KIND_DAEMONSET && parked(live) && !parked(out))
		note_add(warnings, "scale-to-zero: the apply wakes a DaemonSet that Flagger has parked");
	return out;
}
