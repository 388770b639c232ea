/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PERCH_NO_GIT
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "io/git_reader.h"
#include "io/standalone.h"

#define MAX_LINKS 16
#define MAX_LINK  ((size_t)4 << 10)
#define MAX_FOLDER_DEPTH 64
#define MAX_ENTRIES ((size_t)1000000)
#define MAX_BYTES   ((size_t)256 << 20) /* of all manifests */
#define MAX_REV     256
#define MAX_MAPPED  ((size_t)256 << 20)
#define MAX_OBJECT  ((size_t)512 << 20)

#define CLEANUP(f) __attribute__((cleanup(f), unused))

const struct git_library *git2;

static void free_repository(git_repository **r)
{
	if (*r)
		git2->repository_free(*r);
}

static void free_object(git_object **o)
{
	if (*o)
		git2->object_free(*o);
}

static void free_tree(git_tree **t)
{
	if (*t)
		git2->tree_free(*t);
}

static void free_entry(git_tree_entry **e)
{
	if (*e)
		git2->tree_entry_free(*e);
}

static void free_blob(git_blob **b)
{
	if (*b)
		git2->blob_free(*b);
}

struct walk {
	git_repository *repository;
	git_tree *root;
	git_visit *file;
	void *arg;
	int depth;
	size_t entries, bytes; /* looked at, read */
};

static void stop_library(int *started)
{
	if (*started > 0)
		git2->libgit2_shutdown();
}

/* Nothing but the repository itself is asked: no user's, system's or program's configuration. */
static int start_library(struct error *err)
{
	static const int levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_GLOBAL,
				     GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_PROGRAMDATA};
	const char *roots = standalone_roots();
	int started;

	git2 = git_library(err);
	if (!git2)
		return -1;
	started = git2->libgit2_init();
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		git2->libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	if (roots)
		git2->libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, roots, NULL);
	git2->libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, MAX_MAPPED);
	git2->libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECT_SIZE, MAX_OBJECT);
	/* A repository of another user is common in CI, and nothing that it configures is run. */
	git2->libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	return started;
}

static int open_repository(git_repository **out, const struct git_source *git, const char *folder,
			   struct error *err)
{
	const char *repository = git->repository;
	struct stat st;

	if (git_is_url(repository))
		return git_fetch(out, git, folder, err);
	if (stat(repository, &st) != 0)
		return error_set(err, ERR_INPUT, "no Git repository '%s'", repository);
	if (git2->repository_open_ext(out, repository, GIT_REPOSITORY_OPEN_CROSS_FS, NULL) != 0)
		return error_set(err, ERR_INPUT, "can't open Git repository '%s': %s", repository, git_says());
	return 0;
}

/* A checkout of CI is often of one commit alone, and what it is compared with is missing. */
static int no_revision(git_repository *r, const struct git_source *git, const char *rev, struct error *err)
{
	const char *hint = git2->repository_is_shallow(r) == 1 ?
		", a shallow clone: fetch it whole (git fetch --unshallow, in CI fetch-depth: 0)" : "";

	return error_set(err, ERR_INPUT, "no revision '%s' in '%s'%s", rev, git_shown(git->repository), hint);
}

static int open_rev(git_tree **out, git_repository *r, const struct git_source *git,
		    struct error *err)
{
	CLEANUP(free_object) git_object *object = NULL;
	CLEANUP(free_object) git_object *tree = NULL;
	const char *rev = git->rev ? git->rev : "HEAD";
	int code;

	if (strlen(rev) > MAX_REV)
		return error_set(err, ERR_INPUT, "revision '%.20s…' is longer than %d bytes", rev, MAX_REV);
	if (!git->rev && git2->repository_head_unborn(r) == 1)
		return error_set(err, ERR_INPUT, "repository '%s' has no commit yet", git_shown(git->repository));
	code = git2->revparse_single(&object, r, rev);
	if (code == GIT_ENOTFOUND) /* a fresh clone knows branches by their remote only */
		code = git2->revparse_single(&object, r, arena_printf("refs/remotes/origin/%s", rev));
	if (code == GIT_EAMBIGUOUS)
		return error_set(err, ERR_INPUT, "revision '%s' is ambiguous in '%s'", rev, git_shown(git->repository));
	if (code != 0)
		return no_revision(r, git, rev, err);
	if (git2->object_peel(&tree, object, GIT_OBJECT_TREE) != 0)
		return error_set(err, ERR_INPUT, "revision '%s' in '%s' is no commit", rev, git_shown(git->repository));
	*out = (git_tree *)tree;
	tree = NULL;
	return 0;
}

