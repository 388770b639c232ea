/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/yaml.h"

/* The documents of one text, canonically, each followed by the batch mode's tab or a newline. */
struct output {
	struct buffer text;
	char separator;
};

static int add_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct output *out = arg;

	(void)line;
	(void)err;
	if (out->text.len)
		buffer_char(&out->text, out->separator);
	tree_print_canonical(&out->text, t);
	return 0;
}

static void print_warning(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "⚠ %s\n", text);
}

static int print_file(const char *path)
{
	struct output out = {.separator = '\n'};
	struct yaml_documents d = {add_document, print_warning, &out, path};
	struct error err = {0};
	size_t len;
	char *text = test_read(path, &len);
	int failed = yaml_load(&d, text, len, &err);

	if (out.text.len)
		puts(buffer_text(&out.text));
	fflush(stdout);
	return failed ? test_fail(&err) : 0;
}

/* Each text of standard input, a NUL after each but the last: its documents with tabs between on one
 * line, `null` where there is none, or ERR with the reason. */
static int print_batch(void)
{
	size_t len;
	char *text = test_read("-", &len), *end = text + len;

	for (char *next; text; text = next) {
		struct arena_mark mark = arena_mark();
		struct output out = {.separator = '\t'};
		struct yaml_documents d = {add_document, NULL, &out, "-"};
		struct error err = {0};

		next = memchr(text, '\0', (size_t)(end - text));
		len = (size_t)((next ? next : end) - text);
		if (yaml_load(&d, text, len, &err))
			printf("ERR %s\n", err.text);
		else
			puts(out.text.len ? buffer_text(&out.text) : "null");
		arena_rewind(mark);
		next = next ? next + 1 : NULL;
	}
	return 0;
}

int test_yaml(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "-";

	return strcmp(path, "-0") == 0 ? print_batch() : print_file(path);
}
