/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A private folder for this run, in TMPDIR, gone when the run ends: by tempdir_remove() at exit and,
 * on SIGINT, SIGTERM, SIGHUP and SIGPIPE, by a handler that makes system calls only and then lets
 * the signal take its course. One folder per run.
 */
#ifndef PERCH_IO_TEMPDIR_H
#define PERCH_IO_TEMPDIR_H

#include "base/error.h"

/* The folder's path, made on the first call; NULL with err filled in. */
const char *tempdir_path(struct error *err);
void tempdir_remove(void);

#endif
