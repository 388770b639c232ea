/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files as they are in a Git commit, by libgit2 (only git.c names it; a build with GIT=0 refuses
 * with ERR_USAGE). The repository is a local one, bare or not, or a URL, which is cloned bare into
 * the run's temporary folder. Objects are read straight from the object database: no work tree is
 * looked at or touched, no hook, filter or helper runs, and nobody's configuration but the
 * repository's own is read. Links are followed within the commit. Errors are ERR_INPUT, or
 * ERR_UNREACHABLE for a URL that can't be fetched.
 */
#ifndef PERCH_IO_GIT_H
#define PERCH_IO_GIT_H

#include "base/error.h"
#include "io/files.h"

struct git_source {
	const char *repository; /* a path or a URL */
	const char *rev;        /* anything that names a commit; NULL: HEAD */
	const char *path;       /* a file or folder in it; NULL: all of it */
};

typedef int git_visit(void *arg, const struct text *text, struct error *err);
/* Each manifest in bytewise order, named by its path in the repository. Returns 0 to go on. */
int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err);
/* One file at path/name, wherever path is a folder; absent is data NULL, and no error. */
int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err);

#endif
