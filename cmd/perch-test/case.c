/* SPDX-License-Identifier: Apache-2.0 */
#include "perch-test/case.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "perch-test/command.h"

#define SKIP 77
#define MEMORY ((rlim_t)4 << 30)

static _Noreturn void broken(const char *what)
{
	perror(what);
	exit(2);
}

static void redirect(const char *path, int flags, int fd)
{
	int file = open(path, flags, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		_exit(126);
	close(file);
}

/* What runs away ends its own case, not the machine. Sanitizers reserve more than that for themselves. */
static void bound_memory(void)
{
#ifndef PERCH_SANITIZED
	struct rlimit limit = {MEMORY, MEMORY};

	setrlimit(RLIMIT_AS, &limit);
#endif
}

void case_start(struct test_case *c, const char *folder, unsigned seconds)
{
	char *tmp, *out, *err, *cmd;

	c->folder = folder;
	snprintf(c->scratch, sizeof(c->scratch), "/tmp/perch-case-XXXXXX");
	if (!mkdtemp(c->scratch))
		broken("mkdtemp");
	tmp = arena_printf("%s/t", c->scratch);
	out = arena_printf("%s/stdout", c->scratch);
	err = arena_printf("%s/stderr", c->scratch);
	cmd = arena_printf("%s/cmd", folder);
	if (mkdir(tmp, 0700) != 0)
		broken(tmp);
	c->pid = fork();
	if (c->pid < 0)
		broken("fork");
	if (c->pid > 0)
		return;
	cmd = realpath(cmd, NULL);
	if (!cmd || chdir(folder) != 0)
		_exit(126);
	redirect("/dev/null", O_RDONLY, 0);
	redirect(out, O_WRONLY | O_CREAT, 1);
	redirect(err, O_WRONLY | O_CREAT, 2);
	setenv("T", tmp, 1);
	setenv("HOME", tmp, 1);
	bound_memory();
	alarm(seconds); /* survives exec: a case that hangs is a case that failed */
	execl("/bin/sh", "sh", "-eu", cmd, (char *)NULL);
	_exit(126);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* The bytes of a file, "" where there is none. */
static const char *slurp(const char *path, size_t *len)
{
	*len = 0;
	return access(path, F_OK) == 0 ? test_read(path, len) : "";
}

static void store(const char *path, const char *text, size_t len)
{
	FILE *f;

	if (len == 0) {
		unlink(path);
		return;
	}
	f = fopen(path, "wb");
	if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0)
		broken(path);
}

static void show_difference(const char *expected, const char *actual)
{
	fflush(stdout);
	if (system(arena_printf("diff -u --label expected --label actual '%s' '%s' 2>/dev/null |"
				" tail -n +3 | head -n 40 | sed 's/^/    /'",
				access(expected, F_OK) == 0 ? expected : "/dev/null", actual)) < 0)
		broken("diff");
}

static bool same_or_accepted(struct test_case *c, const char *name, bool accept, bool *changed)
{
	const char *expected = arena_printf("%s/%s", c->folder, name);
	const char *actual = arena_printf("%s/%s", c->scratch, name);
	size_t want_len, got_len;
	const char *want = slurp(expected, &want_len), *got = slurp(actual, &got_len);

	if (want_len == got_len && memcmp(want, got, got_len) == 0)
		return true;
	if (accept) {
		store(expected, got, got_len);
		*changed = true;
		return true;
	}
	printf("not ok - %s: %s differs\n", c->folder, name);
	show_difference(expected, actual);
	return false;
}

static void say_skipped(const struct test_case *c)
{
	size_t len;
	const char *why = slurp(arena_printf("%s/stderr", c->scratch), &len);

	printf("ok - %s # SKIP %.*s\n", c->folder, (int)strcspn(why, "\n"), why);
}

enum outcome case_finish(struct test_case *c, int wait_status, bool accept)
{
	struct arena_mark mark = arena_mark();
	int code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
	const char *exit_text = arena_printf("%d\n", code);
	enum outcome outcome;
	bool ok, changed = false;

	store(arena_printf("%s/exit", c->scratch), exit_text, code ? strlen(exit_text) : 0);
	if (code == SKIP) {
		say_skipped(c);
		outcome = CASE_SKIPPED;
	} else {
		ok = same_or_accepted(c, "stdout", accept, &changed);
		ok = same_or_accepted(c, "stderr", accept, &changed) && ok;
		ok = same_or_accepted(c, "exit", accept, &changed) && ok;
		outcome = !ok ? CASE_FAILED : changed ? CASE_ACCEPTED : CASE_PASSED;
	}
	nftw(c->scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	arena_rewind(mark);
	return outcome;
}
