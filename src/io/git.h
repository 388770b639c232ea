/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files as they are in a Git commit, by libgit2 (only git_*.c name it; a build with GIT=0 refuses
 * with ERR_USAGE). The repository is a local one, bare or not, or a URL, which is cloned bare into
 * the run's temporary folder. Objects are read straight from the object database: no work tree is
 * looked at or touched, no hook, filter or helper runs, and nobody's configuration but the
 * repository's own is read. Links are followed within the commit.
 *
 * A repository is anybody's: a child process reads it, with bounds on time, memory and disk, and
 * passes the files on. Bounded are folders' depth, entries, a file's and all files' bytes, what is
 * fetched, and the whole by the deadline. A token goes to the URL's own host over https, a host's
 * ssh key must be known, and no redirect to another host is followed.
 *
 * Errors are ERR_INPUT, ERR_TIMEOUT, or ERR_UNREACHABLE for a URL that can't be fetched.
 */
#ifndef PERCH_IO_GIT_H
#define PERCH_IO_GIT_H

#include <stdint.h>

#include "base/error.h"
#include "io/files.h"

/* How a URL is fetched. NULL: not given; the agent's keys and the user's known hosts then serve for ssh. */
struct git_access {
	const char *token;       /* the password over https; the user is the URL's, else x-access-token */
	const char *ssh_key;     /* files, as ssh has them */
	const char *known_hosts;
	int64_t deadline;        /* clock.h; 0: five minutes from now */
};

struct git_source {
	const char *repository; /* a path or a URL */
	const char *rev;        /* anything that names a commit; NULL: HEAD */
	const char *path;       /* a file or folder in it; NULL: all of it */
	struct git_access access;
};

typedef int git_visit(void *arg, const struct text *text, struct error *err);
/* Each manifest in bytewise order, named by its path in the repository. Returns 0 to go on. */
int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err);
/* One file at path/name, wherever path is a folder; absent is data NULL, and no error. */
int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err);

#endif
