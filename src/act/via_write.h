/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What perch owns of a canary, written to the ConfigMap of via.h by server-side apply. Several runs, of
 * several apps, share it: each apply names the uid and the resourceVersion of what was read just before
 * and sends all that perch owns there, so none takes another's variables away; a run that was overtaken
 * reads again. Creation has no such precondition, so the ConfigMap is made first, by a field manager of
 * its own that owns no variable of a canary: two of them at once harm nothing. What was let go stays as
 * "false" for a week, so that a run can tell what Flux hasn't applied yet from what Git says.
 */
#ifndef PERCH_ACT_VIA_WRITE_H
#define PERCH_ACT_VIA_WRITE_H

#include "act/act.h"
#include "act/write.h"

/* For a canary with c->via. Its body lacks what others have there: via_carry() adds that. */
void via_write(struct write *out, const struct canary *c, const struct owned *owned);
/* The ConfigMap itself, with nothing of any canary. */
void via_write_first(struct write *out, const struct canary *c);
/*
 * carry_out() for such a write. OUTCOME_DONE is written, not applied by Flux: then c->pending is set.
 * OUTCOME_REFUSED where nothing would come of it: the manifest doesn't name the field, the Kustomization
 * reads another namespace's ConfigMaps, or the variable is another canary's.
 */
int via_carry(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
	      struct error *err);

#endif
