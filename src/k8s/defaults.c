/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/defaults.h"

#include <string.h>

#include "base/arena.h"
#include "k8s/image.h"
#include "k8s/path.h"
#include "value/quantity.h"

#define NEVER SCHEMA_NEVER

static bool is(const struct tree *v, const char *text)
{
	const char *s = tree_string(v);

	return s && strcmp(s, text) == 0;
}

static void put_if_absent(struct tree *map, const char *key, struct tree *value)
{
	if (!tree_get(map, key))
		tree_add(map, key, value);
}

static struct tree *put_map(struct tree *map, const char *key)
{
	put_if_absent(map, key, tree_new_map());
	return tree_get_mutable(map, key);
}

static struct tree *pull_policy(const char *image)
{
	return tree_new_string(image_is_latest(image) ? "Always" : "IfNotPresent");
}

static void container_pull_policy(struct tree *container)
{
	put_if_absent(container, "imagePullPolicy",
		      pull_policy(tree_string_or(tree_get(container, "image"), "")));
}

static void image_volume_pull_policy(struct tree *image)
{
	put_if_absent(image, "pullPolicy", pull_policy(tree_string_or(tree_get(image, "reference"), "")));
}

static void host_ports_of(const struct tree *containers)
{
	tree_each(container, containers)
		tree_each(port, tree_get(container, "ports"))
			if (tree_get(port, "containerPort"))
				put_if_absent((struct tree *)port, "hostPort",
					      tree_copy(tree_get(port, "containerPort")));
}

static void host_ports(struct tree *pod)
{
	if (!tree_true(tree_get(pod, "hostNetwork")))
		return;
	host_ports_of(tree_get(pod, "containers"));
	host_ports_of(tree_get(pod, "initContainers"));
}

static void round_up_to_milli(struct tree *resources)
{
	const struct tree *next;

	for (const struct tree *q = tree_first(resources); q; q = next) {
		const char *text = tree_string(q);

		next = tree_next(q);
		if (text && quantity_valid(text))
			tree_replace(resources, (struct tree *)q,
				     tree_new_string(quantity_canonical_milli(text)));
	}
}

static void empty_dir(struct tree *volume)
{
	tree_each(source, volume)
		if (strcmp(tree_key(source), "name") != 0)
			return;
	put_map(volume, "emptyDir");
}

static void deployment_strategy(struct tree *strategy)
{
	struct tree *rolling;

	put_if_absent(strategy, "type", tree_new_string("RollingUpdate"));
	if (!is(tree_get(strategy, "type"), "RollingUpdate"))
		return;
	rolling = put_map(strategy, "rollingUpdate");
	put_if_absent(rolling, "maxUnavailable", tree_new_string("25%"));
	put_if_absent(rolling, "maxSurge", tree_new_string("25%"));
}

static void daemonset_strategy(struct tree *strategy)
{
	struct tree *rolling;

	put_if_absent(strategy, "type", tree_new_string("RollingUpdate"));
	if (!is(tree_get(strategy, "type"), "RollingUpdate"))
		return;
	rolling = put_map(strategy, "rollingUpdate");
	put_if_absent(rolling, "maxUnavailable", tree_new_int(1));
	put_if_absent(rolling, "maxSurge", tree_new_int(0));
}

static void target_port(struct tree *port)
{
	const struct tree *target = tree_get(port, "targetPort");
	int64_t n = 0;

	if (!target || is(target, "") || (tree_int64(target, &n) && n == 0))
		tree_put(port, "targetPort", tree_get(port, "port") ? tree_copy(tree_get(port, "port"))
								     : tree_new_int(0));
}

static void affinity_timeout(struct tree *spec)
{
	if (is(tree_get(spec, "sessionAffinity"), "None"))
		tree_remove(spec, "sessionAffinityConfig");
	if (is(tree_get(spec, "sessionAffinity"), "ClientIP"))
		put_if_absent(put_map(put_map(spec, "sessionAffinityConfig"), "clientIP"),
			      "timeoutSeconds", tree_new_int(10800));
}

static void external_traffic(struct tree *spec)
{
	const struct tree *type = tree_get(spec, "type");

	if (is(type, "LoadBalancer") || is(type, "NodePort") ||
	    (is(type, "ClusterIP") && !tree_empty(tree_get(spec, "externalIPs"))))
		put_if_absent(spec, "externalTrafficPolicy", tree_new_string("Cluster"));
}

static void internal_traffic(struct tree *spec)
{
	const struct tree *type = tree_get(spec, "type");

	if (is(type, "LoadBalancer") || is(type, "NodePort") || is(type, "ClusterIP"))
		put_if_absent(spec, "internalTrafficPolicy", tree_new_string("Cluster"));
}

static void allocate_node_ports(struct tree *spec)
{
	if (is(tree_get(spec, "type"), "LoadBalancer"))
		put_if_absent(spec, "allocateLoadBalancerNodePorts", tree_new_bool(true));
}

static const struct rule {
	const char *type, *field, *value;
	void (*compute)(struct tree *v);
	int since, until;
} rules[] = {
#define DEFAULT(id, type, field, value, since, until) {type, field, value, NULL, since, until},
#define COMPUTED(id, type, function, since, until) {type, NULL, NULL, function, since, until},
#include "k8s/rules.def"
};