/* `dir` joined with `path`, `.` and `..` resolved; NULL where that leads out of the commit. */
static const char *join(const char *dir, const char *path)
{
	char *out = arena_printf("%s/%s", dir, path), *to = out;
	const char *from = out;

	if (path[0] == '/')
		return NULL;
	while (*from) {
		size_t len = strcspn(from, "/");

		if (len == 2 && memcmp(from, "..", 2) == 0) {
			if (to == out)
				return NULL;
			while (to > out && *--to != '/')
				;
		} else if (len && !(len == 1 && *from == '.')) {
			if (to > out)
				*to++ = '/';
			memmove(to, from, len);
			to += len;
		}
		from += len + (from[len] == '/');
	}
	*to = '\0';
	return out;
}

static const char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(path, (size_t)(slash - path)) : "";
}

static int read_blob(struct text *out, git_repository *r, const git_oid *id, const char *path,
		     size_t max, struct error *err)
{
	CLEANUP(free_blob) git_blob *blob = NULL;
	git_odb *odb = NULL;
	git_object_t type;
	size_t size = 0;

	/* The size first: a huge blob isn't even read. */
	if (git2->repository_odb(&odb, r) == 0)
		git2->odb_read_header(&size, &type, odb, id);
	git2->odb_free(odb);
	if (size > max)
		return error_set(err, ERR_INPUT, "'%s' is larger than %zu %s", path, max >> (max >> 20 ? 20 : 10),
				 max >> 20 ? "MiB" : "KiB");
	if (git2->blob_lookup(&blob, r, id) != 0)
		return error_set(err, ERR_INPUT, "can't read '%s': %s", path, git_says());
	size = (size_t)git2->blob_rawsize(blob);
	*out = (struct text){path, arena_strndup(git2->blob_rawcontent(blob), size), size};
	return 0;
}

/* Follows links to what is no link: its entry, owned by the caller, and where it is. */
static int follow(git_tree_entry **out, const char **where, const struct walk *w, const char *path,
		  struct error *err)
{
	const char *at = path;

	for (int links = 0; links <= MAX_LINKS; links++) {
		struct text target;

		if (git2->tree_entry_bypath(out, w->root, at) != 0)
			return error_set(err, ERR_INPUT, "symbolic link '%s' leads nowhere", path);
		*where = at;
		if (git2->tree_entry_filemode(*out) != GIT_FILEMODE_LINK)
			return 0;
		if (read_blob(&target, w->repository, git2->tree_entry_id(*out), at, MAX_LINK, err) != 0)
			return -1;
		git2->tree_entry_free(*out);
		*out = NULL;
		at = join(folder_of(at), target.data);
		if (!at)
			return error_set(err, ERR_INPUT, "symbolic link '%s' leads out of the repository", path);
	}
	return error_set(err, ERR_INPUT, "symbolic link '%s' leads in a circle", path);
}

static int folder(struct walk *w, const git_oid *id, const char *path, struct error *err);

static int blob(struct walk *w, const git_oid *id, const char *path, struct error *err)
{
	struct text text;

	if (read_blob(&text, w->repository, id, path, FILES_MAX_BYTES, err) != 0)
		return -1;
	w->bytes += text.len;
	if (w->bytes > MAX_BYTES)
		return error_set(err, ERR_INPUT, "the manifests are larger than %zu MiB together", MAX_BYTES >> 20);
	return w->file(w->arg, &text, err);
}

/* A folder behind a link is walked where it really is. */
static int link_entry(struct walk *w, const char *path, struct error *err)
{
	CLEANUP(free_entry) git_tree_entry *e = NULL;
	const char *where;

	if (!files_manifest_name(path))
		return 0;
	if (follow(&e, &where, w, path, err) != 0)
		return -1;
	return git2->tree_entry_type(e) == GIT_OBJECT_BLOB ? blob(w, git2->tree_entry_id(e), path, err) : 0;
}

