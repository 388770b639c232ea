/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects rendered in Git (D): from files, folders, standard input or a Git commit, YAML or JSON,
 * Lists taken apart. Kinds that perch doesn't use are left out and counted; status and
 * managedFields, which no applier sends, are taken out with a warning. Each object is checked
 * against the schema, and remembers its text, so that the line of any place in it can be told.
 * Everything lives on the arena. Errors are ERR_INPUT with `file:line:`.
 */
#ifndef PERCH_SOURCE_MANIFESTS_H
#define PERCH_SOURCE_MANIFESTS_H

#include "base/error.h"
#include "base/notes.h"
#include "io/files.h"
#include "io/git.h"
#include "k8s/change.h"
#include "k8s/object.h"

struct manifest {
	const struct tree *object;
	enum object_kind kind;
	struct identity id;
	const struct text *text;
	const char *document; /* where in the text its document begins … */
	unsigned line;        /* … and on which line */
	const char *pointer; /* of the object in its document: "" or "/items/3" */
};

struct manifests {
	const char *namespace; /* for objects that name none; NULL: "default" */
	int minor;             /* the schema to check against */
	bool any_kind;         /* keep the kinds that perch doesn't use, too */
	bool live;             /* objects as read from a server: their status counts */
	bool unchecked;        /* types are not this verb's business */
	bool objects_only;     /* what is no object is left out, and names may be made by the server */
	struct notes *warnings;
	struct manifest *items; /* sorted by identity once all is loaded */
	size_t count, cap;
	size_t skipped;
};

int manifests_add_path(struct manifests *m, const char *path, struct error *err);
/* A folder of files of any name. */
int manifests_add_folder(struct manifests *m, const char *path, struct error *err);
int manifests_add_git(struct manifests *m, const struct git_source *git, struct error *err);
int manifests_add_text(struct manifests *m, const struct text *text, struct error *err);
/* After the last: sorts, and refuses two objects of one identity, naming both places. */
int manifests_finish(struct manifests *m, struct error *err);

/* NULL: not among them. */
const struct manifest *manifests_find(const struct manifests *m, enum object_kind kind,
				      const char *namespace, const char *name);
const struct manifest *manifests_find_same(const struct manifests *m, const struct manifest *like);

/*
 * The line of a place in the object, given by DESIGN.md's path; where the object doesn't go that
 * far, of the last step that it has. 0 where it can't be told.
 */
unsigned manifest_line(const struct manifest *m, const char *path);
/* Gives changes of the object their file and line. */
void manifest_place(const struct manifest *m, struct change *const *list, size_t n);
/* The same for remarks on a place of it: `WORD: PATH: …` becomes `WORD: FILE:LINE: PATH: …`. */
struct notes manifest_place_notes(const struct manifest *m, const struct notes *notes);

#endif
