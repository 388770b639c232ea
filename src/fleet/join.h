/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins what belongs to one canary: its target and primary, the target's ReplicaSets or
 * ControllerRevisions, D if its target was rendered, and the ConfigMaps and Secrets as they would
 * be (D's before the live ones). Objects are fetched from the dump one canary at a time; the caller
 * rewinds the arena in between.
 */
#ifndef PERCH_FLEET_JOIN_H
#define PERCH_FLEET_JOIN_H

#include "flagger/canary.h"
#include "flagger/subject.h"
#include "source/dump.h"
#include "source/manifests.h"

struct fleet {
	const struct dump *dump;
	const struct manifests *desired; /* NULL: nothing was rendered */
};

void fleet_subject(struct subject *out, const struct fleet *fleet, const struct tree *canary);
/* Does D have anything of this canary: itself, its target or scaler, or a config that the target reads? */
bool fleet_touched(const struct fleet *fleet, const struct subject *subject);
/* The rendered target, with its text and lines; NULL: not rendered. */
const struct manifest *fleet_desired(const struct fleet *fleet, const struct canary *c);

#endif
