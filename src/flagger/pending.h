/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a promotion would carry to the primary besides the template (flagger.md §5): replicas where
 * no autoscaler owns them, else the autoscaler's settings, strategy and the like. Flagger never
 * runs for these alone, so they wait: notes that begin with `pending:`.
 */
#ifndef PERCH_FLAGGER_PENDING_H
#define PERCH_FLAGGER_PENDING_H

#include "base/notes.h"
#include "flagger/canary.h"
#include "flagger/subject.h"

void pending_notes(struct notes *notes, const struct canary *c, const struct tree *target,
		   const struct tree *primary, const struct lookup *lookup);

#endif
