/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libgit2, for git.c alone. It comes with six libraries that take a fifth of the time in which perch
 * starts, and few runs read a repository: so it is loaded by the first that does. A static perch has
 * it built in.
 */
#ifndef PERCH_IO_GIT_LIBRARY_H
#define PERCH_IO_GIT_LIBRARY_H

#include <git2.h>

#include "base/error.h"

struct git_library {
#define FUNCTION(name) __typeof__(git_##name) *name;
#include "io/git_library.def"
#undef FUNCTION
};

/* Stays loaded. NULL with ERR_INPUT where it isn't installed. */
const struct git_library *git_library(struct error *err);

#endif
