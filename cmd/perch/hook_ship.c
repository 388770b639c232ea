/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/arena.h"
#include "io/clock.h"
#include "perch/hook.h"
#include "report/talk.h"

#define FIRST_POLL_MS 1000
#define LAST_POLL_MS 10000
#define MARGIN_MS 10000 /* of --timeout, for what comes after the wait */

void hook_ship_expect(struct hook *h, const struct canary *c)
{
	if (h->n_shipped < HOOK_SHIPPED_MAX)
		snprintf(h->shipped[h->n_shipped], sizeof(*h->shipped), "%s/%s", c->namespace, c->name);
	h->n_shipped++;
}

/* Nothing but what live_run does of itself: a ship that is over is taken off. */
static int skip_all(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct hook *h = arg;

	(void)err;
	*skip = true;
	h->n_waiting += d->canary.shipped && !d->ship.stale;
	return 0;
}

/* One look at those that were shipped; h->n_waiting gets how many still are. */
static int look(struct hook *h, struct error *err)
{
	size_t n = h->n_shipped < HOOK_SHIPPED_MAX ? h->n_shipped : HOOK_SHIPPED_MAX;
	struct settings whole = h->s;
	int result;

	for (size_t i = 0; i < n; i++)
		strings_add(&h->s.operands, h->shipped[i]);
	h->n_waiting = 0;
	result = live_pass(&h->run, err);
	h->s = whole;
	return result;
}

int hook_ship_wait(struct hook *h, struct error *err)
{
	int64_t pause = FIRST_POLL_MS;

	if (!h->n_shipped || h->run.actor.dry != DRY_NONE)
		return 0;
	talk_waiting("%zu shipped, until %s promoted", h->n_shipped, h->n_shipped == 1 ? "it is" : "they are");
	h->run.opened = NULL;
	h->run.before = skip_all;
	for (;;) {
		struct arena_mark mark = arena_mark();

		if (look(h, err) != 0)
			return -1;
		arena_rewind(mark);
		if (!h->n_waiting)
			return 0;
		if (clock_left(h->live.deadline) < pause + MARGIN_MS || !live_pause(&h->live, pause)) {
			talk_warning("%zu shipped %s not promoted yet: the next run, or the sweeper, takes the ship off",
				     h->n_waiting, h->n_waiting == 1 ? "is" : "are");
			return 0;
		}
		pause = pause * 3 / 2 < LAST_POLL_MS ? pause * 3 / 2 : LAST_POLL_MS;
	}
}
