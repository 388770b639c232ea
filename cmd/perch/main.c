/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "io/signals.h"
#include "io/standalone.h"
#include "io/tempdir.h"
#include "perch/complete.h"
#include "perch/program.h"
#include "perch/verb.h"
#include "report/report.h"
#include "report/talk.h"
#include "report/termination.h"
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

/* So that a Job, or a team, says it once for all verbs that have the option. */
static void take_environment(struct settings *s, const struct option *table)
{
	const char *via = getenv("PERCH_VIA");

	for (; table->name; table++)
		if (strcmp(table->name, "via") == 0 && !s->via && via && *via)
			s->via = via;
}

static int run_verb(const struct verb *v, int argc, char **argv, struct error *err)
{
	struct settings s = {0};

	if (asks_for_help(argc, argv)) {
		help_print(v);
		return report_close(NULL, err);
	}
	if (options_parse(&s, &s.operands, v->options, argc, argv, err) != 0)
		return error_wrap(err, "%s", v->name);
	take_environment(&s, v->options);
	if (s.operands.count && !*v->operands)
		return error_set(err, ERR_USAGE, "%s: unexpected argument '%s'", v->name, s.operands.items[0]);
	for (size_t i = 0; i < s.operands.count; i++)
		if (!*s.operands.items[i])
			return error_set(err, ERR_USAGE, "%s: an argument is empty", v->name);
	if (talk_format(s.log_format, err) != 0)
		return error_wrap(err, "--log-format");
	return v->run(&s, err);
}

/*
 * kubectl calls its KUBECTL_EXTERNAL_DIFF with the two folders first: "perch diff -v" becomes
 * `perch LIVE MERGED diff -v`. Puts the verb where it belongs; without one it is diff.
 */
static void put_verb_first(int *argc, char ***argv)
{
	char **in = *argv, **out;
	int n = *argc;
	bool named;

	if (n < 3 || !files_is_folder(in[1]) || !files_is_folder(in[2]))
		return;
	named = n > 3 && in[3][0] != '-';
	*argv = out = NEW_ARRAY(char *, n + 2);
	*out++ = in[0];
	*out++ = named ? in[3] : arena_strdup("diff");
	for (int i = named ? 4 : 3; i < n; i++)
		*out++ = in[i];
	*out++ = in[1];
	*out++ = in[2];
	*argc = (int)(out - *argv);
}

/* As kubectl, flux and a shell ask, whatever the name. */
static bool complete(int argc, char **argv)
{
	bool plain = argc > 1 && strcmp(argv[1], "__completeNoDesc") == 0;

	if (program_completes())
		complete_print(argc - 1, argv + 1, true);
	else if (plain || (argc > 1 && strcmp(argv[1], "__complete") == 0))
		complete_print(argc - 2, argv + 2, !plain);
	else
		return false;
	return true;
}

static int run(int argc, char **argv, struct error *err)
{
	const char *name;
	const struct verb *v;

	if (complete(argc, argv))
		return report_close(NULL, err);
	put_verb_first(&argc, &argv);
	if (argc < 2)
		return error_set(err, ERR_USAGE, "no verb given, see '%s help'", program_name());
	name = is_help(argv[1]) ? "help" : strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
	v = verb_find(name, err);
	if (!v)
		return -1;
	termination_begin(v->name);
	if (is_help(argv[1]))
		return v->run(&(struct settings){0}, err);
	return run_verb(v, argc - 1, argv + 1, err);
}

/* Were one of them closed, what is opened next would take its place: the report would go to the API server. */
static void occupy_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct error err = {ERR_NONE, ""};
	int code;

	occupy_standard_streams();
	signals_await_children();
	standalone_begin();
	program_begin(argv[0]);
	tree_init();
	code = run(argc, argv, &err);
	if (code < 0) {
		talk_error(err.text);
		code = error_exit_code(err.kind);
		termination_end(code, err.text);
	} else {
		termination_end(code, NULL);
	}
	tempdir_remove();
	arena_release();
	return code;
}
