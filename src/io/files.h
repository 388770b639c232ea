/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files and folders of manifests, and dumps too big to hold. A path names a file, a folder (walked
 * for *.yaml, *.yml and *.json in bytewise order, hidden names left out) or `-`, standard input.
 * Within a folder a link to a file is followed, as a mounted ConfigMap needs it, unless it leads
 * out of the folder named. Text lives on the arena. Errors are ERR_INPUT and name the path.
 */
#ifndef PERCH_IO_FILES_H
#define PERCH_IO_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

#define FILES_MAX_BYTES ((size_t)64 << 20) /* of one manifest */

/* A text and what to call it. */
struct text {
	const char *name;
	const char *data; /* not NUL-terminated */
	size_t len;
};

bool files_manifest_name(const char *name); /* by its suffix */
bool files_json_name(const char *name);

bool files_is_folder(const char *path);

int files_read(struct text *out, const char *path, struct error *err);

/* Calls `file` with the path of each manifest under `path`, or with `path` itself if no folder. */
int files_each(const char *path, int (*file)(void *arg, const char *path, struct error *err),
	       void *arg, struct error *err);
/* The same for a flat folder whose files have any name (KUBECTL_EXTERNAL_DIFF's). */
int files_each_any(const char *path, int (*file)(void *arg, const char *path, struct error *err),
		   void *arg, struct error *err);

/*
 * Opens for reading at any offset; what can't seek, as a pipe can't, is first copied to a file
 * without a name. Returns the descriptor or -1.
 */
int files_open(const char *path, struct error *err);
/* A temporary file without a name: gone with the process, whatever ends it. */
int files_spool(struct error *err);
/* Reads exactly `size` bytes from `offset`. */
int files_read_at(int fd, void *buf, size_t size, uint64_t offset, const char *name,
		  struct error *err);
/* What there is next at *at, which moves on; 0 at the end, -1 with err. */
long files_read_on(int fd, uint64_t *at, void *buf, size_t size, const char *name, struct error *err);
/* All of what files_open() gave, where it is no larger than a manifest may be: for what isn't JSON. */
int files_read_whole(struct text *out, int fd, const char *name, struct error *err);
/* By its first byte that is no blank, past a byte order mark; names say little of a pipe. */
bool files_is_json(int fd);
/* All of it to a descriptor; -1 with errno. */
int files_put(int fd, const void *data, size_t size);
/* To a temporary file, or to standard output. */
int files_write(int fd, const void *data, size_t size, struct error *err);

#endif
