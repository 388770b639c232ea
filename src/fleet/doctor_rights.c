/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/doctor_rights.h"

#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_facts.h"

#define NEEDED true
#define WANTED false
#define VERBS_MAX 8

static const struct right rights[] = {
#define RIGHT(where, group, resource, name, verbs, need) {RIGHTS_##where, group, resource, name, verbs, need},
#include "fleet/rights.def"
#undef RIGHT
};
#define RIGHTS (sizeof(rights) / sizeof(*rights))

static bool has(const struct tree *list, const char *wanted)
{
	tree_each(item, list) {
		const char *said = tree_string_or(item, "");

		if (strcmp(said, wanted) == 0 || strcmp(said, "*") == 0)
			return true;
	}
	return false;
}

/* As RBAC reads a rule: canaries/status is also meant by all subresources of that name. */
static bool has_resource(const struct tree *list, const char *resource)
{
	const char *slash = strchr(resource, '/');

	return has(list, resource) || (slash && has(list, arena_printf("*%s", slash)));
}

static bool has_name(const struct tree *names, const char *name)
{
	if (tree_empty(names))
		return true;
	tree_each(item, names)
		if (*name && strcmp(tree_string_or(item, ""), name) == 0)
			return true;
	return false;
}

static bool allows(const struct tree *status, const struct right *r, const char *verb)
{
	tree_each(rule, tree_get(status, "resourceRules"))
		if (has(tree_get(rule, "verbs"), verb) && has(tree_get(rule, "apiGroups"), r->group) &&
		    has_resource(tree_get(rule, "resources"), r->resource) &&
		    has_name(tree_get(rule, "resourceNames"), r->name))
			return true;
	return false;
}

size_t rights_refused(struct right_asked **out, const struct tree *status, enum rights_where where)
{
	struct right_asked *asked = NEW_ARRAY(struct right_asked, RIGHTS * VERBS_MAX);
	size_t n = 0;

	for (size_t i = 0; i < RIGHTS; i++) {
		const char *verbs = rights[i].where == where ? rights[i].verbs : "";

		while (*verbs) {
			size_t len = strcspn(verbs, " ");
			const char *verb = arena_strndup(verbs, len);

			if (!allows(status, &rights[i], verb))
				asked[n++] = (struct right_asked){&rights[i], verb, false};
			verbs += len + (verbs[len] == ' ');
		}
	}
	*out = asked;
	return n;
}

/* The rule of a Role, as YAML in one line. */
static const char *rule_of(const struct right *r, const char *verbs)
{
	return arena_printf("{apiGroups: [%s], resources: [%s]%s, verbs: [%s]}", *r->group ? r->group : "\"\"",
			    r->resource, *r->name ? arena_printf(", resourceNames: [%s]", r->name) : "", verbs);
}

static void keep_gap(struct doctor *d, const char *namespace, const struct right *r, const char *verbs)
{
	struct gap_fact *g;

	doctor_make_room(d);
	g = KEEP(d, struct gap_fact);
	*g = (struct gap_fact){
		.namespace = doctor_keep_text(d, namespace),
		.what = doctor_keep_text(d, *r->group ? arena_printf("%s/%s", r->group, r->resource) : r->resource),
		.rule = doctor_keep_text(d, rule_of(r, verbs)),
		.needed = r->needed,
		.next = d->gaps,
	};
	d->gaps = g;
}

void doctor_refused(struct doctor *d, const char *namespace, const struct right_asked *asked, size_t n)
{
	d->listed |= ABOUT_RIGHTS;
	for (size_t i = 0; i < n;) {
		const struct right *r = asked[i].right;
		struct buffer verbs = {0};

		for (; i < n && asked[i].right == r; i++)
			if (!asked[i].allowed)
				buffer_printf(&verbs, "%s%s", verbs.len ? ", " : "", asked[i].verb);
		if (verbs.len)
			keep_gap(d, namespace, r, buffer_text(&verbs));
	}
}

static void tell(struct doctor *d, bool needed)
{
	for (const struct gap_fact *g = d->gaps; g; g = g->next) {
		struct at at = {{"rbac.authorization.k8s.io", "Rights", g->namespace, g->what}, NULL};

		if (g->needed == needed)
			doctor_find_at(d, &at, "", "%s is missing", g->rule);
	}
}

void check_rights_missing(struct doctor *d, const struct tree *object)
{
	(void)object;
	tell(d, true);
}

void check_rights_wanted(struct doctor *d, const struct tree *object)
{
	(void)object;
	tell(d, false);
}
