/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of perch-test: `run`, which runs the cases under testdata/, and one per pure part of
 * perch that no verb shows by itself. Each gets argc and argv from its own name on and returns an
 * exit code. A new one is a file of its own and a row in commands.def.
 */
#ifndef PERCH_TEST_COMMAND_H
#define PERCH_TEST_COMMAND_H

#include <stddef.h>

#include "base/error.h"

#define COMMAND(name, usage) int test_##name(int argc, char **argv);
#include "perch-test/commands.def"
#undef COMMAND

/* A whole file ("-" is standard input) on the arena, NUL-terminated; exits 2 where it can't. */
char *test_read(const char *path, size_t *len);
/* Prints `✗ text` on stderr and gives the error's exit code. */
int test_fail(const struct error *err);

#endif
