/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/json.h"

/* One value: its canonical text. */
static int print_value(const char *text, size_t len, const char *path)
{
	struct error err = {0};
	struct buffer out = {0};
	const struct tree *t = json_parse(text, len, path, &err);

	if (!t)
		return test_fail(&err);
	tree_print_canonical(&out, t);
	puts(buffer_text(&out));
	return 0;
}

int test_json(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "-";
	size_t len;
	char *text = test_read(path, &len);

	return print_value(text, len, path);
}
