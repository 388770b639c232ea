/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is an upgrade of Flagger over? A hash of the new release is safe only once no Pod of the old one
 * runs: it would still compare with its own. The Deployment is asked what it wants, its Pods what they
 * run; a Pod that is being deleted runs until it is gone.
 */
#ifndef PERCH_ROLLOUT_H
#define PERCH_ROLLOUT_H

#include "perch/live.h"

/*
 * Waits for each Flagger that acts in the scope of the command line; a dry run says so and goes on.
 * ERR_TIMEOUT names the Pod that is still there.
 */
int rollout_wait(const struct live_run *r, struct error *err);

#endif
