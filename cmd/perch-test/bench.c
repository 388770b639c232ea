/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash part of `make bench`: nanoseconds per operation on one object, the best of many short
 * rounds, so that a busy machine shows little. The names are those that the Go peer prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "flagger/hash.h"
#include "flagger/spew.h"
#include "perch-test/command.h"
#include "value/json.h"

#define ROUNDS 200

struct bench {
	const char *text;
	size_t len;
	const struct tree *object;
	struct buffer dump;
	char hash[HASH_SIZE];
	int minor;
	volatile uint32_t sink;
};

static void parse(struct bench *b)
{
	struct error err = {0};

	json_parse(b->text, b->len, "object", &err);
}

static void hash(struct bench *b)
{
	struct error err = {0};

	flagger_hash(b->hash, b->object, b->minor, &err);
}

static void both(struct bench *b)
{
	struct error err = {0};

	flagger_hash(b->hash, json_parse(b->text, b->len, "object", &err), b->minor, &err);
}

/* FNV-1a over the dump's text, as if it were at hand. */
static void fnv(struct bench *b)
{
	struct spew s = {.fnv = SPEW_FNV_START};

	spew_text(&s, b->dump.data, b->dump.len);
	b->sink = s.fnv;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(struct bench *b, const char *name, void (*op)(struct bench *), long n)
{
	double best = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now(), spent;

		for (long i = 0; i < n; i++) {
			struct arena_mark mark = arena_mark();

			op(b);
			arena_rewind(mark);
		}
		spent = (now() - start) / (double)n;
		if (round == 0 || spent < best)
			best = spent;
	}
	printf("%s %.0f\n", name, best);
}

int test_bench(int argc, char **argv)
{
	struct bench b = {0};
	struct error err = {0};
	long n;

	if (argc != 4)
		return 2;
	b.text = test_read(argv[1], &b.len);
	b.minor = (int)strtol(argv[2], NULL, 10);
	n = strtol(argv[3], NULL, 10) / ROUNDS + 1;
	b.object = json_parse(b.text, b.len, argv[1], &err);
	if (!b.object || flagger_dump(&b.dump, b.object, b.minor, &err))
		return test_fail(&err);
	measure(&b, "parse", parse, n);
	measure(&b, "hash", hash, n);
	measure(&b, "both", both, n);
	measure(&b, "fnv", fnv, n);
	printf("value %s\n", b.hash);
	return 0;
}
