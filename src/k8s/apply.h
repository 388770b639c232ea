/* SPDX-License-Identifier: Apache-2.0 */
/*
 * apply(D, T, applier) → T′: what the object would be after the applier sent D, the API server's
 * defaults included, without asking the server. One pure function for server-side apply,
 * client-side apply, Helm's three-way patch, replace, and two-way where nobody's ownership is known.
 * Truth: a server dry-run of a real kube-apiserver, object for object (testdata/lab/apiserver).
 */
#ifndef PERCH_K8S_APPLY_H
#define PERCH_K8S_APPLY_H

#include "base/error.h"
#include "base/notes.h"
#include "value/tree.h"

enum applier_kind {
	APPLIER_UNKNOWN,
	APPLIER_SERVER_SIDE,
	APPLIER_CLIENT_SIDE,
	APPLIER_HELM,
	APPLIER_REPLACE,
	APPLIER_TWO_WAY,
};

struct applier {
	enum applier_kind kind;
	const char *manager; /* server-side and helm: whose fields count as the applier's */
	const char *why;     /* how it was found, for people: "only Apply manager", "--applier", … */
};

/* --applier server-side[=MANAGER] | client-side | helm | replace | two-way; ERR_USAGE. */
int applier_parse(struct applier *out, const char *text, struct error *err);
/* From the live object, as DESIGN.md §2 says; two-way (with a warning) where nothing tells. */
struct applier applier_find(const struct tree *live, struct notes *warnings);
const char *applier_name(enum applier_kind kind);

/*
 * live NULL: a create. server_minor rules defaults, gates and which fields exist. Errors are
 * ERR_INPUT, with the path, where the server would refuse D for type or syntax. Warnings tell
 * dropped fields, conflicts and what the applier can't express. The result is a new tree.
 */
const struct tree *apply(const struct tree *desired, const struct tree *live,
			 const struct applier *applier, int server_minor, struct notes *warnings,
			 struct error *err);

#endif
