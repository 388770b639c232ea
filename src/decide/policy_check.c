/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/policy_check.h"

#include <string.h>

#include "base/arena.h"

/* Places within a pod template that people write as if paths began there. */
static const struct {
	const char *first, *whole;
} places[] = {
	{"template", "spec.template"},
	{"containers", "spec.template.spec.containers"},
	{"initContainers", "spec.template.spec.initContainers"},
	{"volumes", "spec.template.spec.volumes"},
	{"env", "spec.template.spec.containers[*].env"},
	{"image", "spec.template.spec.containers[*].image"},
	{"resources", "spec.template.spec.containers[*].resources"},
	{"labels", "spec.template.metadata.labels"},
	{"annotations", "spec.template.metadata.annotations"},
};

/* Lists whose items have a key, which paths name them by. */
static const char *const keyed[] = {"containers", "initContainers", "volumes", "env", "volumeMounts", "ports"};

static bool has_text(const struct tree *list, const char *text)
{
	tree_each(item, list)
		if (strcmp(tree_string_or(item, ""), text) == 0)
			return true;
	return false;
}

/* Does what the first lets through include all that the second does? */
static bool covers(const struct tree *first, const struct tree *second, const char *any)
{
	if (!first || has_text(first, any))
		return true;
	if (!second)
		return false;
	tree_each(item, second)
		if (!has_text(first, tree_string_or(item, "")))
			return false;
	return true;
}

static bool shadows(const struct policy_rule *first, const struct policy_rule *second)
{
	bool labels = !first->labels_text ||
		      (second->labels_text && strcmp(first->labels_text, second->labels_text) == 0);

	/* No image asks nothing; an image glob, even **, asks for a change that has one. */
	return labels && covers(first->paths, second->paths, "**") &&
	       covers(first->classes, second->classes, "") && covers(first->images, second->images, "") &&
	       covers(first->namespaces, second->namespaces, "*");
}

static void check_shadows(struct notes *out, const struct policy *p, size_t i, const char *name)
{
	for (size_t before = 0; before < i; before++) {
		if (!shadows(&p->rules[before], &p->rules[i]))
			continue;
		note_add(out, "policy: %s:%u: this rule never decides, the one in line %u comes first for all it fits",
			 name, p->rules[i].ruling.line, p->rules[before].ruling.line);
		return;
	}
}

static bool begins(const char *path, const char *segment)
{
	size_t n = strlen(segment);

	return strncmp(path, segment, n) == 0 && (!path[n] || path[n] == '.' || path[n] == '[');
}

/* `containers[0]`: the item's list; NULL: no keyed list is indexed. */
static const char *indexed(const char *path)
{
	for (size_t i = 0; i < sizeof(keyed) / sizeof(*keyed); i++) {
		const char *at = strstr(path, keyed[i]);
		size_t n = strlen(keyed[i]);

		if (at && at[n] == '[' && at[n + 1 + strspn(at + n + 1, "0123456789")] == ']' && at[n + 1] != ']')
			return keyed[i];
	}
	return NULL;
}

/* Why no change has such a path; NULL: one may. */
static const char *why_no_path(const char *path)
{
	if (*path == '/' || *path == '.' || *path == '$' || *path == '{')
		return "paths are like spec.template.spec.containers[web].image";
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (begins(path, places[i].first))
			return arena_printf("paths begin at the object: %s%s", places[i].whole,
					    path + strlen(places[i].first));
	/* A container's or env's port may be spelled in digits alone; then the key has its protocol. */
	if (indexed(path))
		return arena_printf("items of %s are named by their key, not by an index", indexed(path));
	return NULL;
}

static void check_paths(struct notes *out, const struct policy_rule *r, const char *name)
{
	tree_each(item, r->paths) {
		const char *path = tree_string_or(item, ""), *why = why_no_path(path);

		if (why)
			note_add(out, "policy: %s:%u: '%s' fits no change: %s", name, r->ruling.line, path, why);
	}
}

static void check_breadth(struct notes *out, const struct policy_rule *r, const char *name)
{
	static const struct policy_rule anything;

	if (r->ruling.effect == POLICY_IGNORE && shadows(r, &anything))
		note_add(out, "policy: %s:%u: this rule ignores every change", name, r->ruling.line);
}

void policy_check(struct notes *out, const struct policy *p, const char *name)
{
	if (!p->count)
		note_add(out, "policy: %s: no rule in it, so every change is run", name);
	for (size_t i = 0; i < p->count; i++) {
		check_shadows(out, p, i, name);
		check_paths(out, &p->rules[i], name);
		check_breadth(out, &p->rules[i], name);
	}
}