/* The JSON of a default: a string without escapes, {}, a boolean or an integer. */
static struct tree *literal(const char *json)
{
	switch (*json) {
	case '"':
		return tree_new_string(arena_strndup(json + 1, strlen(json) - 2));
	case '{':
		return tree_new_map();
	case 't':
	case 'f':
		return tree_new_bool(*json == 't');
	default:
		return tree_new_number(json);
	}
}

static void fill_by_rules(struct tree *v, const struct schema_type *t, int minor)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct rule *r = &rules[i];

		if (minor < r->since || minor >= r->until || strcmp(r->type, t->go) != 0)
			continue;
		if (r->compute)
			r->compute(v);
		else
			put_if_absent(v, r->field, literal(r->value));
	}
}

static void fill_fields(struct tree *v, const struct schema_type *t, int minor)
{
	fill_by_rules(v, t, minor);
	schema_fields(f, t) {
		struct tree *child;

		if (!schema_has(f, minor))
			continue;
		if (f->flags & SCHEMA_INLINE) {
			fill_fields(v, f->type, minor);
			continue;
		}
		if (f->dflt)
			put_if_absent(v, f->json, literal(f->dflt));
		child = tree_get_mutable(v, f->json);
		if (child)
			defaults_fill(child, f->type, minor);
	}
}

void defaults_fill(struct tree *value, const struct schema_type *type, int minor)
{
	const struct schema_type *t = schema_value(type);
	enum tree_kind kind = tree_kind(value);

	if (t->kind == SCHEMA_STRUCT && kind == TREE_MAP) {
		fill_fields(value, t, minor);
		return;
	}
	if (kind != TREE_LIST && kind != TREE_MAP)
		return;
	if (t->kind == SCHEMA_MAP && kind == TREE_MAP)
		fill_by_rules(value, t, minor);
	if (t->elem && schema_value(t->elem)->kind == SCHEMA_STRUCT)
		tree_each(child, value)
			defaults_fill((struct tree *)child, t->elem, minor);
}

/* What rules look at: the scalars of a struct, and that its other fields are there. */
static struct tree *outline(const struct tree *v, const char *but)
{
	struct tree *out = tree_new_map();

	tree_each(child, v) {
		enum tree_kind kind = tree_kind(child);

		if (strcmp(tree_key(child), but) != 0)
			tree_add(out, tree_key(child), kind == TREE_MAP	  ? tree_new_map()
						       : kind == TREE_LIST ? tree_new_list()
									   : tree_copy(child));
	}
	return out;
}

static bool is_default(const struct tree *v, const char *key, const struct schema_type *t, int minor)
{
	const struct schema_field *f = schema_field(t, key, minor);
	struct tree *without = outline(v, key);

	fill_by_rules(without, t, minor);
	if (f && f->dflt)
		put_if_absent(without, key, literal(f->dflt));
	return tree_get(without, key) && tree_same(tree_get(without, key), tree_get(v, key));
}

static void strip_items(struct tree *part, const struct tree *whole, const struct schema_type *t,
			const struct schema_field *field, int minor)
{
	size_t n = tree_len(part), m = tree_len(whole), i = 0;
	const char **keys = path_item_keys(part, n, field), **all = path_item_keys(whole, m, field);

	tree_each(item, part) {
		size_t j = 0;

		tree_each(other, whole) {
			if (keys[i] && all[j] && strcmp(keys[i], all[j]) == 0)
				defaults_strip((struct tree *)item, other, t->elem, NULL, minor);
			j++;
		}
		i++;
	}
}

void defaults_strip(struct tree *part, const struct tree *whole, const struct schema_type *type,
		    const struct schema_field *field, int minor)
{
	const struct schema_type *t = schema_value(type);
	const struct tree *next;

	if (t->kind == SCHEMA_LIST && tree_kind(part) == TREE_LIST)
		strip_items(part, whole, t, field, minor);
	if (t->kind != SCHEMA_STRUCT || tree_kind(part) != TREE_MAP)
		return;
	for (const struct tree *child = tree_first(part); child; child = next) {
		const struct schema_field *f = schema_field(t, tree_key(child), minor);

		next = tree_next(child);
		if (is_default(whole, tree_key(child), t, minor))
			tree_detach(part, (struct tree *)child);
		else if (f)
			defaults_strip((struct tree *)child, tree_get(whole, f->json), f->type, f, minor);
	}
}

static void keep_twins(struct tree *pod)
{
	const char *name = tree_string_or(tree_get(pod, "serviceAccountName"), "");

	if (!*name)
		name = tree_string_or(tree_get(pod, "serviceAccount"), "");
	if (!*name)
		return;
	tree_put(pod, "serviceAccountName", tree_new_string(name));
	tree_put(pod, "serviceAccount", tree_new_string(name));
}

void defaults_convert(struct tree *template)
{
	static const char *const left_over[] = {
		"pod.beta.kubernetes.io/init-containers", "pod.alpha.kubernetes.io/init-containers",
		"pod.beta.kubernetes.io/init-container-statuses",
		"pod.alpha.kubernetes.io/init-container-statuses",
	};
	struct tree *meta = tree_get_mutable(template, "metadata");
	struct tree *annotations = tree_get_mutable(meta, "annotations");
	struct tree *pod = tree_get_mutable(template, "spec");

	if (pod)
		keep_twins(pod);
	if (!annotations)
		return;
	for (size_t i = 0; i < sizeof(left_over) / sizeof(*left_over); i++)
		tree_remove(annotations, left_over[i]);
	if (tree_empty(annotations))
		tree_remove(meta, "annotations");
}
