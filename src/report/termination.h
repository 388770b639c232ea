/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Pod says of its end, where Argo CD and kubectl show it: one sentence, then a line of compact
 * JSON {verb, exit, …}, 4096 bytes at most, in the file that PERCH_TERMINATION_LOG names or, within a
 * Pod, /dev/termination-log. It names objects, paths and verdicts, never a value. Also where a signal
 * ends the run something true is left there. What is told is kept as bytes, not on the arena.
 */
#ifndef PERCH_REPORT_TERMINATION_H
#define PERCH_REPORT_TERMINATION_H

#include "value/tree.h"

/* At the start of every verb. */
void termination_begin(const char *verb);
/* How far the run is ("3 of 12 canaries are done"), for the sentence of a signal. */
void termination_so_far(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What it did, with facts for the JSON (a map, or NULL). The latest counts. */
void termination_tell(const char *sentence, const struct tree *facts);
/* Writes it. `problem`: why the run failed, which is then the sentence; NULL: it didn't. */
void termination_end(int exit_code, const char *problem);

#endif
