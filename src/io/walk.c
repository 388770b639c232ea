/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "io/files.h"

#define MAX_FOLDER_DEPTH 64

struct walk {
	int (*file)(void *arg, const char *path, struct error *err);
	void *arg;
	const char *root; /* resolved: what links may not lead out of */
	bool any_name;
	int depth;
};

static int folder(struct walk *w, const char *path, struct error *err);

static int cannot(struct error *err, const char *verb, const char *path)
{
	return error_set(err, ERR_INPUT, "can't %s '%s': %s", verb, path, strerror(errno));
}

static const char *resolved(const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = real ? arena_strdup(real) : NULL;

	free(real);
	return copy;
}

static bool inside(const char *root, const char *path)
{
	size_t len = strlen(root);

	return strncmp(root, path, len) == 0 &&
	       (path[len] == '/' || path[len] == '\0' || root[len - 1] == '/');
}

static bool wanted(const struct walk *w, const char *name)
{
	return w->any_name || files_manifest_name(name);
}

/* A folder behind a link inside is walked where it really is. */
static int link_entry(struct walk *w, const char *path, const char *name, struct error *err)
{
	const char *real = resolved(path);
	struct stat st;

	if (!real)
		return wanted(w, name) ? cannot(err, "follow", path) : 0;
	if (stat(real, &st) != 0)
		return cannot(err, "read", path);
	if (!S_ISDIR(st.st_mode) && !wanted(w, name))
		return 0;
	if (!inside(w->root, real))
		return error_set(err, ERR_INPUT, "symbolic link '%s' leads out of the folder", path);
	return S_ISREG(st.st_mode) ? w->file(w->arg, path, err) : 0;
}

static int entry(struct walk *w, const char *dir, const char *name, struct error *err)
{
	size_t len = strlen(dir);
	struct stat st;
	const char *path = arena_printf("%s%s%s", dir, len && dir[len - 1] == '/' ? "" : "/", name);

	if (strcmp(dir, ".") == 0)
		path = arena_strdup(name);
	if (lstat(path, &st) != 0)
		return cannot(err, "read", path);
	if (S_ISLNK(st.st_mode))
		return link_entry(w, path, name, err);
	if (S_ISDIR(st.st_mode))
		return w->any_name ? 0 : folder(w, path, err);
	return S_ISREG(st.st_mode) && wanted(w, name) ? w->file(w->arg, path, err) : 0;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int bytewise(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int folder(struct walk *w, const char *path, struct error *err)
{
	struct dirent **names = NULL;
	int n, result = 0;

	if (w->depth == MAX_FOLDER_DEPTH)
		return error_set(err, ERR_INPUT, "folder '%s' is deeper than %d", path, MAX_FOLDER_DEPTH);
	n = scandir(path, &names, visible, bytewise);
	if (n < 0)
		return cannot(err, "read", path);
	w->depth++;
	for (int i = 0; i < n; i++) {
		if (result == 0)
			result = entry(w, path, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	w->depth--;
	return result;
}

static int start(struct walk *w, const char *path, struct error *err)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return w->file(w->arg, path, err);
	if (stat(path, &st) != 0)
		return cannot(err, "open", path);
	if (!S_ISDIR(st.st_mode))
		return w->file(w->arg, path, err);
	w->root = resolved(path);
	return w->root ? folder(w, path, err) : cannot(err, "open", path);
}

bool files_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int files_each(const char *path, int (*file)(void *arg, const char *path, struct error *err),
	       void *arg, struct error *err)
{
	return start(&(struct walk){.file = file, .arg = arg}, path, err);
}

int files_each_any(const char *path, int (*file)(void *arg, const char *path, struct error *err),
		   void *arg, struct error *err)
{
	return start(&(struct walk){.file = file, .arg = arg, .any_name = true}, path, err);
}
