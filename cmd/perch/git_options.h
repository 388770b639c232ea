/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --git and what goes with it, as io/git.h takes it. A token comes from a file or from PERCH_GIT_TOKEN,
 * never from the command line, which every process of the machine may read.
 */
#ifndef PERCH_GIT_OPTIONS_H
#define PERCH_GIT_OPTIONS_H

#include "io/git.h"
#include "perch/settings.h"

int git_options(struct git_source *out, const struct settings *s, struct error *err);

#endif
