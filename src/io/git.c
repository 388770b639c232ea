/* SPDX-License-Identifier: Apache-2.0 */
#include "io/git.h"

#include <stddef.h>

#ifdef PERCH_NO_GIT

int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err)
{
	(void)file;
	(void)arg;
	return error_set(err, ERR_USAGE, "can't read '%s': this perch was built without Git", git->repository);
}

int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err)
{
	(void)out;
	(void)name;
	return git_each(git, NULL, NULL, err);
}

#else

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "io/git_library.h"
#include "io/standalone.h"
#include "io/tempdir.h"

#define MAX_LINKS 16
#define MAX_FOLDER_DEPTH 64
#define MAX_CLONE_BYTES ((size_t)4 << 30)

#define CLEANUP(f) __attribute__((cleanup(f), unused))

static const struct git_library *git2; /* before anything of this file uses it */

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
};

static const char *git_says(void)
{
	const git_error *e = git2->error_last();

	return e && e->message ? e->message : "no reason given";
}

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
	/* A repository of another user is common in CI, and nothing that it configures is run. */
	git2->libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	return started;
}

static bool is_url(const char *repository)
{
	struct stat st;
	const char *colon = strchr(repository, ':'), *slash = strchr(repository, '/');

	if (strstr(repository, "://"))
		return true;
	return colon && (!slash || colon < slash) && stat(repository, &st) != 0;
}

/* The name and password that a URL may carry are nobody's business. */
static const char *shown(const char *repository)
{
	const char *scheme = strstr(repository, "://");
	const char *at = scheme ? strchr(scheme + 3, '@') : NULL;

	if (!at || at > scheme + 3 + strcspn(scheme + 3, "/"))
		return repository;
	return arena_printf("%.*s%s", (int)(scheme + 3 - repository), repository, at + 1);
}

/* Those of libgit2's transports; one without a scheme (host:path) is ssh. */
static const char *const schemes[] = {"https", "http", "ssh", "git", "file", "ssh+git", "git+ssh"};

static int check_scheme(const char *url, struct error *err)
{
	const char *end = strstr(url, "://");
	size_t len = end ? (size_t)(end - url) : 0;

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (!end || (strlen(schemes[i]) == len && strncasecmp(url, schemes[i], len) == 0))
			return 0;
	return error_set(err, ERR_USAGE, "can't fetch '%s': the URL schemes for Git are https, http, ssh, git "
					 "and file", shown(url));
}

static int on_credentials(git_credential **out, const char *url, const char *user,
			  unsigned allowed, void *tried)
{
	(void)url;
	if (*(int *)tried || !(allowed & GIT_CREDENTIAL_SSH_KEY) || !user)
		return GIT_EAUTH;
	*(int *)tried = 1;
	return git2->credential_ssh_key_from_agent(out, user);
}

static int on_progress(const git_indexer_progress *p, void *arg)
{
	(void)arg;
	return p->received_bytes > MAX_CLONE_BYTES ? GIT_EUSER : 0;
}

static int clone(git_repository **out, const char *url, struct error *err)
{
	git_clone_options options = GIT_CLONE_OPTIONS_INIT;
	const char *dir = tempdir_path(err);
	const char *path = dir ? arena_printf("%s/clone", dir) : NULL;
	int tried = 0;

	if (!dir || check_scheme(url, err) != 0)
		return -1;
	if (git2->repository_open(out, path) == 0) /* by an earlier call of this run */
		return 0;
	options.bare = 1;
	options.fetch_opts.callbacks.credentials = on_credentials;
	options.fetch_opts.callbacks.transfer_progress = on_progress;
	options.fetch_opts.callbacks.payload = &tried;
	if (git2->clone(out, url, path, &options) != 0)
		return error_set(err, ERR_UNREACHABLE, "can't fetch '%s': %s", shown(url), git_says());
	return 0;
}

static int open_repository(git_repository **out, const char *repository, struct error *err)
{
	struct stat st;

	if (is_url(repository))
		return clone(out, repository, err);
	if (stat(repository, &st) != 0)
		return error_set(err, ERR_INPUT, "no Git repository '%s'", repository);
	if (git2->repository_open_ext(out, repository, GIT_REPOSITORY_OPEN_CROSS_FS, NULL) != 0)
		return error_set(err, ERR_INPUT, "can't open Git repository '%s': %s", repository, git_says());
	return 0;
}

