/* SPDX-License-Identifier: Apache-2.0 */
#include "report/termination.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/utf8.h"
#include "io/signals.h"
#include "report/talk.h"

#define MAX_MESSAGE 4096 /* of a container, as the kubelet reads it */
#define MAX_SENTENCE 1536
#define MAX_FACTS (MAX_MESSAGE - MAX_SENTENCE - 64)

static struct {
	const char *path; /* NULL: nobody reads it */
	const char *verb;
	char sentence[MAX_SENTENCE], facts[MAX_FACTS];
	char so_far[2][256]; /* the handler may come while one is being written */
	volatile sig_atomic_t newest;
} it;

static const char *find_path(void)
{
	static const char in_pod[] = "/dev/termination-log";
	const char *named = getenv("PERCH_TERMINATION_LOG");

	if (named)
		return *named ? named : NULL;
	return getenv("KUBERNETES_SERVICE_HOST") && access(in_pod, W_OK) == 0 ? in_pod : NULL;
}

static void put(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) < 0)
		return; /* there is nobody left to tell */
}

static const char *signal_name(int sig)
{
	return sig == SIGTERM ? "SIGTERM" : sig == SIGINT ? "SIGINT" : sig == SIGHUP ? "SIGHUP" : "SIGPIPE";
}

static void put_sentence(int fd, int sig, const char *so_far)
{
	put(fd, "perch ");
	put(fd, it.verb);
	put(fd, ": ended by ");
	put(fd, signal_name(sig));
	put(fd, *so_far ? ": " : "");
	put(fd, so_far);
	put(fd, *so_far ? "; the next run goes on\n" : "\n");
}

/* In a signal handler: system calls only. Whoever ends it half-way by hand, or with `| head`, is told, too. */
static void on_end(int sig)
{
	const char *so_far = it.so_far[it.newest];
	int fd = it.path ? open(it.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;

	if (*so_far && talk_is_text()) {
		put(STDERR_FILENO, "✗ ");
		put_sentence(STDERR_FILENO, sig, so_far);
	}
	if (fd < 0)
		return;
	put_sentence(fd, sig, so_far);
	put(fd, "{\"verb\":\"");
	put(fd, it.verb);
	put(fd, "\",\"signal\":\"");
	put(fd, signal_name(sig));
	put(fd, "\"}\n");
	close(fd);
}

void termination_begin(const char *verb)
{
	it.verb = verb;
	it.path = find_path();
	signals_at_end(on_end);
}

void termination_so_far(const char *fmt, ...)
{
	int other = !it.newest;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(it.so_far[other], sizeof(it.so_far[other]), fmt, ap);
	va_end(ap);
	it.newest = other;
}

/* Never half a character at the cut. */
static void keep(char *out, size_t size, const char *text)
{
	struct buffer safe = {0};
	size_t len;

	terminal_text(&safe, text);
	len = utf8_cut(buffer_text(&safe), safe.len, size - 1);
	memcpy(out, buffer_text(&safe), len);
	out[len] = '\0';
}

/* ,"key":value of each fact; what doesn't fit whole isn't told. */
static void keep_facts(const struct tree *facts)
{
	struct buffer b = {.max = MAX_FACTS - 1};

	tree_each(fact, facts) {
		size_t before = b.len;

		buffer_char(&b, ',');
		tree_print_string(&b, tree_key(fact));
		buffer_char(&b, ':');
		tree_print(&b, fact, 0);
		if (b.full) {
			b.len = before;
			break;
		}
	}
	memcpy(it.facts, buffer_text(&b), b.len);
	it.facts[b.len] = '\0';
}

void termination_tell(const char *sentence, const struct tree *facts)
{
	keep(it.sentence, sizeof(it.sentence), sentence);
	keep_facts(facts);
}

void termination_end(int exit_code, const char *problem)
{
	FILE *f;

	if (!it.path)
		return;
	if (problem) {
		struct buffer sentence = {.max = 2048};
		size_t len = strlen(it.verb);
		bool named = strncmp(problem, it.verb, len) == 0 && problem[len] == ':';

		buffer_printf(&sentence, named ? "perch %s%s" : "perch %s: %s", named ? "" : it.verb, problem);
		keep(it.sentence, sizeof(it.sentence), buffer_text(&sentence));
	}
	f = *it.sentence ? fopen(it.path, "we") : NULL;
	if (!f)
		return;
	fprintf(f, "%s\n{\"verb\":\"%s\",\"exit\":%d%s}\n", it.sentence, it.verb, exit_code, it.facts);
	fclose(f);
}
