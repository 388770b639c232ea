/* SPDX-License-Identifier: Apache-2.0 */
#include "io/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"

#define CHUNK ((size_t)4 << 10)
#define PAUSE_MS 5

extern char **environ;

static bool can_run(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The first in PATH; NULL with err filled in where there is none. */
static const char *look_up(struct process *p, struct error *err)
{
	const char *name = p->argv[0], *path = getenv("PATH"), *end;

	if (strchr(name, '/')) {
		p->missing = access(name, F_OK) != 0;
		return name;
	}
	for (; path && *path; path = *end ? end + 1 : end) {
		const char *file;

		end = path + strcspn(path, ":");
		file = arena_printf("%.*s%s%s", (int)(end - path), path, end == path ? "./" : "/", name);
		if (!can_run(file))
			continue;
		if (*file == '/')
			return file;
		error_set(err, ERR_INPUT, "can't run '%s': PATH finds it in a folder that isn't absolute", name);
		return NULL;
	}
	p->missing = true;
	error_set(err, ERR_INPUT, "can't run '%s': it is not in PATH", name);
	return NULL;
}

static bool names_variable(const char *variable, const char *other)
{
	size_t len = strcspn(other, "=");

	return strncmp(variable, other, len) == 0 && variable[len] == '=';
}

static bool is_set(const char *const *env, const char *variable)
{
	for (; env && *env; env++)
		if (names_variable(*env, variable))
			return true;
	return false;
}

static size_t count(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static char **environment(const char *const *over)
{
	char **env = NEW_ARRAY(char *, count((const char *const *)environ) + count(over) + 1);
	size_t n = 0;

	for (char **e = environ; e && *e; e++)
		if (!is_set(over, *e))
			env[n++] = *e;
	for (const char *const *e = over; e && *e; e++)
		if (!is_set(e + 1, *e))
			env[n++] = arena_strdup(*e);
	return env;
}

static char **arguments(const char *const *argv)
{
	char **copy = NEW_ARRAY(char *, count(argv) + 1);

	for (size_t i = 0; argv[i]; i++)
		copy[i] = arena_strdup(argv[i]);
	return copy;
}

struct child {
	pid_t pid;
	int output;  /* its standard output is read here */
	int refusal; /* and here the errno of an exec that failed */
};

/* In the child: nothing but system calls from here on. */
static _Noreturn void become(const char *file, char **argv, char **env, bool interactive, int output,
			     int refusal, pid_t parent)
{
	int cause, nothing = interactive ? -1 : open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	if ((nothing < 0 || dup2(nothing, STDIN_FILENO) >= 0) && dup2(output, STDOUT_FILENO) >= 0)
		execve(file, argv, env);
	cause = errno;
	if (write(refusal, &cause, sizeof(cause)) < 0)
		_exit(126);
	_exit(127);
}

static int start(struct child *c, const struct process *p, const char *file, struct error *err)
{
	char **argv = arguments(p->argv), **env = environment(p->env);
	int output[2], refusal[2];
	pid_t parent = getpid();

	if (pipe2(output, O_CLOEXEC) != 0)
		return error_set(err, ERR_INPUT, "can't run '%s': %s", p->argv[0], strerror(errno));
	if (pipe2(refusal, O_CLOEXEC) != 0) {
		close(output[0]);
		close(output[1]);
		return error_set(err, ERR_INPUT, "can't run '%s': %s", p->argv[0], strerror(errno));
	}
	c->pid = fork();
	if (c->pid == 0)
		become(file, argv, env, p->interactive, output[1], refusal[1], parent);
	close(output[1]);
	close(refusal[1]);
	c->output = output[0];
	c->refusal = refusal[0];
	if (c->pid > 0)
		return 0;
	close(c->output);
	close(c->refusal);
	return error_set(err, ERR_INPUT, "can't run '%s': out of processes", p->argv[0]);
}

static int took_too_long(const struct process *p, struct error *err)
{
	return error_set(err, ERR_TIMEOUT, "'%s' took longer than %s", p->argv[0],
			 clock_duration_text((p->timeout_ms + 999) / 1000));
}

static int read_output(struct process *p, int fd, int64_t deadline, struct error *err)
{
	char chunk[CHUNK];

	for (;;) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		int64_t left = clock_left(deadline);
		int ready = poll(&wait, 1, left > INT32_MAX ? -1 : (int)left);
		ssize_t n;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready == 0)
			return took_too_long(p, err);
		n = read(fd, chunk, sizeof(chunk));
		if (n == 0 || (n < 0 && errno != EINTR))
			return 0;
		if (n > 0)
			buffer_add(&p->output, chunk, (size_t)n);
		if (p->output.full)
			return error_set(err, ERR_INPUT, "'%s' says more than %zu KiB", p->argv[0],
					 p->output.max >> 10);
	}
}

/* It may have closed its output long before it ends. */
static int reap(int *status, const struct process *p, pid_t pid, int64_t deadline, struct error *err)
{
	pid_t got;

	while ((got = waitpid(pid, status, deadline ? WNOHANG : 0)) <= 0 && !clock_passed(deadline))
		clock_sleep(PAUSE_MS);
	return got <= 0 ? took_too_long(p, err) : 0;
}

static int ended(struct process *p, int status, int cause, struct error *err)
{
	const char *name = p->argv[0];

	if (cause) {
		p->missing = cause == ENOENT && p->missing;
		return error_set(err, ERR_INPUT, "can't run '%s': %s", name, strerror(cause));
	}
	p->missing = false;
	p->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (WIFSIGNALED(status))
		return error_set(err, ERR_INPUT, "'%s' was ended by signal %d", name, WTERMSIG(status));
	if (p->status)
		return error_set(err, ERR_INPUT, "'%s' failed with exit code %d", name, p->status);
	return 0;
}

int process_run(struct process *p, struct error *err)
{
	int64_t deadline = clock_deadline(p->timeout_ms);
	const char *file = look_up(p, err);
	int status = 0, cause = 0, failed;
	struct child c = {0};

	if (!file || start(&c, p, file, err) != 0)
		return -1;
	failed = read_output(p, c.output, deadline, err) != 0 || reap(&status, p, c.pid, deadline, err) != 0;
	if (failed) {
		kill(c.pid, SIGKILL);
		waitpid(c.pid, &status, 0);
	}
	if (read(c.refusal, &cause, sizeof(cause)) != sizeof(cause))
		cause = 0;
	close(c.output);
	close(c.refusal);
	return failed ? -1 : ended(p, status, cause, err);
}
