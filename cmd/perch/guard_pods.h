/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Pods of Flagger around guard: the one it is in, which says what release is about to start and
 * how, and the others in its namespace, which may still act on the same canaries.
 */
#ifndef PERCH_GUARD_PODS_H
#define PERCH_GUARD_PODS_H

#include "fleet/running.h"
#include "perch/live.h"

struct guard_pod {
	const char *namespace, *name; /* POD_NAMESPACE, POD_NAME; else the account's and the host's */
	struct running running;
};

/* ERR_USAGE where there is no such Pod: guard runs as an init container. */
int guard_pod_read(struct guard_pod *out, const struct settings *s, const struct live *l,
		   struct notes *warnings, struct error *err);

/*
 * Waits until no other Pod runs a Flagger that has its canaries in common with this one and hashes
 * them otherwise, one that is being terminated too, or until `deadline`. `stay` gets what then still
 * runs ("1.37.0 of flagger-5d7f"); NULL: nothing.
 */
int guard_pods_wait(const char **stay, const struct guard_pod *own, const struct live *l, int64_t deadline,
		    struct error *err);

#endif
