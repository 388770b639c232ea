/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "perch-test/command.h"
#include "value/json.h"

static void print_problem(void *arg, enum schema_problem problem, const char *path,
			  const struct tree *value, const char *text)
{
	(void)arg;
	(void)value;
	printf("%s\t%s\t%s\n", problem == SCHEMA_WRONG_TYPE ? "wrong" : "unknown", path, text);
}

/* MINOR FILE: what a decoder of that minor would not take. */
int test_schema(int argc, char **argv)
{
	struct error err = {0};
	const struct tree *object;
	size_t len;
	char *text;

	if (argc != 3)
		return 2;
	text = test_read(argv[2], &len);
	object = json_parse(text, len, argv[2], &err);
	if (!object)
		return test_fail(&err);
	schema_check(object, schema_root(object_kind(object)), (int)strtol(argv[1], NULL, 10), "",
		     print_problem, NULL);
	return 0;
}
