/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which schemas explain the hashes that a Canary's status holds: every known minor's hash of the
 * target is tried. A hash that agrees says nothing about fields its schema doesn't know, so what a
 * schema knows is asked here too. Old, foreign and v2 hashes are explained by none.
 */
#ifndef PERCH_FLAGGER_EXPLAIN_H
#define PERCH_FLAGGER_EXPLAIN_H

#include <stdbool.h>

#include "flagger/canary.h"

/*
 * For each question a minor, 0 where there is none: `likely` if it answers both hashes (a fleet is
 * mostly of one release, so this is quick), else the newest, those that a release was built with first.
 */
struct explanation {
	int promoted;     /* its hash is lastPromotedSpec */
	int promoted_all; /* … and it knows every field that the target sets */
	int applied;      /* the same of lastAppliedSpec */
	int applied_all;
};
void explain(struct explanation *out, const struct canary *c, const struct tree *target, int likely);

/* Is there a minor that explains `stored` and knows this place of the target's kind? */
bool explained_knowing(const char *stored, const struct tree *target, enum object_kind kind,
		       const char *pointer);
/* Does it know each field that the object's template (a Service's spec) sets? */
bool minor_knows_all(int minor, enum object_kind kind, const struct tree *object);

#endif
