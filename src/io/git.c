/* SPDX-License-Identifier: Apache-2.0 */
#include "io/git.h"

#ifdef PERCH_NO_GIT

#include <stddef.h>

int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err)
{
	(void)file;
	(void)arg;
	return error_set(err, ERR_USAGE, "can't read '%s': this perch was built without Git", git->repository);
}

int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err)
{
	(void)out;
	(void)name;
	return git_each(git, NULL, NULL, err);
}

#else

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "io/git_reader.h"
#include "io/signals.h"
#include "io/tempdir.h"

#define DEFAULT_MS (5 * 60 * 1000)
#define MAX_MEMORY ((rlim_t)1 << 30)
#define MAX_NAME   ((size_t)64 << 10) /* of a file, with its path */

/* What the child passes on: a file, or how it ended. */
struct frame {
	enum { FRAME_FILE, FRAME_END } what;
	size_t name_len, data_len;
	struct error error; /* FRAME_END; its kind is ERR_NONE where all went well */
};

/* The child, for the handler of signals; 0: there is none. */
static volatile pid_t reader;

struct channel {
	int fd;
	int64_t deadline;
	const struct git_source *git;
};

/* In a signal handler: what it writes is to be removed next. */
static void end_reader(int sig)
{
	pid_t pid = reader;

	(void)sig;
	reader = 0;
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int pass_on(void *arg, const struct text *text, struct error *err)
{
	int fd = *(int *)arg;
	struct frame f = {.what = FRAME_FILE, .name_len = strlen(text->name), .data_len = text->len};

	if (f.name_len > MAX_NAME)
		return error_set(err, ERR_INPUT, "a path is longer than %zu KiB", MAX_NAME >> 10);
	if (files_put(fd, &f, sizeof(f)) != 0 || files_put(fd, text->name, f.name_len) != 0 ||
	    files_put(fd, text->data, f.data_len) != 0)
		_exit(0); /* nobody listens any more */
	return 0;
}

/* A pack that unfolds without end meets these. */
static void bound_resources(void)
{
	const struct rlimit disk = {GIT_MAX_FETCHED, GIT_MAX_FETCHED}, core = {0, 0};
#ifndef PERCH_SANITIZED
	const struct rlimit memory = {MAX_MEMORY, MAX_MEMORY};

	setrlimit(RLIMIT_DATA, &memory);
#endif
	setrlimit(RLIMIT_FSIZE, &disk);
	setrlimit(RLIMIT_CORE, &core);
}

struct job {
	const struct git_source *git;
	const char *folder; /* of a clone */
	const char *beside; /* the one file that is asked for; NULL: each */
};

static int work(const struct job *job, int fd, struct error *err)
{
	struct text text;

	if (!job->beside)
		return git_read_each(job->git, job->folder, pass_on, &fd, err);
	if (git_read_beside(&text, job->git, job->folder, job->beside, err) != 0)
		return -1;
	return text.data ? pass_on(&fd, &text, err) : 0;
}

static _Noreturn void be_reader(const struct job *job, int fd)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct frame f = {.what = FRAME_END};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	bound_resources();
	if (work(job, fd, &f.error) != 0 && f.error.kind == ERR_NONE)
		f.error.kind = ERR_INPUT;
	files_put(fd, &f, sizeof(f));
	_exit(0);
}

static int start_reader(int *fd, const struct job *job, struct error *err)
{
	static bool registered;
	int ends[2];
	sigset_t all, before;
	pid_t pid;

	if (pipe(ends) != 0)
		return error_set(err, ERR_INPUT, "can't make a pipe: %s", strerror(errno));
	if (!registered)
		signals_at_end(end_reader);
	registered = true;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		sigprocmask(SIG_SETMASK, &before, NULL);
		be_reader(job, ends[1]);
	}
	reader = pid > 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	*fd = ends[0];
	if (pid > 0)
		return 0;
	close(ends[0]);
	return error_set(err, ERR_INPUT, "can't start another process: %s", strerror(errno));
}

