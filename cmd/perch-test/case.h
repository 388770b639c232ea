/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One case: a folder with `cmd` (a /bin/sh -eu script, run in that folder with $T, an empty scratch
 * folder of its own) and the exact bytes it must give in `stdout`, `stderr` (absent: nothing) and
 * `exit` (absent: 0). A script that exits 77 is skipped, its reason being its last line on stderr.
 */
#ifndef PERCH_TEST_CASE_H
#define PERCH_TEST_CASE_H

#include <stdbool.h>
#include <sys/types.h>

enum outcome { CASE_PASSED, CASE_FAILED, CASE_SKIPPED, CASE_ACCEPTED };

struct test_case {
	const char *folder;   /* testdata/SUITE/NAME */
	char scratch[64];     /* where its output and $T are while it runs */
	pid_t pid;
};

/* Starts it; case_finish() is called once the process is reaped. Broken plumbing ends the run. */
void case_start(struct test_case *c, const char *folder, unsigned seconds);
enum outcome case_finish(struct test_case *c, int wait_status, bool accept);

#endif
