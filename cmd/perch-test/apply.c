/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/apply.h"
#include "k8s/diff.h"
#include "k8s/object.h"
#include "perch-test/command.h"
#include "perch-test/document.h"
#include "value/json.h"

/* What an apply is about: the pod template, or a Service's spec. */
static const struct tree *content(const struct tree *object)
{
	const struct tree *spec = tree_get(object, "spec");

	return object_kind(object) == KIND_SERVICE ? spec : tree_get(spec, "template");
}

static const struct tree *apply_text(const char *text, int minor, const struct tree *desired,
				     const struct tree *live, struct notes *warnings, struct error *err)
{
	struct applier applier;

	if (strcmp(text, "auto") == 0)
		applier = applier_find(live, warnings);
	else if (applier_parse(&applier, text, err) != 0)
		return NULL;
	return apply(desired, live, &applier, minor, warnings, err);
}

static void add_string(struct tree *list, const char *text)
{
	tree_append(list, tree_new_string(text));
}

/* One line of a batch: {"applier", "serverMinor", "desired", "live"} → {"template", "same", "warnings"} or {"error"}. */
static void apply_line(const char *line, size_t len)
{
	struct notes warnings = {0};
	struct changes changes = {0};
	struct error err = {0};
	struct tree *out = tree_new_map(), *list = tree_new_list();
	const struct tree *t = json_parse(line, len, "line", &err), *applied = NULL, *live = NULL;
	struct buffer b = {0};
	int64_t minor = 0;

	if (t) {
		tree_int64(tree_get(t, "serverMinor"), &minor);
		live = tree_get(t, "live");
		applied = apply_text(tree_string_or(tree_get(t, "applier"), ""), (int)minor,
				     tree_get(t, "desired"), tree_kind(live) == TREE_MAP ? live : NULL,
				     &warnings, &err);
	}
	if (applied) {
		tree_put(out, "template", content(applied) ? tree_copy(content(applied)) : tree_new_null());
		diff_content(&changes, live, applied);
		tree_put(out, "same", tree_new_bool(changes.count == 0));
		note_each(n, &warnings)
			add_string(list, n->text);
		tree_put(out, "warnings", list);
	} else {
		tree_put(out, "error", tree_new_string(err.text));
	}
	tree_print_canonical(&b, out);
	puts(buffer_text(&b));
}

int test_apply(int argc, char **argv)
{
	struct notes warnings = {0};
	struct error err = {0};
	struct buffer b = {0};
	const struct tree *applied;

	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return test_lines(apply_line);
	if (argc < 4 || argc > 5) {
		fputs("usage: perch-test apply APPLIER[=MANAGER] SERVER_MINOR DESIRED [LIVE]\n", stderr);
		return 2;
	}
	applied = apply_text(argv[1], (int)strtol(argv[2], NULL, 10), test_document(argv[3]),
			     argc > 4 ? test_document(argv[4]) : NULL, &warnings, &err);
	note_each(n, &warnings)
		fprintf(stderr, "warning: %s\n", n->text);
	if (!applied)
		return test_fail(&err);
	if (content(applied))
		tree_print_canonical(&b, content(applied));
	puts(buffer_text(&b));
	return 0;
}
