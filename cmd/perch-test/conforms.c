/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a JSON report conform to its published schema? As much of JSON Schema as docs/schema uses:
 * type, const, enum, required, properties, additionalProperties, items, $ref. A keyword that is
 * not one of these, and no mere description, is refused: a schema that isn't checked would lie.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "io/files.h"
#include "perch-test/command.h"
#include "value/json.h"

struct place {
	const char *folder;          /* of the schema file */
	const struct tree *document; /* that `#` means */
	const char *path;            /* in the instance */
	struct error *err;
};

static int check(struct place p, const struct tree *schema, const struct tree *value);

static int fail(struct place p, const char *what)
{
	return error_set(p.err, ERR_INPUT, "%s: %s", p.path, what);
}

static const struct tree *load(const char *path, struct error *err)
{
	struct text text;

	return files_read(&text, path, err) ? NULL : json_parse(text.data, text.len, text.name, err);
}

static bool has_type(const char *name, const struct tree *value)
{
	static const struct {
		const char *name;
		enum tree_kind kind;
	} types[] = {
		{"null", TREE_NULL},     {"boolean", TREE_BOOL}, {"number", TREE_NUMBER}, {"integer", TREE_NUMBER},
		{"string", TREE_STRING}, {"array", TREE_LIST},   {"object", TREE_MAP},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].name, name) == 0)
			return tree_kind(value) == types[i].kind;
	return false;
}

static int check_type(struct place p, const struct tree *type, const struct tree *value)
{
	if (tree_string(type))
		return has_type(tree_string(type), value) ? 0 : fail(p, arena_printf("not of type %s", tree_string(type)));
	tree_each(name, type)
		if (has_type(tree_string_or(name, ""), value))
			return 0;
	return fail(p, "of none of the types");
}

static int check_enum(struct place p, const struct tree *values, const struct tree *value)
{
	tree_each(one, values)
		if (tree_same(one, value))
			return 0;
	return fail(p, "none of the values");
}

static int check_required(struct place p, const struct tree *names, const struct tree *value)
{
	tree_each(name, names)
		if (!tree_get(value, tree_string_or(name, "")))
			return fail(p, arena_printf("lacks %s", tree_string_or(name, "")));
	return 0;
}

static int check_properties(struct place p, const struct tree *schema, const struct tree *value)
{
	const struct tree *others = tree_get(schema, "additionalProperties");

	tree_each(child, value) {
		const struct tree *s = tree_get(tree_get(schema, "properties"), tree_key(child));
		struct place below = p;

		below.path = arena_printf("%s.%s", p.path, tree_key(child));
		if (s || tree_kind(others) == TREE_MAP) {
			if (check(below, s ? s : others, child) != 0)
				return -1;
		} else if (others && !tree_true(others)) {
			return fail(below, "not in the schema");
		}
	}
	return 0;
}

static int check_items(struct place p, const struct tree *schema, const struct tree *value)
{
	size_t i = 0;

	tree_each(child, value) {
		struct place below = p;

		below.path = arena_printf("%s[%zu]", p.path, i++);
		if (check(below, schema, child) != 0)
			return -1;
	}
	return 0;
}

/* "#/$defs/change", or the same of another file of the folder. */
static int check_ref(struct place p, const char *ref, const struct tree *value)
{
	size_t len = strcspn(ref, "#");
	const struct tree *t;

	if (len) {
		p.document = load(arena_printf("%s/%.*s", p.folder, (int)len, ref), p.err);
		if (!p.document)
			return -1;
	}
	t = p.document;
	for (ref += len + 1; *ref == '/' && t; ref += len) {
		ref++;
		len = strcspn(ref, "/");
		t = tree_get(t, arena_strndup(ref, len));
	}
	return t ? check(p, t, value) : fail(p, "the schema refers to nothing");
}

static int check_keyword(struct place p, const struct tree *schema, const struct tree *keyword,
			 const struct tree *value)
{
	static const char *const said[] = {"description", "title", "$schema", "$id", "$defs"};
	const char *name = tree_key(keyword);

	if (strcmp(name, "type") == 0)
		return check_type(p, keyword, value);
	if (strcmp(name, "const") == 0)
		return tree_same(keyword, value) ? 0 : fail(p, "not the value");
	if (strcmp(name, "enum") == 0)
		return check_enum(p, keyword, value);
	if (strcmp(name, "required") == 0)
		return tree_kind(value) == TREE_MAP ? check_required(p, keyword, value) : 0;
	if (strcmp(name, "properties") == 0 || strcmp(name, "additionalProperties") == 0)
		return tree_kind(value) == TREE_MAP ? check_properties(p, schema, value) : 0;
	if (strcmp(name, "items") == 0)
		return tree_kind(value) == TREE_LIST ? check_items(p, keyword, value) : 0;
	if (strcmp(name, "$ref") == 0)
		return check_ref(p, tree_string_or(keyword, ""), value);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (strcmp(name, said[i]) == 0)
			return 0;
	return fail(p, arena_printf("keyword '%s' isn't checked here", name));
}

static int check(struct place p, const struct tree *schema, const struct tree *value)
{
	tree_each(keyword, schema)
		if (check_keyword(p, schema, keyword, value) != 0)
			return -1;
	return 0;
}

int test_conforms(int argc, char **argv)
{
	struct error err = {ERR_NONE, ""};
	const struct tree *schema, *value;
	struct place p = {.path = "$", .err = &err};
	char *slash;

	if (argc != 3) {
		fputs("usage: perch-test conforms SCHEMA FILE\n", stderr);
		return 2;
	}
	schema = load(argv[1], &err);
	value = schema ? load(argv[2], &err) : NULL;
	slash = strrchr(argv[1], '/');
	p.folder = slash ? arena_strndup(argv[1], (size_t)(slash - argv[1])) : ".";
	p.document = schema;
	if (!value || check(p, schema, value) != 0) {
		fprintf(stderr, "✗ %s\n", err.text);
		return 1;
	}
	return 0;
}
