/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "k8s/defaults.h"
#include "k8s/path.h"
#include "k8s/pointer_path.h"

#define NEVER SCHEMA_NEVER
#define MAX_PATHS 8

/* NONE only looks whether the field is there. */
enum effect { NONE, DROP, DROP_VOLUME, RESET };

static const struct gate {
	int minor;
	enum effect effect;
	const char *paths[MAX_PATHS];
} gates[] = {
#define GATE(id, minor, effect, ...) {minor, effect, {__VA_ARGS__}},
#include "k8s/rules.def"
};

/* One step of a path: `volumes[]`, `preStop^`, `restartPolicy!Always`. */
struct step {
	const char *name, *spared, *rest;
	bool items, tidy;
};

struct visit {
	struct path path;
	enum effect effect;
	size_t hits;
	const char *first; /* the pointer of the first hit */
};

static void visit(struct visit *w, struct tree *node, const char *path);

static struct step parse_step(const char *path)
{
	size_t name = strcspn(path, ".[^!"), len = strcspn(path, ".");
	struct step s = {.name = arena_strndup(path, name), .rest = path[len] ? path + len + 1 : NULL};

	if (path[name] == '!')
		s.spared = arena_strndup(path + name + 1, len - name - 1);
	s.items = path[name] == '[';
	s.tidy = path[name] == '^';
	return s;
}

static void drop_mounts_of(struct tree *pod, const char *volume)
{
	static const char *const lists[] = {"containers", "initContainers", "ephemeralContainers"};

	for (size_t i = 0; i < 3; i++) {
		tree_each(container, tree_get(pod, lists[i])) {
			struct tree *mounts = tree_get_mutable((struct tree *)container, "volumeMounts");
			const struct tree *next;

			for (const struct tree *m = tree_first(mounts); m; m = next) {
				next = tree_next(m);
				if (strcmp(tree_string_or(tree_get(m, "name"), ""), volume) == 0)
					tree_detach(mounts, (struct tree *)m);
			}
			if (mounts && tree_empty(mounts))
				tree_remove((struct tree *)container, "volumeMounts");
		}
	}
}

static void act(struct visit *w, struct tree *holder, const struct step *s)
{
	const struct tree *value = tree_get(holder, s->name);

	if (!value || (s->spared && strcmp(tree_string_or(value, ""), s->spared) == 0))
		return;
	if (w->hits++ == 0) {
		struct path_mark mark = path_key(&w->path, s->name);

		w->first = path_pointer(&w->path);
		path_back(&w->path, mark);
	}
	if (w->effect == DROP)
		tree_remove(holder, s->name);
	else if (w->effect == RESET)
		tree_put(holder, s->name, tree_new_string(s->spared));
}

static void visit_items(struct visit *w, struct tree *list, const char *path)
{
	const struct tree *next;
	size_t i = 0;

	if (tree_kind(list) != TREE_LIST)
		return;
	for (const struct tree *item = tree_first(list); item; item = next, i++) {
		struct path_mark mark = path_item(&w->path, NULL, i);

		next = tree_next(item);
		visit(w, (struct tree *)item, path);
		path_back(&w->path, mark);
	}
}

static void visit_step(struct visit *w, struct tree *node, const struct step *s)
{
	struct tree *child = tree_get_mutable(node, s->name);
	size_t hits = w->hits;
	struct path_mark mark;

	if (!s->rest && !s->items) {
		act(w, node, s);
		return;
	}
	if (!child)
		return;
	mark = path_key(&w->path, s->name);
	if (s->items)
		visit_items(w, child, s->rest);
	else
		visit(w, child, s->rest);
	path_back(&w->path, mark);
	if (s->tidy && w->effect == DROP && w->hits > hits && tree_empty(child))
		tree_remove(node, s->name);
}

static void visit(struct visit *w, struct tree *node, const char *path)
{
	static const char *const lists[] = {"containers", "initContainers", "ephemeralContainers"};
	struct step s;

	if (!path) /* a list of scalars */
		return;
	s = parse_step(path);
	if (strcmp(s.name, "*ontainers") != 0) {
		visit_step(w, node, &s);
		return;
	}
	for (size_t i = 0; i < 3; i++) {
		s.name = lists[i];
		visit_step(w, node, &s);
	}
}

static struct visit run(const struct gate *g, struct tree *pod, enum effect effect)
{
	struct visit w = {.effect = effect};

	path_key(&w.path, "spec");
	path_key(&w.path, "template");
	path_key(&w.path, "spec");
	for (size_t i = 0; i < MAX_PATHS && g->paths[i]; i++)
		visit(&w, pod, g->paths[i]);
	return w;
}

/* A volume that goes takes its mounts with it. */
static void drop_volumes(struct tree *pod)
{
	struct tree *volumes = tree_get_mutable(pod, "volumes");
	const struct tree *next;

	for (const struct tree *v = tree_first(volumes); v; v = next) {
		next = tree_next(v);
		if (!tree_get(v, "image"))
			continue;
		tree_detach(volumes, (struct tree *)v);
		drop_mounts_of(pod, tree_string_or(tree_get(v, "name"), ""));
	}
	if (volumes && tree_empty(volumes))
		tree_remove(pod, "volumes");
}

static void warn(const struct gate *g, const char *path, int minor, struct notes *warnings)
{
	if (g->minor == NEVER)
		note_add(warnings, "dropped: %s: off by default on every server so far", path);
	else
		note_add(warnings, "dropped: %s: off on a 1.%d server, on by default since 1.%d", path, minor,
			 g->minor);
}

static struct tree *pod_of(const struct tree *object)
{
	return (struct tree *)tree_path(object, "spec", "template", "spec", NULL);
}

void defaults_gate(struct tree *object, const struct tree *old, int minor, struct notes *warnings)
{
	struct tree *pod = pod_of(object), *old_pod = pod_of(old);

	for (size_t i = 0; pod && i < sizeof(gates) / sizeof(*gates); i++) {
		const struct gate *g = &gates[i];
		struct visit seen;

		if (minor >= g->minor || (old_pod && run(g, old_pod, NONE).hits))
			continue;
		seen = run(g, pod, NONE);
		if (!seen.hits)
			continue;
		warn(g, pointer_path(object, object_kind(object), seen.first), minor, warnings);
		run(g, pod, g->effect);
		if (g->effect == DROP_VOLUME)
			drop_volumes(pod);
	}
}
