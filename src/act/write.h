/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A write as data: the request, and what must hold of the object that the server answers with. So
 * a dry run and a case see exactly what would be sent. Each names the object as it was decided on,
 * by uid and resourceVersion. Seen on a real API server (1.36): a status patch is kept from an object
 * that was deleted or recreated by its resourceVersion alone, its uid isn't looked at; an apply with
 * a uid never creates.
 */
#ifndef PERCH_ACT_WRITE_H
#define PERCH_ACT_WRITE_H

#include "act/hold.h"

#define WRITE_MAX_MUSTS 16

struct must {
	const char *pointer;      /* RFC 6901, into the answer */
	const struct tree *value; /* NULL: absent */
};

struct write {
	const char *done, *would; /* "wrote", "write" … */
	const char *what;         /* … "both hashes 77589b5646" */
	const char *path, *content_type; /* of a PATCH; the path without a query */
	bool apply;               /* server-side, never forced */
	bool via;                 /* to a ConfigMap: via_carry() sends it */
	bool holds, ships, ends;  /* one apply may do several */
	const struct tree *body;
	struct must musts[WRITE_MAX_MUSTS];
	size_t n_musts;
};

/* lastAppliedSpec and, unless NULL, lastPromotedSpec; nothing else of the status may move. */
void write_hashes(struct write *out, const struct canary *c, const char *applied, const char *promoted);
/* All that perch owns. */
void write_owned(struct write *out, const struct canary *c, const struct owned *owned);
/* The same without a ship, and why. */
void write_unship(struct write *out, const struct canary *c, const char *why);
/* Takes spec.suspend off whoever owns it, which an apply could do by force only. */
void write_release(struct write *out, const struct canary *c);

/* The path with its query, e.g. for a dry run on the server. */
const char *write_path(const struct write *w, bool dry_run);
/* What of it doesn't hold, as one line; NULL: it all does. */
const char *write_check(const struct write *w, const struct tree *answer);

#endif
