/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/apply.h"
#include "k8s/diff.h"
#include "perch-test/command.h"
#include "perch-test/document.h"
#include "value/json.h"

static void add_value(struct buffer *b, const struct tree *v)
{
	if (v)
		tree_print_canonical(b, v);
	else
		buffer_char(b, '-');
}

static void print_changes(const struct changes *list, const char *prefix)
{
	change_each(c, list) {
		struct buffer b = {0};

		add_value(&b, c->old_value);
		buffer_char(&b, ' ');
		add_value(&b, c->new_value);
		printf("%s%s %s %s %s%s%s\n", prefix, change_op_name(c->op), change_class_name(c->class),
		       c->path, buffer_text(&b), c->by ? " by " : "", c->by ? c->by : "");
	}
}

/* What a plan shows of an apply: changes, then foreign entries, notes and warnings. */
static int diff_applied(char **argv)
{
	const struct tree *desired = test_document(argv[2]), *live = test_document(argv[3]), *applied;
	struct changes changes = {0}, foreign = {0};
	struct notes notes = {0}, warnings = {0};
	struct error err = {0};
	struct applier applier = {0};

	if (strcmp(argv[0], "auto") == 0)
		applier = applier_find(live, &warnings);
	else if (applier_parse(&applier, argv[0], &err) != 0)
		return test_fail(&err);
	applied = apply(desired, live, &applier, (int)strtol(argv[1], NULL, 10), &warnings, &err);
	if (!applied)
		return test_fail(&err);
	diff_content(&changes, live, applied);
	diff_foreign(&foreign, desired, live, applied);
	diff_notes(&notes, live, applied);
	print_changes(&changes, "");
	print_changes(&foreign, "foreign ");
	note_each(n, &notes)
		printf("note %s\n", n->text);
	note_each(n, &warnings)
		printf("warning %s\n", n->text);
	return changes.count > 0;
}

/* {"old", "new"} → {"same", "changes"}: the paths that differ. */
static void diff_line(const char *line, size_t len)
{
	struct changes changes = {0};
	struct error err = {0};
	struct tree *out = tree_new_map(), *paths = tree_new_list();
	const struct tree *t = json_parse(line, len, "line", &err);
	struct buffer b = {0};

	if (t)
		diff_content(&changes, tree_get(t, "old"), tree_get(t, "new"));
	change_each(c, &changes)
		tree_append(paths, tree_new_string(c->path));
	tree_put(out, "same", tree_new_bool(t && !changes.count));
	tree_put(out, "changes", paths);
	tree_print_canonical(&b, out);
	puts(buffer_text(&b));
}

int test_diff(int argc, char **argv)
{
	struct changes changes = {0};

	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return test_lines(diff_line);
	if (argc == 5)
		return diff_applied(argv + 1);
	if (argc != 3) {
		fputs("usage: perch-test diff - | OLD NEW | APPLIER SERVER_MINOR DESIRED LIVE\n", stderr);
		return 2;
	}
	diff_content(&changes, test_document(argv[1]), test_document(argv[2]));
	print_changes(&changes, "");
	return changes.count > 0;
}
