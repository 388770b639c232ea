/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T's history: its ReplicaSets or ControllerRevisions. Hints, never proof (DESIGN.md §2.3): when the
 * newest revision was made, and whether the promoted template is still there in T's own terms.
 */
#ifndef PERCH_FLAGGER_HISTORY_H
#define PERCH_FLAGGER_HISTORY_H

#include <stdbool.h>

#include "flagger/subject.h"

/* creationTimestamp of the newest revision (RFC 3339, UTC: compares as text); NULL: not read. */
const char *history_newest(const struct subject *s);
/* The revision whose template is what P has, as a target object with that template; NULL: none. */
const struct tree *history_promoted(const struct subject *s, const struct flagger *flagger);

#endif
