/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/tempdir.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "value/tree.h"

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_help(argv[i]))
			return true;
	return false;
}

static int run_verb(const struct verb *v, int argc, char **argv, struct error *err)
{
	struct settings s = {0};

	if (asks_for_help(argc, argv)) {
		help_print(v);
		return 0;
	}
	if (options_parse(&s, &s.operands, v->options, argc, argv, err) != 0)
		return error_wrap(err, "%s", v->name);
	if (s.operands.count && !*v->operands)
		return error_set(err, ERR_USAGE, "%s: unexpected argument '%s'", v->name, s.operands.items[0]);
	return v->run(&s, err);
}

static int run(int argc, char **argv, struct error *err)
{
	const char *name;
	const struct verb *v;

	if (argc < 2)
		return error_set(err, ERR_USAGE, "no verb given, see 'perch help'");
	name = is_help(argv[1]) ? "help" : strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
	v = verb_find(name, err);
	if (!v)
		return -1;
	if (is_help(argv[1]))
		return v->run(&(struct settings){0}, err);
	return run_verb(v, argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
	struct error err = {ERR_NONE, ""};
	int code;

	tree_init();
	code = run(argc, argv, &err);
	if (code < 0) {
		talk_error(err.text);
		code = error_exit_code(err.kind);
	}
	tempdir_remove();
	arena_release();
	return code;
}
