/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Flagger that guard let start last, as ConfigMap `perch-guard` in Flagger's namespace tells the
 * next guard, and commit hooks. It is written once a fleet is done, so that what a killed run left
 * over is done by the next one. Before its first write guard notes beside it what it makes way for
 * (data begun-*), since from then on hooks have to write that one's hashes, not the last one's. What
 * can't be read in it is as if it weren't there: then guard looks at the fleet, which is never wrong.
 */
#ifndef PERCH_FLEET_GUARDED_H
#define PERCH_FLEET_GUARDED_H

#include <stdint.h>

#include "fleet/running.h"

#define GUARDED_NAME "perch-guard"

struct guarded {
	const char *image;    /* of Flagger's container */
	const char *release;  /* "1.38.0"; "" where it wasn't known and was let start all the same */
	int k8s;              /* of its k8s.io/api; 0: not known */
	bool config_tracking;
	const char *watches;  /* its -namespace; "" is all */
	const char *at;       /* RFC 3339; not compared */
	const struct guarded *begun; /* what a guard makes way for, or was killed over; NULL: all is done */
};

/* On the arena. */
struct guarded guarded_of(const struct running *r, const char *at);
/* false: it isn't one. Strings are borrowed. */
bool guarded_read(struct guarded *out, const struct tree *configmap);
/*
 * The Flagger that acts next, as it tells of it: into what the options say, which it may not contradict.
 * `where` names it, "ConfigMap flagger-system/perch-guard".
 */
void guarded_running(struct running *r, const struct guarded *g, int64_t now, const char *where);
/*
 * Who acts next: what guard has begun with, unless that was half an hour ago. Each try of guard's counts
 * anew; one that was given up, with guard taken out, is so forgotten.
 */
const struct guarded *guarded_next(const struct guarded *g, int64_t now);
/* For a server-side apply; `namespace` is Flagger's. */
const struct tree *guarded_object(const struct guarded *g, const char *namespace);
/* Would the same canaries get the same hashes from both? */
bool guarded_alike(const struct guarded *a, const struct guarded *b);
/* Nothing of them differs but the time. */
bool guarded_same(const struct guarded *a, const struct guarded *b);

#endif