static int open_rev(git_tree **out, git_repository *r, const struct git_source *git,
		    struct error *err)
{
	CLEANUP(free_object) git_object *object = NULL;
	CLEANUP(free_object) git_object *tree = NULL;
	const char *rev = git->rev ? git->rev : "HEAD";
	int code;

	if (!git->rev && git2->repository_head_unborn(r) == 1)
		return error_set(err, ERR_INPUT, "repository '%s' has no commit yet", shown(git->repository));
	code = git2->revparse_single(&object, r, rev);
	if (code == GIT_ENOTFOUND) /* a fresh clone knows branches by their remote only */
		code = git2->revparse_single(&object, r, arena_printf("refs/remotes/origin/%s", rev));
	if (code == GIT_EAMBIGUOUS)
		return error_set(err, ERR_INPUT, "revision '%s' is ambiguous in '%s'", rev, shown(git->repository));
	if (code != 0)
		return error_set(err, ERR_INPUT, "no revision '%s' in '%s'", rev, shown(git->repository));
	if (git2->object_peel(&tree, object, GIT_OBJECT_TREE) != 0)
		return error_set(err, ERR_INPUT, "revision '%s' in '%s' is no commit", rev, shown(git->repository));
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
		     struct error *err)
{
	CLEANUP(free_blob) git_blob *blob = NULL;
	git_odb *odb = NULL;
	git_object_t type;
	size_t size = 0;

	/* The size first: a huge blob isn't even read. */
	if (git2->repository_odb(&odb, r) == 0)
		git2->odb_read_header(&size, &type, odb, id);
	git2->odb_free(odb);
	if (size > FILES_MAX_BYTES)
		return error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB", path, FILES_MAX_BYTES >> 20);
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
		if (read_blob(&target, w->repository, git2->tree_entry_id(*out), at, err) != 0)
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

	return read_blob(&text, w->repository, id, path, err) || w->file(w->arg, &text, err) ? -1 : 0;
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

		if (name[0] != '.')
			result = entry(w, e, arena_printf("%s%s%s", path, *path ? "/" : "", name), err);
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
				 git->rev ? git->rev : "HEAD", shown(git->repository));
	if (git2->tree_entry_filemode(e) == GIT_FILEMODE_LINK) {
		git2->tree_entry_free(e);
		e = NULL;
		if (follow(&e, &where, w, path, err) != 0)
			return -1;
	}
	return git2->tree_entry_type(e) == GIT_OBJECT_BLOB ? blob(w, git2->tree_entry_id(e), path, err) :
							    entry(w, e, path, err);
}

int git_each(const struct git_source *git, git_visit *file, void *arg, struct error *err)
{
	CLEANUP(stop_library) int library = start_library(err);
	CLEANUP(free_repository) git_repository *repository = NULL;
	CLEANUP(free_tree) git_tree *root = NULL;
	struct walk w = {.file = file, .arg = arg};

	if (library < 0 || open_repository(&repository, git->repository, err) != 0 ||
	    open_rev(&root, repository, git, err) != 0)
		return -1;
	w.repository = repository;
	w.root = root;
	return start(&w, git, err);
}

int git_beside(struct text *out, const struct git_source *git, const char *name, struct error *err)
{
	CLEANUP(stop_library) int library = start_library(err);
	CLEANUP(free_repository) git_repository *repository = NULL;
	CLEANUP(free_tree) git_tree *root = NULL;
	CLEANUP(free_entry) git_tree_entry *e = NULL;
	const char *path = git->path ? join("", git->path) : "";

	*out = (struct text){name, NULL, 0};
	if (library < 0 || open_repository(&repository, git->repository, err) != 0 ||
	    open_rev(&root, repository, git, err) != 0)
		return -1;
	if (!path || git2->tree_entry_bypath(&e, root, join(path, name)) != 0 ||
	    git2->tree_entry_type(e) != GIT_OBJECT_BLOB)
		return 0;
	return read_blob(out, repository, git2->tree_entry_id(e), join(path, name), err);
}

#endif
