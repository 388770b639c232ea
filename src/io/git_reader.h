/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs in the child of git.c, where libgit2 does its work: opening a repository or fetching it,
 * finding the commit, walking its tree. Nothing here is called in the parent.
 */
#ifndef PERCH_IO_GIT_READER_H
#define PERCH_IO_GIT_READER_H

#include "io/git.h"

#ifndef PERCH_NO_GIT
#include "io/git_library.h"

/* Set before anything else of libgit2's is used. */
extern const struct git_library *git2;
#else
struct git_repository;
#endif

#define GIT_MAX_FETCHED ((size_t)2 << 30) /* bytes of a clone */

/* As git_each() and git_beside(), but `folder` is where a clone goes. */
int git_read_each(const struct git_source *git, const char *folder, git_visit *file, void *arg, struct error *err);
int git_read_beside(struct text *out, const struct git_source *git, const char *folder, const char *name,
		    struct error *err);

bool git_is_url(const char *repository);
/* Without the user and password that a URL may carry. */
const char *git_shown(const char *repository);
/* ERR_USAGE for a URL that is none of libgit2's transports'. */
int git_check_url(const char *url, struct error *err);
/* Clones into `folder`, or opens what an earlier child cloned there. */
int git_fetch(struct git_repository **out, const struct git_source *git, const char *folder, struct error *err);
/* What libgit2 says, on one line. */
const char *git_says(void);

#endif
