/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Flagger that guard let start last, as ConfigMap `perch-guard` in Flagger's namespace tells the
 * next guard, and commit hooks. It is written once a fleet is done, so that what a killed run left
 * over is done by the next one. What can't be read in it is as if it weren't there: then guard looks
 * at the fleet, which is never wrong.
 */
#ifndef PERCH_FLEET_GUARDED_H
#define PERCH_FLEET_GUARDED_H

#include "fleet/running.h"

#define GUARDED_NAME "perch-guard"

struct guarded {
	const char *image;    /* of Flagger's container */
	const char *release;  /* "1.38.0"; "" where it wasn't known and was let start all the same */
	int k8s;              /* of its k8s.io/api; 0: not known */
	bool config_tracking;
	const char *watches;  /* its -namespace; "" is all */
	const char *at;       /* RFC 3339; not compared */
};

/* On the arena. */
struct guarded guarded_of(const struct running *r, const char *at);
/* false: it isn't one. Strings are borrowed. */
bool guarded_read(struct guarded *out, const struct tree *configmap);
/*
 * The Flagger that acts next, as it tells of it: into what the options say, which it may not contradict.
 * `where` names it, "ConfigMap flagger-system/perch-guard".
 */
void guarded_running(struct running *r, const struct guarded *g, const char *where);
/* For a server-side apply; `namespace` is Flagger's. */
const struct tree *guarded_object(const struct guarded *g, const char *namespace);
/* Would the same canaries get the same hashes from both? */
bool guarded_alike(const struct guarded *a, const struct guarded *b);
/* Nothing of them differs but the time. */
bool guarded_same(const struct guarded *a, const struct guarded *b);

#endif
