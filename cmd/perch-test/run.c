/* SPDX-License-Identifier: Apache-2.0 */
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "perch-test/case.h"
#include "perch-test/command.h"

#define MAX_JOBS 16

struct options {
	const char *bin, *glob;
	bool accept;
	int jobs;
	unsigned seconds; /* that a case may take: valgrind needs more */
};

static int parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){.bin = ".", .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN), .seconds = 120};
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--accept") == 0)
			o->accept = true;
		else if (strcmp(argv[i], "--bin") == 0 && i + 1 < argc)
			o->bin = argv[++i];
		else if (strcmp(argv[i], "--case") == 0 && i + 1 < argc)
			o->glob = argv[++i];
		else if (strcmp(argv[i], "--jobs") == 0 && i + 1 < argc)
			o->jobs = (int)strtol(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			o->seconds = (unsigned)strtoul(argv[++i], NULL, 10);
		else
			return -1;
	}
	if (o->jobs < 1 || o->jobs > MAX_JOBS)
		o->jobs = o->jobs < 1 ? 1 : MAX_JOBS;
	return 0;
}

/* Cases see the same world everywhere: these binaries first, no colour, no locale, no user's files. */
static void set_environment(const char *bin, const char *self)
{
	static const char *const unset[] = {"KUBECONFIG", "NO_COLOR",       "PERCH_POLICY", "COLUMNS",
					    "GIT_DIR",    "GIT_CONFIG",     "XDG_CONFIG_HOME",
					    "GIT_WORK_TREE", "CLICOLOR_FORCE", "KUBERNETES_SERVICE_HOST",
					    "HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"};
	char *perch = realpath(bin, NULL), *runner = realpath(self, NULL);
	char *slash = runner ? strrchr(runner, '/') : NULL;

	if (slash)
		*slash = '\0';
	setenv("PATH",
	       arena_printf("%s:%s:%s", perch ? perch : ".", runner ? runner : ".", getenv("PATH")), 1);
	free(perch);
	free(runner);
	for (size_t i = 0; i < sizeof(unset) / sizeof(*unset); i++)
		unsetenv(unset[i]);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("TERM", "dumb", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "perch", 1);
	setenv("GIT_AUTHOR_EMAIL", "perch@example.com", 1);
	setenv("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z", 1);
	setenv("GIT_COMMITTER_NAME", "perch", 1);
	setenv("GIT_COMMITTER_EMAIL", "perch@example.com", 1);
	setenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z", 1);
}

static void count(size_t counts[4], struct test_case *c, int status, bool accept)
{
	enum outcome outcome = case_finish(c, status, accept);

	counts[outcome]++;
	if (outcome == CASE_ACCEPTED)
		printf("accepted - %s\n", c->folder);
}

static void reap_one(struct test_case *running, int *n, size_t counts[4], bool accept)
{
	int status;
	pid_t pid = wait(&status);

	for (int i = 0; i < *n; i++) {
		if (running[i].pid == pid) {
			count(counts, &running[i], status, accept);
			running[i] = running[--*n];
			return;
		}
	}
}

int test_run(int argc, char **argv)
{
	struct test_case running[MAX_JOBS];
	size_t counts[4] = {0};
	struct options o;
	glob_t found;
	int n = 0;

	if (parse(&o, argc, argv) != 0) {
		fputs("usage: perch-test run [--accept] [--bin DIR] [--case GLOB] [--jobs N] [--seconds N]\n", stderr);
		return 2;
	}
	set_environment(o.bin, "/proc/self/exe");
	if (glob("testdata/*/*/cmd", 0, NULL, &found) != 0) {
		fputs("✗ no cases under testdata/: run this where the Makefile is\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *folder = found.gl_pathv[i];

		folder[strlen(folder) - strlen("/cmd")] = '\0';
		if (o.glob && fnmatch(o.glob, folder + strlen("testdata/"), 0) != 0)
			continue;
		if (n == o.jobs)
			reap_one(running, &n, counts, o.accept);
		case_start(&running[n++], folder, o.seconds);
	}
	while (n > 0)
		reap_one(running, &n, counts, o.accept);
	globfree(&found);
	if (o.accept)
		printf("%zu accepted anew: read the diff before you commit it\n", counts[CASE_ACCEPTED]);
	printf("%zu passed, %zu failed, %zu skipped\n", counts[CASE_PASSED] + counts[CASE_ACCEPTED],
	       counts[CASE_FAILED], counts[CASE_SKIPPED]);
	return counts[CASE_FAILED] || !(counts[CASE_PASSED] + counts[CASE_ACCEPTED]);
}
