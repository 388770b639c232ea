/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/options.h"
#include "source/kubeconfig_shape.h"
#include "value/yaml.h"

/* A list of the file, and the key under which its items hold their value. */
static const struct {
	const char *list, *value;
} lists[] = {{"clusters", "cluster"}, {"users", "user"}, {"contexts", "context"}};

static const char *value_key(const char *list)
{
	size_t i = 0;

	while (strcmp(lists[i].list, list) != 0)
		i++;
	return lists[i].value;
}

static int fault_at(const struct kubeconfig_file *f, const char *pointer, struct error *err,
		    const char *what)
{
	return error_set(err, ERR_INPUT, "%s:%u: %s", f->text.name,
			 locate(f->text.data, f->text.len, 0, pointer), what);
}

struct load {
	struct kubeconfig_file *file;
	struct notes *warnings;
	bool read;
};

static int keep_first(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct load *l = arg;

	(void)line;
	l->file->root = tree_kind(t) == TREE_NULL ? NULL : t;
	l->read = true;
	return error_set(err, ERR_INPUT, "stop");
}

static void warn(void *arg, const char *text)
{
	note_add(((struct load *)arg)->warnings, "kubeconfig: %s", text);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_unique(const struct kubeconfig_file *f, const char *list, struct error *err)
{
	const struct tree *items = tree_get(f->root, list);
	size_t n = tree_len(items), i = 0;
	const char **names = NEW_ARRAY(const char *, n + 1);

	tree_each(item, items)
		names[i++] = tree_string_or(tree_get(item, "name"), "");
	qsort(names, n, sizeof(*names), compare_names);
	for (i = 1; i < n; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			return fault_at(f, arena_printf("/%s", list), err,
					arena_printf("%s names '%s' twice", list, names[i]));
	return 0;
}

static int check_type(const struct kubeconfig_file *f, struct error *err)
{
	const char *version = tree_string_or(tree_get(f->root, "apiVersion"), "");
	const char *kind = tree_string_or(tree_get(f->root, "kind"), "");

	if (*version && strcmp(version, "v1") != 0)
		return fault_at(f, "/apiVersion", err,
				arena_printf("no kubeconfig: apiVersion is '%s', not 'v1'", version));
	if (*kind && strcmp(kind, "Config") != 0)
		return fault_at(f, "/kind", err, arena_printf("no kubeconfig: kind is '%s', not 'Config'", kind));
	return 0;
}

static int load(struct kubeconfig_file *f, const char *path, struct notes *warnings, struct error *err)
{
	struct load l = {.file = f, .warnings = warnings};
	struct yaml_documents d = {keep_first, warn, &l, path};
	const char *pointer, *what;
	struct error cause;

	f->path = path;
	if (files_read(&f->text, path, err) != 0)
		return -1;
	if (yaml_load(&d, f->text.data, f->text.len, &cause) != 0 && !l.read) {
		*err = cause;
		return -1;
	}
	if (f->root && tree_kind(f->root) != TREE_MAP)
		return fault_at(f, "", err, arena_printf("no kubeconfig: a %s, not a map",
							 tree_kind_name(tree_kind(f->root))));
	pointer = shape_fault(&what, kubeconfig_shape, f->root);
	if (pointer)
		return fault_at(f, pointer, err, what);
	if (check_type(f, err) != 0)
		return -1;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (check_unique(f, lists[i].list, err) != 0)
			return -1;
	return 0;
}

/* What KUBECONFIG lists, else the one in the home folder. */
static struct strings default_paths(void)
{
	const char *list = getenv("KUBECONFIG"), *home = getenv("HOME"), *end;
	struct strings paths = {0};

	if (!(list && *list) && home && *home)
		strings_add(&paths, arena_printf("%s/.kube/config", home));
	for (; list && *list; list = *end ? end + 1 : end) {
		end = list + strcspn(list, ":");
		if (end > list)
			strings_add(&paths, arena_strndup(list, (size_t)(end - list)));
	}
	return paths;
}

static const char *join(const struct strings *words)
{
	struct buffer b = {0};

	for (size_t i = 0; i < words->count; i++)
		buffer_printf(&b, "%s%s", i ? ", " : "", words->items[i]);
	return buffer_text(&b);
}

static bool is_missing(const char *path)
{
	return access(path, F_OK) != 0 && errno == ENOENT;
}

int kubeconfig_files(struct kubeconfig_files *out, const char *path, struct notes *warnings,
		     struct error *err)
{
	struct strings paths = {0};
	struct kubeconfig_file *files;

	*out = (struct kubeconfig_files){0};
	if (path && *path)
		strings_add(&paths, path);
	else
		paths = default_paths();
	if (path && *path && strcmp(path, "-") != 0 && is_missing(path))
		return error_set(err, ERR_USAGE, "there is no kubeconfig '%s'", path);
	files = NEW_ARRAY(struct kubeconfig_file, paths.count + 1);
	for (size_t i = 0; i < paths.count; i++) {
		if (strcmp(paths.items[i], "-") != 0 && is_missing(paths.items[i]))
			continue;
		if (load(&files[out->count++], paths.items[i], warnings, err) != 0)
			return -1;
	}
	out->files = files;
	out->looked_at = join(&paths);
	return 0;
}

const char *kubeconfig_current(const struct kubeconfig_files *k)
{
	for (size_t i = 0; i < k->count; i++) {
		const char *name = tree_string_or(tree_get(k->files[i].root, "current-context"), "");

		if (*name)
			return name;
	}
	return NULL;
}

struct kubeconfig_entry kubeconfig_find(const struct kubeconfig_files *k, const char *list,
					const char *name)
{
	struct kubeconfig_entry e = {.name = name};

	for (size_t i = 0; i < k->count; i++) {
		size_t index = 0;

		tree_each(item, tree_get(k->files[i].root, list)) {
			if (strcmp(tree_string_or(tree_get(item, "name"), ""), name) == 0) {
				e.file = &k->files[i];
				e.value = tree_get(item, value_key(list));
				e.pointer = arena_printf("/%s/%zu/%s", list, index, value_key(list));
				return e;
			}
			index++;
		}
	}
	return e;
}

const char *kubeconfig_names(const struct kubeconfig_files *k, const char *list)
{
	struct strings names = {0};

	for (size_t i = 0; i < k->count; i++)
		tree_each(item, tree_get(k->files[i].root, list))
			if (*tree_string_or(tree_get(item, "name"), ""))
				strings_add(&names, tree_string(tree_get(item, "name")));
	return join(&names);
}

const char *entry_text(const struct kubeconfig_entry *e, const char *key)
{
	const char *text = tree_string_or(tree_get(e->value, key), "");

	return *text ? text : NULL;
}

const char *entry_resolve(const struct kubeconfig_entry *e, const char *path)
{
	const char *slash = strrchr(e->file->path, '/');

	if (*path == '/')
		return path;
	if (!slash)
		return strcmp(path, "-") == 0 ? "./-" : path; /* a file of that name, not standard input */
	return arena_printf("%.*s/%s", (int)(slash - e->file->path), e->file->path, path);
}

const char *entry_path(const struct kubeconfig_entry *e, const char *key)
{
	const char *path = entry_text(e, key);

	return path ? entry_resolve(e, path) : NULL;
}

int entry_fault(const struct kubeconfig_entry *e, const char *key, struct error *err, const char *fmt, ...)
{
	char what[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return fault_at(e->file, key ? arena_printf("%s/%s", e->pointer, key) : e->pointer, err, what);
}
