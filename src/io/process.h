/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Another program, run and waited for, as a credential plugin is. No shell: the program is a path,
 * or a name that is looked up in PATH, where a folder that isn't absolute is refused, as Go's
 * os/exec refuses it. Its standard output is kept (bounded, on the arena), its standard error is
 * this process's own, its environment this process's with a few variables over it. It doesn't
 * outlive this process. Errors: ERR_INPUT (not there, can't be run, says too much, ended with a status),
 * ERR_TIMEOUT.
 */
#ifndef PERCH_IO_PROCESS_H
#define PERCH_IO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

struct process {
	const char *const *argv; /* NULL-terminated; argv[0] is the program */
	const char *const *env;  /* NAME=VALUE, NULL-terminated; of equal names the last counts */
	bool interactive;        /* has this process's standard input; else there is nothing to read */
	int64_t timeout_ms;      /* 0: none */
	/* What came of it; output.max is the caller's. */
	struct buffer output;
	bool missing;            /* it isn't there */
	int status;              /* what it ended with; 128 + N by signal N */
};

int process_run(struct process *p, struct error *err);

#endif
