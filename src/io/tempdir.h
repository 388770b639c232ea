/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A private folder for this run, in TMPDIR, gone when the run ends: by tempdir_remove() at exit and
 * on a signal that ends it (signals.h). One folder per run.
 */
#ifndef PERCH_IO_TEMPDIR_H
#define PERCH_IO_TEMPDIR_H

#include "base/error.h"

/* The folder's path, made on the first call; NULL with err filled in. */
const char *tempdir_path(struct error *err);
void tempdir_remove(void);

#endif
