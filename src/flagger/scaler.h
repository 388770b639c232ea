/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The autoscaler of a canary and its copy for the primary (flagger.md §5.5). Flagger copies what
 * changed only at a promotion, and never runs for it, so a difference is told as `pending:`. Fields
 * that the target's autoscaler leaves out are passed over: it may be a rendered one, without the
 * defaults that the copy has.
 */
#ifndef PERCH_FLAGGER_SCALER_H
#define PERCH_FLAGGER_SCALER_H

#include "base/notes.h"
#include "flagger/canary.h"
#include "flagger/subject.h"

bool canary_has_scaler(const struct canary *c);
/* KIND_HPA or KIND_SCALEDOBJECT; `name` is "" where there is none. */
enum object_kind canary_scaler(const char **name, const struct canary *c);
void scaler_notes(struct notes *notes, const struct canary *c, const struct lookup *lookup);

#endif
