/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --via configmap in a run: what was read is seen with what its ConfigMap says, and what was written
 * there counts once Flux has applied it to the Canary. That is waited for after each pass, all canaries
 * together, for five minutes or as long as --timeout allows; what isn't applied by then is told with
 * what to look at, the run goes on, and its end is ERR_TIMEOUT. Where --via isn't given all of this does
 * nothing.
 */
#ifndef PERCH_LIVE_VIA_H
#define PERCH_LIVE_VIA_H

#include "perch/live.h"

int live_via_read(struct inputs *in, const struct live_run *r, const struct cluster_scope *scope, struct error *err);
/* Before the canaries of a pass, of which there are at most so many. */
void live_via_begin(struct live_run *r, const struct inputs *in, size_t most);
/* What is to be waited for: this one as it was read, and what was done about it since (NULL: nothing). */
void live_via_expect(struct live_run *r, const struct canary *c, const struct outcome *o);
/* Fails only where the API does. */
int live_via_wait(struct live_run *r, struct error *err);

#endif
