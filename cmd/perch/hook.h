/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commit flow of one app: `pre` holds, before a sync, what it would set off for nothing; `post` and
 * `fail` decide what the sync made and end that again. Killed between the two, the sweeper ends what
 * has a time, and the next run goes on.
 */
#ifndef PERCH_HOOK_H
#define PERCH_HOOK_H

#include "perch/app_scope.h"
#include "perch/live.h"

enum hook_phase { HOOK_PRE, HOOK_POST, HOOK_FAIL };
enum hook_on_error { ON_ERROR_PROCEED, ON_ERROR_HOLD, ON_ERROR_FAIL };

#define HOOK_SHIPPED_MAX 32

struct hook {
	struct settings s; /* as given, without the phase and -l, which `scope` has */
	enum hook_phase phase;
	enum hook_on_error on_error;
	bool hold_all;
	int64_t hold_ms;
	struct live live;
	struct inputs given;
	struct app_scope scope;
	struct live_run run;
	struct hold_terms commit, policy; /* the app's two kinds of hold */
	char about[2048];
	char unsettled[512]; /* a canary that isn't, and its phase: then nothing is held; "" */
	size_t undone;       /* what could not be done, or not be known */
	char first_undone[512];
	/* NAMESPACE/NAME of the canaries that Flagger promotes now; the first so many are waited for. */
	char shipped[HOOK_SHIPPED_MAX][512];
	size_t n_shipped, n_waiting;
	size_t n_rendered, n_unrendered; /* canaries whose target D has, or hasn't */
};

/* Change the action that was decided to the one of this phase: live_run's `before`. */
int hook_pre_before(void *arg, struct decision *d, bool *skip, struct error *err);
int hook_post_before(void *arg, struct decision *d, bool *skip, struct error *err);

/* Of post: waits, within --timeout, for what is shipped to be promoted, and takes the ship off. */
void hook_ship_expect(struct hook *h, const struct canary *c);
int hook_ship_wait(struct hook *h, struct error *err);

/* After a pass that failed: ends the app's commit holds undecided, which needs the canaries alone. */
int hook_end_own(struct hook *h, struct error *err);

#endif
