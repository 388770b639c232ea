/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perch-test serve [--show HEADERS] [--sort] [--writes] [--tunnel PORT] EXCHANGE [--] COMMAND...
 *
 * Runs COMMAND against a server that answers what EXCHANGE says, then prints the requests that came,
 * one a line: method, path with its query, and for a write its content type and body. A request
 * that EXCHANGE doesn't know is answered 404, printed on stderr, and serve fails; so it does where a
 * request marked `required` never came. Otherwise the exit code is COMMAND's.
 *
 * COMMAND finds the server in KUBECONFIG (a context `test` whose cluster is http://cluster.example,
 * reached by proxy-url, so that no output holds a port) and, as it is, in PERCH_TEST_SERVER.
 * --show adds the values of those headers (names with commas between), --sort orders the lines,
 * as requests side by side need it, --writes leaves the GETs out.
 *
 * EXCHANGE is text. A line that isn't indented is a request; the indented ones under it are its
 * answers in order, and the last of them repeats:
 *
 *     # the path may hold globs; parameters that are named must be there, others may
 *     GET /apis/apps/v1/deployments?limit=500
 *       200 deployments.json
 *     PATCH /apis/flagger.app/v1beta1/namespaces/shop/canaries/web/status required
 *       409 "the object has been modified"
 *       200 {"kind":"Canary","apiVersion":"flagger.app/v1beta1"}
 *
 * An answer is a status and a body: JSON on the same line, a file beside EXCHANGE, or a message in
 * quotes, which makes a Status. In front of the body may stand: retry-after=SECONDS (+SECONDS: as a
 * date), slow=MS (before it is sent), cut=BYTES (of the body, then the connection is closed),
 * type=CONTENT-TYPE, merged=FILE (the patch that came is merged into that object, which is stored and
 * answered; 409 where it has another resourceVersion). Instead of a status: `close` (no answer), `garbage` (200 and no JSON),
 * `redirect=URL`. CONNECT and SOCKS5 are answered with a tunnel to the server itself or, with
 * --tunnel, to another port of this machine.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "perch-test/command.h"
#include "perch-test/serve.h"

struct settings {
	const char *shown, *file;
	bool sort, writes;
	unsigned tunnel;
	char **command;
};

static int parse(struct settings *o, char **argv)
{
	*o = (struct settings){.shown = ""};
	for (argv++; *argv && strncmp(*argv, "--", 2) == 0; argv++) {
		if (strcmp(*argv, "--sort") == 0)
			o->sort = true;
		else if (strcmp(*argv, "--writes") == 0)
			o->writes = true;
		else if (strcmp(*argv, "--show") == 0 && argv[1])
			o->shown = *++argv;
		else if (strcmp(*argv, "--tunnel") == 0 && argv[1])
			o->tunnel = (unsigned)strtoul(*++argv, NULL, 10);
		else
			return -1;
	}
	if (!*argv)
		return -1;
	o->file = *argv++;
	if (*argv && strcmp(*argv, "--") == 0)
		argv++;
	o->command = argv;
	return *argv ? 0 : -1;
}

static _Noreturn void broken(const char *what)
{
	perror(what);
	exit(2);
}

static const char *scratch_folder(void)
{
	const char *t = getenv("T"), *tmp = getenv("TMPDIR");

	return t && *t ? t : tmp && *tmp ? tmp : "/tmp";
}

/* A kubeconfig's name on success; the file goes with the run. */
static char *write_kubeconfig(unsigned port)
{
	char *path = arena_printf("%s/kubeconfig-XXXXXX", scratch_folder());
	int fd = mkstemp(path);

	if (fd < 0)
		broken("✗ can't write a kubeconfig");
	dprintf(fd,
		"apiVersion: v1\n"
		"kind: Config\n"
		"clusters: [{name: test, cluster: {server: \"http://cluster.example\", "
		"proxy-url: \"http://127.0.0.1:%u\"}}]\n"
		"users: [{name: test, user: {}}]\n"
		"contexts: [{name: test, context: {cluster: test, user: test}}]\n"
		"current-context: test\n",
		port);
	close(fd);
	return path;
}

/* A child doesn't outlive this process, nor this one the case that runs it: a command may never end. */
static pid_t start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		broken("✗ can't fork");
	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static int run(const struct settings *o, const struct server *s)
{
	char *kubeconfig = write_kubeconfig(s->port);
	pid_t pid;
	int status;

	setenv("KUBECONFIG", kubeconfig, 1);
	setenv("PERCH_TEST_SERVER", arena_printf("http://127.0.0.1:%u", s->port), 1);
	pid = start();
	if (pid == 0) {
		execvp(o->command[0], o->command);
		perror(o->command[0]);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	unlink(kubeconfig);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct strings read_log(int log)
{
	struct strings lines = {0};
	FILE *f = fdopen(log, "r");
	char *line = NULL;
	size_t room = 0;

	if (!f)
		broken("✗ can't read the log");
	rewind(f);
	while (getline(&line, &room, f) > 0)
		strings_add(&lines, arena_strdup(line));
	free(line);
	fclose(f);
	return lines;
}

/* Prints what came; false where something came that isn't recorded. */
static bool report(const struct settings *o, struct strings lines)
{
	bool known = true;

	if (o->sort && lines.count)
		qsort(lines.items, lines.count, sizeof(*lines.items), by_text);
	for (size_t i = 0; i < lines.count; i++) {
		if (lines.items[i][0] == '!') {
			fprintf(stderr, "✗ not recorded: %s", lines.items[i] + 1);
			known = false;
		} else if (!o->writes || strncmp(lines.items[i], "GET ", 4) != 0) {
			fputs(lines.items[i], stdout);
		}
	}
	return known;
}

static bool all_came(const struct settings *o, const struct exchange *all)
{
	bool came = true;

	for (const struct exchange *e = all; e; e = e->next) {
		if (!e->required || *e->used > 0)
			continue;
		fprintf(stderr, "✗ %s:%u: never asked: %s %s\n", o->file, e->line, e->method, e->path);
		came = false;
	}
	return came;
}

int test_serve(int argc, char **argv)
{
	struct server server = {0};
	struct settings o;
	struct error err;
	bool fine;
	int code;
	pid_t pid;

	(void)argc;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (parse(&o, argv) != 0) {
		fputs("usage: perch-test serve [--show HEADERS] [--sort] [--writes] [--tunnel PORT] "
		      "EXCHANGE [--] COMMAND...\n", stderr);
		return 2;
	}
	server.all = exchange_read(o.file);
	server.shown = o.shown;
	server.tunnel = o.tunnel;
	server.log = files_spool(&err);
	if (server.log < 0)
		return test_fail(&err);
	server_open(&server);
	pid = start();
	if (pid == 0)
		server_run(&server);
	code = run(&o, &server);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(server.listener);
	fine = report(&o, read_log(server.log));
	fine = all_came(&o, server.all) && fine;
	return code ? code : !fine;
}
