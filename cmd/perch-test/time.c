/* SPDX-License-Identifier: Apache-2.0 */
/* Times whole commands for `make bench`: the runs take turns, so that a slow spell hits all alike. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/arena.h"
#include "perch-test/command.h"

#define MAX_COMMANDS 8

struct timed {
	const char *command;
	wordexp_t words; /* run as they are: a shell's start would be counted with each */
	double *seconds;
	long peak_kib;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int run_once(struct timed *t, int round)
{
	struct rusage usage;
	double start = now();
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(t->words.we_wordv[0], t->words.we_wordv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return -1;
	if (round >= 0)
		t->seconds[round] = now() - start;
	if (usage.ru_maxrss > t->peak_kib)
		t->peak_kib = usage.ru_maxrss;
	return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? 0 : -1;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* One line per command: median ms, peak MiB, and both as ratios to the first command's. */
static void print(struct timed *all, int n, int rounds)
{
	double first = 0;

	for (int i = 0; i < n; i++) {
		double median;

		qsort(all[i].seconds, (size_t)rounds, sizeof(double), by_size);
		median = all[i].seconds[rounds / 2];
		if (i == 0)
			first = median;
		printf("%10.2f ms %8.1f MiB   %6.2fx %6.2fx   %s\n", median * 1e3,
		       (double)all[i].peak_kib / 1024, median / first,
		       (double)all[i].peak_kib / (double)all[0].peak_kib, all[i].command);
	}
}

int test_time(int argc, char **argv)
{
	struct timed all[MAX_COMMANDS] = {0};
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0, n = argc - 2;

	if (rounds < 1 || n < 1 || n > MAX_COMMANDS) {
		fputs("usage: perch-test time ROUNDS COMMAND...\n", stderr);
		return 2;
	}
	for (int i = 0; i < n; i++) {
		all[i] = (struct timed){.command = argv[i + 2], .seconds = NEW_ARRAY(double, rounds)};
		if (wordexp(argv[i + 2], &all[i].words, WRDE_NOCMD) != 0 || all[i].words.we_wordc == 0) {
			fprintf(stderr, "✗ no simple command: %s\n", argv[i + 2]);
			return 2;
		}
	}
	for (int round = -1; round < rounds; round++) {
		for (int i = 0; i < n; i++) {
			if (run_once(&all[i], round) != 0) {
				fprintf(stderr, "✗ cannot run: %s\n", all[i].command);
				return 2;
			}
		}
	}
	print(all, n, rounds);
	return 0;
}
