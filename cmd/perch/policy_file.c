/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/policy_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "io/files.h"
#include "perch/git_options.h"

#define NAME ".perch.yaml"

static const char *in_folder(const char *path)
{
	size_t len = strlen(path);

	return arena_printf("%s%s" NAME, path, len && path[len - 1] == '/' ? "" : "/");
}

/* Where the policy beside a path would be. */
static const char *beside(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (files_is_folder(path))
		return in_folder(path);
	return slash ? arena_printf("%.*s" NAME, (int)(slash - path + 1), path) : NAME;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Standard input has nothing beside it. */
static int find_beside(const char **out, const struct strings *paths, struct error *err)
{
	struct stat first, st;

	*out = NULL;
	for (size_t i = 0; i < paths->count; i++) {
		const char *path = beside(paths->items[i]);

		if (strcmp(paths->items[i], "-") == 0 || (stat(path, &st) != 0 && errno == ENOENT))
			continue;
		if (*out && !is_same(&first, &st))
			return error_set(err, ERR_INPUT, "two policies: '%s' and '%s', say which by --policy", *out, path);
		first = st;
		*out = path;
	}
	return 0;
}

static int find(struct text *out, const struct settings *s, struct error *err)
{
	struct git_source git;
	const char *path = s->policy;

	if (git_options(&git, s, err) != 0)
		return -1;
	*out = (struct text){NULL, NULL, 0};
	if (!path && s->git)
		return git_beside(out, &git, NAME, err);
	if (path && files_is_folder(path))
		path = in_folder(path);
	if (!path && find_beside(&path, &s->files, err) != 0)
		return -1;
	return path ? files_read(out, path, err) : 0;
}

int policy_file_load(const struct policy **out, const struct settings *s, struct notes *warnings,
		     struct error *err)
{
	struct text text;

	*out = NULL;
	if (find(&text, s, err) != 0)
		return -1;
	if (!text.data)
		return 0;
	if (policy_load(out, text.data, text.len, text.name, err) != 0)
		return -1;
	note_each(n, policy_warnings(*out))
		note_add(warnings, "%s", n->text);
	return 0;
}
