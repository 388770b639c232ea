/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perch's side of testdata/lab/fuzz-hash: reads JSON objects, one a line, and prints for each its
 * hash under every minor given (0.37 or 37; none: all, oldest first), tabs between, ERR where the
 * object can't be decoded. With --dump it is the text that is hashed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "flagger/hash.h"
#include "k8s/schema.h"
#include "perch-test/command.h"
#include "value/json.h"

#define MAX_MINORS 64

struct job {
	int minors[MAX_MINORS], n;
	bool dump;
};

static int parse(struct job *job, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *s = argv[i];

		if (strcmp(s, "--dump") == 0) {
			job->dump = true;
			continue;
		}
		if (job->n == MAX_MINORS)
			return -1;
		job->minors[job->n] = (int)strtol(strncmp(s, "0.", 2) == 0 ? s + 2 : s, NULL, 10);
		if (!schema_minor_known(job->minors[job->n++]))
			return -1;
	}
	if (!job->n) {
		for (int m = schema_next_minor(0); m && job->n < MAX_MINORS; m = schema_next_minor(m))
			job->minors[job->n++] = m;
	}
	return 0;
}

static void answer(const struct job *job, const struct tree *object, int minor)
{
	struct buffer text = {0};
	char hash[HASH_SIZE];
	struct error err;

	if (!object)
		fputs("ERR", stdout);
	else if (job->dump && flagger_dump(&text, object, minor, &err) == 0)
		fputs(buffer_text(&text), stdout);
	else if (!job->dump && flagger_hash(hash, object, minor, &err) == 0)
		fputs(hash, stdout);
	else
		printf("ERR%s%s", job->dump ? " " : "", job->dump ? err.text : "");
}

static void answer_line(const struct job *job, const char *line, size_t len)
{
	struct arena_mark mark = arena_mark();
	struct error err;
	const struct tree *object = json_parse(line, len, "line", &err);

	for (int i = 0; i < job->n; i++) {
		if (i)
			putchar('\t');
		answer(job, object, job->minors[i]);
	}
	putchar('\n');
	arena_rewind(mark);
}

int test_hash_lines(int argc, char **argv)
{
	struct job job = {0};
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (parse(&job, argc, argv) != 0) {
		fputs("usage: perch-test hash_lines [--dump] [MINOR…]\n", stderr);
		return 2;
	}
	while ((len = getline(&line, &size, stdin)) > 0)
		answer_line(&job, line, (size_t)len);
	free(line);
	return 0;
}
