/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/canary_via.h"

#include <stddef.h>
#include <string.h>

/* What the two variables of a canary are substituted into, and whose record they have. */
static const struct variable {
	const char *record, *field, *owned;
} variables[] = {
	{"held-for", "suspend", "f:suspend"},
	{"ship", "skipAnalysis", "f:skipAnalysis"},
};
enum { HOLD, SHIP };

static bool is_apply(const struct tree *entry)
{
	return strcmp(tree_string_or(tree_get(entry, "operation"), ""), "Apply") == 0;
}

static bool is_perch(const struct tree *entry)
{
	return is_apply(entry) && strcmp(tree_string_or(tree_get(entry, "manager"), ""), "perch") == 0;
}

/* Whoever applies the Canary from Git, and nobody else: then it is a substitution that is still there. */
static bool is_the_appliers(const struct tree *object, const char *owned)
{
	size_t n = 0;

	tree_each(entry, tree_path(object, "metadata", "managedFields", NULL)) {
		if (!tree_path(entry, "fieldsV1", "f:spec", owned, NULL))
			continue;
		if (!is_apply(entry) || is_perch(entry))
			return false;
		n++;
	}
	return n == 1;
}

static bool is_perchs(const struct tree *object, const char *owned)
{
	tree_each(entry, tree_path(object, "metadata", "managedFields", NULL))
		if (is_perch(entry) && tree_path(entry, "fieldsV1", "f:spec", owned, NULL))
			return true;
	return false;
}

bool canary_variable(bool *out, const char *text)
{
	size_t len = strlen(text);
	const char *fallback;

	if (len < 4 || strncmp(text, "${", 2) != 0 || strcspn(text, "}") != len - 1)
		return false;
	fallback = strpbrk(text, "=-"); /* of := and :-, of no name of a variable */
	*out = fallback && strcmp(fallback + 1, "true}") == 0;
	return true;
}

bool canary_names(const struct tree *object, const char *field)
{
	const struct tree *managers = tree_path(object, "metadata", "managedFields", NULL);

	tree_each(entry, managers)
		if (tree_path(entry, "fieldsV1", "f:spec", field, NULL))
			return true;
	return tree_empty(managers); /* then it can't be told */
}

/* Is it true once Flux has applied what is written? */
static bool take(struct canary *c, const struct variable *v, const struct tree *record)
{
	const struct tree *said = tree_get(record, v->record);
	bool is = tree_true(tree_path(c->object, "spec", v->field, NULL)), written = tree_string(said);

	if (!said || (is && !written && !is_the_appliers(c->object, v->owned)))
		return is;
	c->pending |= is != written;
	return written;
}

static void take_terms(struct canary *c, const struct tree *record)
{
	static const struct { const char *key; size_t offset; } terms[] = {
		{"held-for", offsetof(struct canary, held_for)},     {"held-by", offsetof(struct canary, held_by)},
		{"held-at", offsetof(struct canary, held_at)},       {"held-until", offsetof(struct canary, held_until)},
		{"held-reason", offsetof(struct canary, held_reason)}, {"ship", offsetof(struct canary, ship)},
	};

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
		*(const char **)((char *)c + terms[i].offset) = tree_string_or(tree_get(record, terms[i].key), "");
}

void canary_take_via(struct canary *c)
{
	const struct tree *via = tree_get(c->object, CANARY_VIA), *record = tree_get(via, "record");

	if (!via || is_perchs(c->object, variables[HOLD].owned) || is_perchs(c->object, variables[SHIP].owned))
		return; /* what is held on the Canary itself ends there */
	c->via = via;
	if (!record)
		return;
	take_terms(c, record);
	c->suspended = take(c, &variables[HOLD], record);
	c->held = c->suspended && *c->held_for;
	take(c, &variables[SHIP], record);
	c->shipped = *c->ship;
}
