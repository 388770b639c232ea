/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubeconfig files as they were written: read, checked (kubeconfig_shape.h) and looked up as one.
 * Of several the first to name an entry gives all of it, and the first with a current-context gives
 * that. Of a file of several documents only the first counts, as for client-go. An entry knows
 * its file, so that paths in it and faults of it have their place.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_FILES_H
#define PERCH_SOURCE_KUBECONFIG_FILES_H

#include "base/notes.h"
#include "io/files.h"
#include "value/tree.h"

struct kubeconfig_file {
	struct text text;
	const char *path;
	const struct tree *root; /* a map; NULL: nothing was written */
};

struct kubeconfig_files {
	const struct kubeconfig_file *files;
	size_t count;
	const char *looked_at;  /* the paths, as people read them */
};

/* A named entry of a list: {name: X, cluster: {…}}. */
struct kubeconfig_entry {
	const struct kubeconfig_file *file;
	const char *name;        /* "prod" */
	const struct tree *value; /* the {…}; NULL: no such entry, or an empty one */
	const char *pointer;     /* of the value; NULL: no such entry */
};

/*
 * `path` (--kubeconfig) or what KUBECONFIG lists or ~/.kube/config. Only `path` must be there: else
 * ERR_USAGE. ERR_INPUT: one can't be read, is no kubeconfig, or names something twice.
 */
int kubeconfig_files(struct kubeconfig_files *out, const char *path, struct notes *warnings,
		     struct error *err);

/* The current-context; NULL where no file has one. */
const char *kubeconfig_current(const struct kubeconfig_files *k);
struct kubeconfig_entry kubeconfig_find(const struct kubeconfig_files *k, const char *list,
					const char *name);
/* The names of a list: "a, b, c". */
const char *kubeconfig_names(const struct kubeconfig_files *k, const char *list);

/* A text of the entry, NULL where it is absent or empty. */
const char *entry_text(const struct kubeconfig_entry *e, const char *key);
/* The same for a path, which is of the folder that the file is in. */
const char *entry_path(const struct kubeconfig_entry *e, const char *key);
const char *entry_resolve(const struct kubeconfig_entry *e, const char *path);
/* ERR_INPUT with file and line of `key` (may be a pointer, a/b), or of the entry where key is NULL. */
int entry_fault(const struct kubeconfig_entry *e, const char *key, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
