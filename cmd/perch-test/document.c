/* SPDX-License-Identifier: Apache-2.0 */
#include "perch-test/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/json.h"
#include "value/yaml.h"

static int take_first(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	const struct tree **first = arg;

	(void)line, (void)err;
	if (!*first && tree_kind(t) != TREE_NULL)
		*first = t;
	return 0;
}

static bool is_json(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && strcmp(dot, ".json") == 0;
}

const struct tree *test_document(const char *path)
{
	size_t len;
	const char *text = test_read(path, &len);
	const struct tree *t = NULL;
	struct yaml_documents d = {.document = take_first, .arg = &t, .name = path};
	struct error err = {0};

	if (is_json(path))
		t = json_parse(text, len, path, &err);
	else if (yaml_load(&d, text, len, &err) == 0 && !t)
		error_set(&err, ERR_INPUT, "%s: no object", path);
	if (err.kind != ERR_NONE)
		exit(test_fail(&err));
	return t;
}

int test_lines(void (*line)(const char *text, size_t len))
{
	char *text = NULL;
	size_t cap = 0;
	ssize_t len;

	while ((len = getline(&text, &cap, stdin)) > 0) {
		struct arena_mark mark = arena_mark();

		line(text, (size_t)len);
		arena_rewind(mark);
	}
	free(text);
	return 0;
}
