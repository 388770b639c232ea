/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PERCH_NO_GIT

#include "io/git_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef PERCH_STATIC

const struct git_library *git_library(struct error *err)
{
	static const struct git_library library = {
#define FUNCTION(name) .name = git_##name,
#include "io/git_library.def"
#undef FUNCTION
	};

	(void)err;
	return &library;
}

#else

/* The version that perch was compiled for, and no other: functions change between them. */
#define FILE_NAME "libgit2.so." LIBGIT2_SOVERSION

static int load(struct git_library *out, struct error *err)
{
	void *handle = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err, ERR_INPUT, "Git repositories can't be read: %s", dlerror());
#define FUNCTION(name)                                                                                    \
	out->name = (__typeof__(git_##name) *)dlsym(handle, "git_" #name);                                \
	if (!out->name)                                                                                   \
		return error_set(err, ERR_INPUT, "Git repositories can't be read: %s", dlerror());
#include "io/git_library.def"
#undef FUNCTION
	return 0;
}

const struct git_library *git_library(struct error *err)
{
	static struct git_library library;
	static bool loaded;

	if (!loaded && load(&library, err) != 0)
		return NULL;
	loaded = true;
	return &library;
}

#endif
#endif
