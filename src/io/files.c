/* SPDX-License-Identifier: Apache-2.0 */
#include "io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"

#define CHUNK ((size_t)64 << 10)

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	return len > n && strcmp(name + len - n, suffix) == 0;
}

bool files_json_name(const char *name)
{
	return has_suffix(name, ".json");
}

bool files_manifest_name(const char *name)
{
	return has_suffix(name, ".yaml") || has_suffix(name, ".yml") || files_json_name(name);
}

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "stdin" : path;
}

static int cannot(struct error *err, const char *verb, const char *path)
{
	return error_set(err, ERR_INPUT, "can't %s '%s': %s", verb, shown(path), strerror(errno));
}

static int open_path(const char *path, struct error *err)
{
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
					  open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? cannot(err, "open", path) : fd;
}

/* Reads to the end; what grows past the limit is refused, so a pipe that never ends is too. */
static int read_all(struct buffer *b, int fd, const char *path, struct error *err)
{
	char *chunk = arena_alloc_raw(CHUNK);
	ssize_t n;

	while ((n = read(fd, chunk, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot(err, "read", path);
		buffer_add(b, chunk, (size_t)n);
		if (b->full)
			return error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB", shown(path),
					 FILES_MAX_BYTES >> 20);
	}
	return 0;
}

int files_read(struct text *out, const char *path, struct error *err)
{
	struct buffer b = {.max = FILES_MAX_BYTES};
	int fd = open_path(path, err), result = -1;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) != 0)
		cannot(err, "read", path);
	else if (S_ISDIR(st.st_mode))
		error_set(err, ERR_INPUT, "'%s' is a directory", path);
	else if (S_ISREG(st.st_mode) && st.st_size > (off_t)FILES_MAX_BYTES)
		error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB", path, FILES_MAX_BYTES >> 20);
	else
		result = read_all(&b, fd, path, err);
	close(fd);
	*out = (struct text){arena_strdup(shown(path)), buffer_text(&b), b.len};
	return result;
}

static const char *spool_folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

static int cannot_spool(struct error *err)
{
	const char *why = strerror(errno);

	return error_set(err, ERR_INPUT, "can't write a temporary file in '%s': %s; TMPDIR may name another folder",
			 spool_folder(), why);
}

int files_spool(struct error *err)
{
	const char *dir = spool_folder();
	char *path;
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	path = arena_printf("%s/perch-XXXXXX", dir); /* a file system without O_TMPFILE */
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return cannot_spool(err);
	unlink(path);
	return fd;
}

int files_put(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size > 0) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		size -= (size_t)n;
	}
	return 0;
}

int files_write(int fd, const void *data, size_t size, struct error *err)
{
	if (files_put(fd, data, size) == 0)
		return 0;
	return fd == STDOUT_FILENO ? cannot(err, "write", "standard output") : cannot_spool(err);
}

long files_read_on(int fd, uint64_t *at, void *buf, size_t size, const char *name, struct error *err)
{
	ssize_t n;

	do
		n = pread(fd, buf, size, (off_t)*at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(err, ERR_INPUT, "can't read '%s': %s", name, strerror(errno));
	*at += (uint64_t)n;
	return n;
}

static int spool(int from, const char *path, struct error *err)
{
	int to = files_spool(err);
	char *chunk = arena_alloc_raw(CHUNK);
	ssize_t n = 0;

	while (to >= 0 && (n = read(from, chunk, CHUNK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 ? cannot(err, "read", path) : files_write(to, chunk, (size_t)n, err)) {
			close(to);
			to = -1;
		}
	}
	close(from);
	return to;
}

int files_open(const char *path, struct error *err)
{
	int fd = open_path(path, err);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return error_set(err, ERR_INPUT, "'%s' is a directory", path);
	}
	/* Standard input may stand anywhere in a file that its caller shares: take the rest of it. */
	if (lseek(fd, 0, SEEK_CUR) == 0)
		return fd;
	return spool(fd, path, err);
}

int files_read_at(int fd, void *buf, size_t size, uint64_t offset, const char *name,
		  struct error *err)
{
	char *p = buf;

	while (size > 0) {
		ssize_t n = pread(fd, p, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return cannot(err, "read", name);
		if (n == 0)
			return error_set(err, ERR_INPUT, "'%s' got shorter while it was read", name);
		p += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return 0;
}

int files_read_whole(struct text *out, int fd, const char *name, struct error *err)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *data;

	if (len < 0 || len > (off_t)FILES_MAX_BYTES)
		return error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB, which only JSON may be", name,
				 FILES_MAX_BYTES >> 20);
	data = arena_alloc_raw((size_t)len + 1);
	*out = (struct text){name, data, (size_t)len};
	return files_read_at(fd, data, (size_t)len, 0, name, err);
}

bool files_is_json(int fd)
{
	char head[512];
	ssize_t n = pread(fd, head, sizeof(head), 0), i = 0;

	if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < n && memchr(" \t\r\n", head[i], 4))
		i++;
	return i < n && head[i] == '{';
}
