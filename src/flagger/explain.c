/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/explain.h"

#include <string.h>

#include "flagger/hash.h"
#include "flagger/releases.h"
#include "k8s/schema.h"
#include "value/pointer.h"

static bool hashes_to(int minor, const struct tree *target, const char *stored)
{
	char hash[HASH_SIZE];
	struct error err = {0};

	return flagger_hash(hash, target, minor, &err) == 0 && strcmp(hash, stored) == 0;
}

static void count_unknown(void *arg, enum schema_problem problem, const char *path,
			  const struct tree *value, const char *text)
{
	(void)path;
	(void)value;
	(void)text;
	if (problem == SCHEMA_UNKNOWN_FIELD)
		++*(size_t *)arg;
}

bool minor_knows_all(int minor, enum object_kind kind, const struct tree *object)
{
	const struct schema_type *type = schema_content(kind);
	size_t unknown = 0;

	if (!type)
		return true;
	schema_check(object_content(object, kind), type, minor, "", count_unknown, &unknown);
	return unknown == 0;
}

/* Does this minor know the place at all, whatever is below it? */
static bool minor_knows_place(int minor, enum object_kind kind, const char *pointer)
{
	const struct schema_type *type = schema_value(schema_root(kind));
	const char *token;

	while (type && (token = pointer_next(&pointer))) {
		if (type->kind == SCHEMA_STRUCT) {
			const struct schema_field *field = schema_field(type, token, minor);

			if (!field)
				return false;
			type = schema_value(field->type);
		} else {
			type = schema_value(type->elem);
		}
	}
	return true;
}

bool explained_knowing(const char *stored, const struct tree *target, enum object_kind kind,
		       const char *pointer)
{
	if (hash_format(stored) != HASH_SPEW)
		return false;
	for (int minor = schema_previous_minor(0); minor; minor = schema_previous_minor(minor))
		if (minor_knows_place(minor, kind, pointer) && hashes_to(minor, target, stored))
			return true;
	return false;
}

/* Newest first, so what is set stays. */
static void note_minor(int *newest, int *newest_all, bool explains, bool knows_all, int minor)
{
	if (explains && !*newest)
		*newest = minor;
	if (explains && knows_all && !*newest_all)
		*newest_all = minor;
}

struct stored {
	bool promoted, applied; /* can be explained at all */
};

static bool done(const struct explanation *out, const struct stored *s)
{
	return (!s->promoted || out->promoted_all) && (!s->applied || out->applied_all);
}

static void try_minor(struct explanation *out, const struct canary *c, const struct tree *target,
		      const struct stored *s, int minor)
{
	char hash[HASH_SIZE];
	struct error err = {0};
	bool promoted, applied, knows_all;

	if (flagger_hash(hash, target, minor, &err) < 0)
		return;
	promoted = s->promoted && strcmp(hash, c->promoted) == 0;
	applied = s->applied && strcmp(hash, c->applied) == 0;
	knows_all = (promoted || applied) && minor_knows_all(minor, c->target_kind, target);
	note_minor(&out->promoted, &out->promoted_all, promoted, knows_all, minor);
	note_minor(&out->applied, &out->applied_all, applied, knows_all, minor);
}

static bool was_released(int minor)
{
	struct release first;

	return release_first_with(&first, minor) == 0;
}

void explain(struct explanation *out, const struct canary *c, const struct tree *target, int likely)
{
	struct stored s = {hash_format(c->promoted) == HASH_SPEW, hash_format(c->applied) == HASH_SPEW};

	*out = (struct explanation){0};
	if (likely)
		try_minor(out, c, target, &s, likely);
	if (done(out, &s))
		return;
	*out = (struct explanation){0};
	/* Minors of no release explain only vendors' builds, so they come last. */
	for (int vendors = 0; vendors < 2; vendors++)
		for (int minor = schema_previous_minor(0); minor && !done(out, &s);
		     minor = schema_previous_minor(minor))
			if (was_released(minor) == !vendors)
				try_minor(out, c, target, &s, minor);
}
