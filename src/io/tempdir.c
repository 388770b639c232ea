/* SPDX-License-Identifier: Apache-2.0 */
#include "io/tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/signals.h"

static char dir[PATH_MAX]; /* what a signal handler must know; "" while there is none */

/* As the kernel lays it out: readdir() may not be called from a signal handler. */
struct entry {
	unsigned long long inode;
	long long next;
	unsigned short size;
	unsigned char type;
	char name[];
};

static void remove_below(int fd);

static void remove_entry(int fd, const struct entry *e)
{
	int sub;

	if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0)
		return;
	if (unlinkat(fd, e->name, 0) == 0)
		return;
	sub = openat(fd, e->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sub < 0)
		return;
	remove_below(sub);
	close(sub);
	unlinkat(fd, e->name, AT_REMOVEDIR);
}

static void remove_below(int fd)
{
	_Alignas(struct entry) char buf[4096];
	long n;

	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(buf + at);

			remove_entry(fd, e);
			at += e->size;
		}
	}
}

void tempdir_remove(void)
{
	int fd;

	if (!dir[0])
		return;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		remove_below(fd);
		close(fd);
	}
	rmdir(dir);
	dir[0] = '\0';
}

static void remove_at_end(int sig)
{
	(void)sig;
	tempdir_remove();
}

const char *tempdir_path(struct error *err)
{
	const char *base = getenv("TMPDIR");
	char path[PATH_MAX];

	if (dir[0])
		return dir;
	if ((size_t)snprintf(path, sizeof(path), "%s/perch-XXXXXX", base && *base ? base : "/tmp") >=
		    sizeof(path) || !mkdtemp(path)) {
		error_set(err, ERR_INPUT, "can't make a temporary folder: %s", strerror(errno));
		return NULL;
	}
	memcpy(dir, path, sizeof(path));
	signals_at_end(remove_at_end);
	return dir;
}
