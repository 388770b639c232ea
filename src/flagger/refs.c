/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/refs.h"

#include "base/arena.h"

struct scan {
	ref_visit *visit;
	void *arg;
	bool in_init;
};

/* `key` of a source is such a reference; its name is under `field`. */
static const struct place {
	const char *key, *field;
	enum object_kind kind;
} in_volume[] = {
	{"configMap", "name", KIND_CONFIGMAP},
	{"secret", "secretName", KIND_SECRET},
}, in_projection[] = {
	{"configMap", "name", KIND_CONFIGMAP},
	{"secret", "name", KIND_SECRET},
}, in_value_from[] = {
	{"configMapKeyRef", "name", KIND_CONFIGMAP},
	{"secretKeyRef", "name", KIND_SECRET},
}, in_env_from[] = {
	{"configMapRef", "name", KIND_CONFIGMAP},
	{"secretRef", "name", KIND_SECRET},
};

static void look(const struct scan *s, const struct tree *source, const struct place places[2])
{
	for (int i = 0; i < 2; i++) {
		const struct tree *holder = tree_get(source, places[i].key);
		const char *name = tree_string_or(tree_get(holder, places[i].field), "");

		if (*name)
			s->visit(s->arg, &(struct ref){
				.kind = places[i].kind, .name = name, .holder = holder,
				.optional = tree_true(tree_get(holder, "optional")),
				.in_init = s->in_init, .field = places[i].field,
			});
	}
}

static void scan_volumes(const struct scan *s, const struct tree *volumes)
{
	tree_each(volume, volumes) {
		look(s, volume, in_volume);
		tree_each(source, tree_path(volume, "projected", "sources", NULL))
			look(s, source, in_projection);
	}
}

static void scan_containers(const struct scan *s, const struct tree *containers)
{
	tree_each(container, containers) {
		tree_each(env, tree_get(container, "env"))
			look(s, tree_get(env, "valueFrom"), in_value_from);
		tree_each(from, tree_get(container, "envFrom"))
			look(s, from, in_env_from);
	}
}

void refs_each(const struct tree *pod_spec, ref_visit *visit, void *arg)
{
	struct scan s = {.visit = visit, .arg = arg};

	scan_volumes(&s, tree_get(pod_spec, "volumes"));
	scan_containers(&s, tree_get(pod_spec, "containers"));
	s.in_init = true;
	scan_containers(&s, tree_get(pod_spec, "initContainers"));
}

const char *ref_key(enum object_kind kind, const char *name)
{
	return arena_printf("%s/%s", kind == KIND_SECRET ? "secret" : "configmap", name);
}