static int entry(struct walk *w, const git_tree_entry *e, const char *path, struct error *err)
{
	switch (git2->tree_entry_filemode(e)) {
	case GIT_FILEMODE_LINK:
		return link_entry(w, path, err);
	case GIT_FILEMODE_TREE:
		return folder(w, git2->tree_entry_id(e), path, err);
	case GIT_FILEMODE_COMMIT:
		return error_set(err, ERR_INPUT, "'%s' is a submodule, its files are in another repository", path);
	default:
		return files_manifest_name(path) ? blob(w, git2->tree_entry_id(e), path, err) : 0;
	}
}

static int folder(struct walk *w, const git_oid *id, const char *path, struct error *err)
{
	CLEANUP(free_tree) git_tree *tree = NULL;
	int result = 0;

	if (w->depth == MAX_FOLDER_DEPTH)
		return error_set(err, ERR_INPUT, "folder '%s' is deeper than %d", path, MAX_FOLDER_DEPTH);
	if (git2->tree_lookup(&tree, w->repository, id) != 0)
		return error_set(err, ERR_INPUT, "can't read '%s': %s", path, git_says());
	w->depth++;
	for (size_t i = 0; result == 0 && i < git2->tree_entrycount(tree); i++) {
		const git_tree_entry *e = git2->tree_entry_byindex(tree, i);
		const char *name = git2->tree_entry_name(e);

		struct arena_mark mark = arena_mark();

		if (++w->entries > MAX_ENTRIES)
			result = error_set(err, ERR_INPUT, "the commit has more than %zu entries", MAX_ENTRIES);
		else if (name[0] != '.')
			result = entry(w, e, arena_printf("%s%s%s", path, *path ? "/" : "", name), err);
		arena_rewind(mark);
	}
	w->depth--;
	return result;
}

/* The folder or file asked for; a path given by name is taken whatever its suffix. */
static int start(struct walk *w, const struct git_source *git, struct error *err)
{
	CLEANUP(free_entry) git_tree_entry *e = NULL;
	const char *path = git->path ? join("", git->path) : "", *where;

	if (!path)
		return error_set(err, ERR_INPUT, "path '%s' leads out of the repository", git->path);
	if (!*path)
		return folder(w, git2->tree_id(w->root), "", err);
	if (git2->tree_entry_bypath(&e, w->root, path) != 0)
		return error_set(err, ERR_INPUT, "no path '%s' at revision '%s' in '%s'", path,
				 git->rev ? git->rev : "HEAD", git_shown(git->repository));
	if (git2->tree_entry_filemode(e) == GIT_FILEMODE_LINK) {
		git2->tree_entry_free(e);
		e = NULL;
		if (follow(&e, &where, w, path, err) != 0)
			return -1;
	}
	return git2->tree_entry_type(e) == GIT_OBJECT_BLOB ? blob(w, git2->tree_entry_id(e), path, err) :
							    entry(w, e, path, err);
}

int git_read_each(const struct git_source *git, const char *folder, git_visit *file, void *arg, struct error *err)
{
	CLEANUP(stop_library) int library = start_library(err);
	CLEANUP(free_repository) git_repository *repository = NULL;
	CLEANUP(free_tree) git_tree *root = NULL;
	struct walk w = {.file = file, .arg = arg};

	if (library < 0 || open_repository(&repository, git, folder, err) != 0 ||
	    open_rev(&root, repository, git, err) != 0)
		return -1;
	w.repository = repository;
	w.root = root;
	return start(&w, git, err);
}

int git_read_beside(struct text *out, const struct git_source *git, const char *folder, const char *name,
		    struct error *err)
{
	CLEANUP(stop_library) int library = start_library(err);
	CLEANUP(free_repository) git_repository *repository = NULL;
	CLEANUP(free_tree) git_tree *root = NULL;
	CLEANUP(free_entry) git_tree_entry *e = NULL;
	const char *path = git->path ? join("", git->path) : "";

	*out = (struct text){name, NULL, 0};
	if (library < 0 || open_repository(&repository, git, folder, err) != 0 ||
	    open_rev(&root, repository, git, err) != 0)
		return -1;
	if (!path || git2->tree_entry_bypath(&e, root, join(path, name)) != 0 ||
	    git2->tree_entry_type(e) != GIT_OBJECT_BLOB)
		return 0;
	return read_blob(out, repository, git2->tree_entry_id(e), join(path, name), FILES_MAX_BYTES, err);
}

#endif
