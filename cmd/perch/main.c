/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch/verb.h"
#include "value/tree.h"

const struct verb verbs[] = {
#define VERB(name, summary) {#name, summary, verb_##name},
#include "perch/verbs.def"
#undef VERB
	{NULL, NULL, NULL},
};

static int run(int argc, char **argv, struct error *err)
{
	if (argc < 2)
		return error_set(err, ERR_USAGE, "no verb given, see 'perch help'");
	for (const struct verb *v = verbs; v->name; v++)
		if (strcmp(argv[1], v->name) == 0)
			return v->run(argc - 1, argv + 1, err);
	return error_set(err, ERR_USAGE, "unknown verb '%s', see 'perch help'", argv[1]);
}

int main(int argc, char **argv)
{
	struct error err = {ERR_NONE, ""};
	int code;

	tree_init();
	code = run(argc, argv, &err);
	if (code < 0) {
		fprintf(stderr, "✗ %s\n", err.text);
		code = error_exit_code(err.kind);
	}
	arena_release();
	return code;
}
