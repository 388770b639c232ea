/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/primary.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/refs.h"

#define SUFFIX "-primary"
#define STAMP "flagger-id"
#define PARKED "flagger.app/scale-to-zero"
#define TOOLKIT "toolkit.fluxcd.io" /* keys that hold this never reach the primary */

struct transform {
	const struct tree *tracked;      /* keys are the refs that are renamed */
	const struct tree *primary_spec; /* P's pod spec, which shows the form of init containers' refs */
	const char *target_name, *selector_labels;
	bool back;                       /* P → T: suffixes go */
};

static bool has_suffix(const char *s)
{
	size_t len = strlen(s), tail = sizeof(SUFFIX) - 1;

	return len > tail && strcmp(s + len - tail, SUFFIX) == 0;
}

static const char *with_suffix(const char *s)
{
	return arena_printf("%s%s", s, SUFFIX);
}

static const char *without_suffix(const char *s)
{
	return has_suffix(s) ? arena_strndup(s, strlen(s) - (sizeof(SUFFIX) - 1)) : s;
}

struct init_search {
	enum object_kind kind;
	const char *name;
	bool found;
};

static void search_init(void *arg, const struct ref *ref)
{
	struct init_search *s = arg;

	if (ref->in_init && ref->kind == s->kind && strcmp(ref->name, s->name) == 0)
		s->found = true;
}

static bool init_shows(const struct tree *pod_spec, enum object_kind kind, const char *name)
{
	struct init_search s = {.kind = kind, .name = name};

	refs_each(pod_spec, search_init, &s);
	return s.found;
}

/* A walk is over const trees; this one is our own copy. */
static void set_name(const struct tree *holder, const char *field, const char *name)
{
	tree_put((struct tree *)holder, field, tree_new_string(name));
}

static void rename_ref(void *arg, const struct ref *ref)
{
	const struct transform *x = arg;
	const char *name = x->back ? without_suffix(ref->name) : with_suffix(ref->name);
	const char *plain = x->back ? name : ref->name;

	if (!tree_get(x->tracked, ref_key(ref->kind, plain)))
		return;
	if (ref->in_init && !x->back && !init_shows(x->primary_spec, ref->kind, name))
		return;
	set_name(ref->holder, ref->field, name);
}

static bool listed(const char *labels, const char *key)
{
	size_t len = strlen(key);

	for (const char *at = labels; *at;) {
		size_t n = strcspn(at, ",");

		if (n == len && memcmp(at, key, n) == 0)
			return true;
		at += n + (at[n] == ',');
	}
	return false;
}

static const char *renamed_value(const struct transform *x, const char *value)
{
	const char *primary = with_suffix(x->target_name);
	const char *from = x->back ? primary : x->target_name;

	return value && strcmp(value, from) == 0 ? (x->back ? x->target_name : primary) : NULL;
}

static void rename_expression(const struct transform *x, struct tree *expression)
{
	struct tree *values = tree_get_mutable(expression, "values");

	if (!listed(x->selector_labels, tree_string_or(tree_get(expression, "key"), "")))
		return;
	for (size_t i = 0; i < tree_len(values); i++) {
		struct tree *value = tree_at_mutable(values, i);
		const char *name = renamed_value(x, tree_string(value));

		if (name) {
			tree_replace(values, value, tree_new_string(name));
			return; /* the first one only */
		}
	}
}

static void rename_selector(const struct transform *x, struct tree *selector)
{
	struct tree *labels = tree_get_mutable(selector, "matchLabels");
	struct tree *expressions = tree_get_mutable(selector, "matchExpressions");

	for (struct tree *label = (struct tree *)tree_first(labels), *next; label; label = next) {
		const char *name = renamed_value(x, tree_string(label));

		next = (struct tree *)tree_next(label);
		if (name && listed(x->selector_labels, tree_key(label)))
			tree_replace(labels, label, tree_new_string(name));
	}
	for (size_t i = 0; i < tree_len(expressions); i++)
		rename_expression(x, tree_at_mutable(expressions, i));
}

/* Selectors that keep pods of one workload apart: spread constraints and anti-affinity. */
static void rename_selectors(const struct transform *x, struct tree *spec)
{
	struct tree *spread = tree_get_mutable(spec, "topologySpreadConstraints");
	struct tree *anti = tree_get_mutable(tree_get_mutable(spec, "affinity"), "podAntiAffinity");
	struct tree *required = tree_get_mutable(anti, "requiredDuringSchedulingIgnoredDuringExecution");
	struct tree *preferred = tree_get_mutable(anti, "preferredDuringSchedulingIgnoredDuringExecution");

	for (size_t i = 0; i < tree_len(spread); i++)
		rename_selector(x, tree_get_mutable(tree_at_mutable(spread, i), "labelSelector"));
	for (size_t i = 0; i < tree_len(required); i++)
		rename_selector(x, tree_get_mutable(tree_at_mutable(required, i), "labelSelector"));
	for (size_t i = 0; i < tree_len(preferred); i++)
		rename_selector(x, tree_get_mutable(tree_get_mutable(tree_at_mutable(preferred, i),
								      "podAffinityTerm"),
						    "labelSelector"));
}

