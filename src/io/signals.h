/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a run by a signal: SIGINT, SIGTERM, SIGHUP or SIGPIPE. What was registered is done, the
 * latest first, then the signal takes its course. The kernel spares process 1 of a container that
 * course: there the run exits with 128 + N, as a shell would say it. Nothing else is waited for, so
 * a run that is asked to end has ended at once, wherever it was. What its parent had ignored stays so, as
 * SIGHUP does under nohup; but for SIGPIPE, for a pipe without a reader is the end of any report.
 */
#ifndef PERCH_IO_SIGNALS_H
#define PERCH_IO_SIGNALS_H

#include <signal.h>

/* `last` may make system calls only. At most four. */
void signals_at_end(void (*last)(int sig));

/* Children can be waited for, whatever the parent made of the signal that says they have ended. */
void signals_await_children(void);

/* A peer that has gone is an error of a write, no end of the run: between these SIGPIPE is ignored. */
void signals_spare_pipe(struct sigaction *before);
void signals_heed_pipe(const struct sigaction *before);

#endif