static int too_late(const struct channel *c, struct error *err)
{
	return error_set(err, ERR_TIMEOUT, "'%s' wasn't read in time", git_shown(c->git->repository));
}

/* 1: all of it; 0: the other end is closed. */
static int receive(const struct channel *c, void *out, size_t size, struct error *err)
{
	char *p = out;

	while (size > 0) {
		int64_t left = clock_left(c->deadline);
		struct pollfd ready = {c->fd, POLLIN, 0};
		int n = poll(&ready, 1, left > INT32_MAX ? INT32_MAX : (int)left);
		ssize_t got;

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			return too_late(c, err);
		got = read(c->fd, p, size);
		if (got <= 0)
			return 0;
		p += got;
		size -= (size_t)got;
	}
	return 1;
}

/* The child is gone without a word. */
static int died(const struct channel *c, struct error *err)
{
	enum error_kind kind = git_is_url(c->git->repository) ? ERR_UNREACHABLE : ERR_INPUT;
	const char *shown = git_shown(c->git->repository);
	int status = 0;

	waitpid(reader, &status, 0);
	reader = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
		return error_set(err, kind, "can't fetch '%s': it is larger than 2 GiB", shown);
	if (WIFSIGNALED(status))
		return error_set(err, kind, "can't read '%s': libgit2 failed (signal %d)", shown, WTERMSIG(status));
	return error_set(err, kind, "can't read '%s': it takes more than %d GiB of memory", shown,
			 (int)(MAX_MEMORY >> 30));
}

static int take_file(const struct channel *c, const struct frame *f, git_visit *file, void *arg,
		     struct error *err)
{
	char *name, *data;
	int got;

	if (f->name_len > MAX_NAME || f->data_len > FILES_MAX_BYTES)
		return error_set(err, ERR_INPUT, "can't read '%s': libgit2 failed", git_shown(c->git->repository));
	name = arena_alloc(f->name_len + 1);
	data = arena_alloc_raw(f->data_len + 1);
	got = receive(c, name, f->name_len, err);
	if (got == 1)
		got = receive(c, data, f->data_len, err);
	if (got != 1)
		return got < 0 ? -1 : died(c, err);
	data[f->data_len] = '\0';
	return file(arg, &(struct text){name, data, f->data_len}, err);
}

static int listen_to(const struct channel *c, git_visit *file, void *arg, struct error *err)
{
	for (;;) {
		struct frame f;
		int got = receive(c, &f, sizeof(f), err);

		if (got != 1)
			return got < 0 ? -1 : died(c, err);
		if (f.what == FRAME_FILE) {
			if (take_file(c, &f, file, arg, err) != 0)
				return -1;
		} else if (f.error.kind == ERR_NONE) {
			return 0;
		} else {
			f.error.text[sizeof(f.error.text) - 1] = '\0';
			return error_set(err, f.error.kind, "%s", f.error.text);
		}
	}
}

static int read_by_child(struct job *job, git_visit *file, void *arg, struct error *err)
{
	int64_t deadline = job->git->access.deadline;
	struct channel c = {.deadline = deadline ? deadline : clock_deadline(DEFAULT_MS), .git = job->git};
	const char *dir;
	int result;

	if (git_is_url(job->git->repository)) {
		if (git_check_url(job->git->repository, err) != 0)
			return -1;
		dir = tempdir_path(err);
		if (!dir)
			return -1;
		job->folder = arena_printf("%s/clone", dir);
	}
	if (start_reader(&c.fd, job, err) != 0)
		return -1;
	result = listen_to(&c, file, arg, err);
	close(c.fd);
	end_reader(0);
	return result;
}

int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err)
{
	return read_by_child(&(struct job){.git = git}, file, arg, err);
}

static int keep_text(void *arg, const struct text *text, struct error *err)
{
	(void)err;
	*(struct text *)arg = *text;
	return 0;
}

int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err)
{
	*out = (struct text){name, NULL, 0};
	return read_by_child(&(struct job){.git = git, .beside = name}, keep_text, out, err);
}

#endif
