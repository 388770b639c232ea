/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/tree.h"

static const struct command {
	const char *name, *usage;
	int (*run)(int argc, char **argv);
} commands[] = {
#define COMMAND(name, usage) {#name, usage, test_##name},
#include "perch-test/commands.def"
#undef COMMAND
};

char *test_read(const char *path, size_t *len)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	struct buffer b = {0};
	char chunk[65536];
	size_t n;

	if (!f) {
		fprintf(stderr, "✗ cannot open '%s'\n", path);
		exit(2);
	}
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buffer_add(&b, chunk, n);
	if (f != stdin)
		fclose(f);
	*len = b.len;
	return b.len ? b.data : arena_strdup("");
}

int test_fail(const struct error *err)
{
	fprintf(stderr, "✗ %s\n", err->text);
	return error_exit_code(err->kind);
}

int main(int argc, char **argv)
{
	tree_init();
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			int code = commands[i].run(argc - 1, argv + 1);

			arena_release();
			return code;
		}
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		fprintf(stderr, "usage: perch-test %s %s\n", commands[i].name, commands[i].usage);
	return 2;
}