static void rename_spec(const struct transform *x, struct tree *spec, enum object_kind kind)
{
	refs_each(spec, rename_ref, (void *)x);
	if (kind != KIND_DAEMONSET)
		rename_selectors(x, spec);
}

/* Drops what is Flagger's own: its stamp and a DaemonSet's parking. */
static void drop_own(struct tree *template)
{
	tree_remove(tree_get_mutable(tree_get_mutable(template, "metadata"), "annotations"), STAMP);
	tree_remove(tree_get_mutable(tree_get_mutable(template, "spec"), "nodeSelector"), PARKED);
}

static void drop_toolkit(struct tree *map)
{
	for (struct tree *entry = (struct tree *)tree_first(map); entry;) {
		struct tree *next = (struct tree *)tree_next(entry);

		if (strstr(tree_key(entry), TOOLKIT))
			tree_detach(map, entry);
		entry = next;
	}
}

static struct tree *copy_or_map(const struct tree *t)
{
	return tree_kind(t) == TREE_MAP ? tree_copy(t) : tree_new_map();
}

/* Labels and annotations are T's, all other metadata of the template stays P's. */
static struct tree *forward_metadata(const struct tree *target, const struct tree *primary,
				     const char *label, const char *value)
{
	struct tree *metadata = copy_or_map(primary);
	struct tree *labels = copy_or_map(tree_get(target, "labels"));
	struct tree *annotations = copy_or_map(tree_get(target, "annotations"));

	drop_toolkit(labels);
	drop_toolkit(annotations);
	tree_put(labels, label, tree_new_string(value));
	tree_put(metadata, "labels", labels);
	tree_put(metadata, "annotations", annotations);
	return metadata;
}

static const struct tree *template_of(const struct tree *object)
{
	return tree_path(object, "spec", "template", NULL);
}

static const struct tree *with_template(const struct tree *object, struct tree *template)
{
	static const char *const kept[] = {"apiVersion", "kind"};
	struct tree *out = tree_new_map(), *spec = tree_new_map();
	struct identity id = object_identity(object, "");
	struct tree *metadata = tree_new_map();

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (tree_get(object, kept[i]))
			tree_add(out, kept[i], tree_copy(tree_get(object, kept[i])));
	tree_add(metadata, "namespace", tree_new_string(id.namespace));
	tree_add(metadata, "name", tree_new_string(id.name));
	tree_add(out, "metadata", metadata);
	tree_add(spec, "template", template);
	tree_add(out, "spec", spec);
	return out;
}

/* The one key of P's selector, which Flagger chose when it made P. */
static const char *selector_label(const struct tree *primary)
{
	const struct tree *labels = tree_path(primary, "spec", "selector", "matchLabels", NULL);

	return tree_len(labels) == 1 ? tree_key(tree_first(labels)) : NULL;
}

const struct tree *primary_forward(const struct canary *c, const struct tree *target,
				   const struct tree *primary, const char *selector_labels,
				   struct error *err)
{
	struct transform x = {
		.tracked = c->tracked, .target_name = c->target_name,
		.primary_spec = tree_get(template_of(primary), "spec"),
		.selector_labels = selector_labels ? selector_labels : SELECTOR_LABELS_DEFAULT,
	};
	const char *label = selector_label(primary), *value;
	struct tree *template = copy_or_map(template_of(target));

	if (!label) {
		error_set(err, ERR_INPUT, "selector has not exactly one label: '%s-primary'",
			  c->target_name);
		return NULL;
	}
	value = tree_string(tree_get(tree_path(target, "spec", "selector", "matchLabels", NULL), label));
	if (!value) {
		error_set(err, ERR_INPUT, "selector lacks its primary's label '%s': '%s'", label,
			  c->target_name);
		return NULL;
	}
	rename_spec(&x, tree_get_mutable(template, "spec"), c->target_kind);
	tree_put(template, "metadata",
		 forward_metadata(tree_get(template_of(target), "metadata"),
				  tree_get(template_of(primary), "metadata"), label, with_suffix(value)));
	drop_own(template);
	return with_template(target, template);
}

const struct tree *primary_comparable(const struct tree *primary)
{
	struct tree *template = copy_or_map(template_of(primary));

	drop_own(template);
	return with_template(primary, template);
}

const struct tree *primary_backward(const struct canary *c, const struct tree *primary,
				    const char *selector_labels)
{
	struct transform x = {
		.tracked = c->tracked, .target_name = c->target_name, .back = true,
		.selector_labels = selector_labels ? selector_labels : SELECTOR_LABELS_DEFAULT,
	};
	struct tree *template = copy_or_map(template_of(primary));
	struct tree *labels = tree_get_mutable(tree_get_mutable(template, "metadata"), "labels");
	const char *label = selector_label(primary);
	const char *value = label ? tree_string(tree_get(labels, label)) : NULL;

	if (value)
		tree_put(labels, label, tree_new_string(without_suffix(value)));
	rename_spec(&x, tree_get_mutable(template, "spec"), c->target_kind);
	drop_own(template);
	return with_template(primary, template);
}
