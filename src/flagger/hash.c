/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "flagger/spew.h"
#include "k8s/object.h"

#define SCALE_TO_ZERO "flagger.app/scale-to-zero"
#define ALPHABET "456789bcdf" /* Kubernetes' safe letters for the digits 0 to 9 */

static void encode(char out[HASH_SIZE], uint32_t hash)
{
	char decimal[16];
	size_t i;

	snprintf(decimal, sizeof(decimal), "%" PRIu32, hash);
	for (i = 0; decimal[i]; i++)
		out[i] = ALPHABET[decimal[i] - '0'];
	out[i] = '\0';
}

struct first_problem {
	struct error *err;
	bool found;
};

static void keep_first(void *arg, enum schema_problem problem, const char *path,
		       const struct tree *value, const char *text)
{
	struct first_problem *first = arg;

	(void)value;
	if (problem != SCHEMA_WRONG_TYPE || first->found)
		return;
	first->found = true;
	error_set(first->err, ERR_INPUT, "%s: '%s'", text, path);
}

static int undecodable(const struct tree *object, enum object_kind kind, int minor, struct error *err)
{
	struct first_problem first = {.err = err};

	schema_check_json(object, schema_root(kind), minor, NULL, keep_first, &first);
	if (!first.found)
		error_set(err, ERR_INPUT, "not decodable as a %s", object_kind_name(kind));
	return -1;
}

/* Flagger parks a DaemonSet by a node selector, which it leaves out, and never sees a nil one. */
static void unpark(struct spew *s)
{
	const struct schema_type *template = schema_content(KIND_DAEMONSET);
	const struct schema_field *pod = schema_field(template, "spec", s->minor);

	s->stripped = schema_field(pod->type, "nodeSelector", s->minor);
	s->stripped_key = SCALE_TO_ZERO;
}

static void knative(struct spew *s, const struct tree *object)
{
	const struct tree *name = tree_path(object, "status", "latestCreatedRevisionName", NULL);
	const char *text = tree_string_or(name, "");

	SPEW_LITERAL(s, "(string)");
	spew_text(s, text, strlen(text));
}

static int print_content(struct spew *s, const struct tree *object, enum object_kind kind,
			 struct error *err)
{
	const struct schema_type *type = schema_content(kind);
	const struct tree *content = tree_get(object, "spec");

	if (kind != KIND_SERVICE)
		content = tree_get(content, "template");
	if (kind == KIND_DAEMONSET)
		unpark(s);
	/* Go decodes whole objects; the printing finds what is wrong in the content by itself. */
	if (schema_check_json(object, schema_root(kind), s->minor, type, NULL, NULL) > 0)
		return undecodable(object, kind, s->minor, err);
	spew_value(s, type, content);
	switch (s->result) {
	case SPEW_OK:
		return 0;
	case SPEW_UNDECODABLE:
		return undecodable(object, kind, s->minor, err);
	default:
		return error_set(err, ERR_PARTIAL, "cannot compute the hash: a value's text depends on the "
				 "process of Flagger (a set time, or managed fields, in the template)");
	}
}

static int print_target(struct spew *s, const struct tree *object, struct error *err)
{
	enum object_kind kind = object_kind(object);

	if (!schema_minor_known(s->minor))
		return error_set(err, ERR_USAGE, "no schema for k8s.io/api 0.%d", s->minor);
	if (kind == KIND_KNATIVE) {
		knative(s, object);
		return 0;
	}
	if (!schema_content(kind))
		return error_set(err, ERR_INPUT, "not a kind that Flagger hashes: '%s'",
				 tree_string_or(tree_get(object, "kind"), ""));
	return print_content(s, object, kind, err);
}

int flagger_hash(char out[HASH_SIZE], const struct tree *object, int minor, struct error *err)
{
	struct spew s = {.fnv = SPEW_FNV_START, .minor = minor};

	out[0] = '\0';
	if (print_target(&s, object, err))
		return -1;
	encode(out, s.fnv);
	return 0;
}

int flagger_dump(struct buffer *out, const struct tree *object, int minor, struct error *err)
{
	struct spew s = {.fnv = SPEW_FNV_START, .minor = minor, .text = out};

	return print_target(&s, object, err);
}

static int tracked_configs(struct spew *s, const struct tree *tracked, struct error *err)
{
	const struct tree **entries = tree_sorted(tracked);

	SPEW_LITERAL(s, "map[");
	for (size_t i = 0; entries[i]; i++) {
		const char *key = tree_key(entries[i]);
		bool null = tree_kind(entries[i]) == TREE_NULL;
		const char *value = null ? "" : tree_string(entries[i]);

		if (!value)
			return error_set(err, ERR_INPUT, "expected string, got %s: 'status.trackedConfigs[%s]'",
					 tree_kind_name(tree_kind(entries[i])), key);
		if (i > 0)
			SPEW_LITERAL(s, " ");
		spew_text(s, key, strlen(key));
		SPEW_LITERAL(s, ":");
		spew_text(s, value, strlen(value));
	}
	SPEW_LITERAL(s, "]");
	return 0;
}

int flagger_webhook_checksum(char out[HASH_SIZE], const struct tree *status, struct error *err)
{
	struct spew s = {.fnv = SPEW_FNV_START};
	const struct tree *tracked = tree_get(status, "trackedConfigs");
	const char *applied = tree_string_or(tree_get(status, "lastAppliedSpec"), "");

	out[0] = '\0';
	SPEW_LITERAL(&s, "(struct { TrackedConfigs *map[string]string; LastAppliedSpec string })"
			 "{TrackedConfigs:(*map[string]string)");
	if (!tracked || tree_kind(tracked) == TREE_NULL)
		SPEW_LITERAL(&s, "<nil>");
	else if (tree_kind(tracked) != TREE_MAP)
		return error_set(err, ERR_INPUT, "expected map, got %s: 'status.trackedConfigs'",
				 tree_kind_name(tree_kind(tracked)));
	else if (tracked_configs(&s, tracked, err))
		return -1;
	SPEW_LITERAL(&s, " LastAppliedSpec:(string)");
	spew_text(&s, applied, strlen(applied));
	SPEW_LITERAL(&s, "}");
	encode(out, s.fnv);
	return 0;
}

static bool is_spew(const char *text)
{
	uint64_t n = 0;
	size_t len = strlen(text);

	if (len > 10 || (len > 1 && text[0] == ALPHABET[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		const char *letter = strchr(ALPHABET, text[i]);

		if (!letter)
			return false;
		n = n * 10 + (uint64_t)(letter - ALPHABET);
	}
	return n <= UINT32_MAX;
}

enum hash_format hash_format(const char *text)
{
	if (!text || !*text)
		return HASH_NONE;
	if (strncmp(text, "v2:", 3) == 0 && strlen(text + 3) == 16 &&
	    strspn(text + 3, "0123456789abcdef") == 16)
		return HASH_V2;
	return is_spew(text) ? HASH_SPEW : HASH_FOREIGN;
}
