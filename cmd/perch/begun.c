/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/begun.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "fleet/interval.h"
#include "io/clock.h"
#include "report/talk.h"

#define FIRST_POLL_MS 1000
#define LAST_POLL_MS 5000
#define MARGIN_MS 30000 /* for a tick that is under way, and Flagger's control loop */

int64_t begun_within_ms(const struct canary *c)
{
	return 2 * interval_ms(c->object) + MARGIN_MS;
}

void begun_expect(struct begun *out, const struct canary *c)
{
	snprintf(out->namespace, sizeof(out->namespace), "%s", c->namespace);
	snprintf(out->name, sizeof(out->name), "%s", c->name);
	snprintf(out->applied, sizeof(out->applied), "%s", c->applied);
	out->within_ms = begun_within_ms(c);
}

static bool has_begun(const struct begun *b, const struct canary *c)
{
	return phase_in_flight(c->phase) || strcmp(b->applied, c->applied) != 0;
}

/* 1: not yet; 0: it is over, or nothing to wait for any more. */
static int look(bool *begun, const struct begun *b, const struct live_run *r, struct error *err)
{
	struct strings one = {0};
	struct cluster_scope scope = {.namespace = b->namespace, .names = &one, .canaries_only = true};
	struct inputs in;
	struct canary c;
	const struct tree *object;
	struct error bad;

	strings_add(&one, arena_printf("%s/%s", b->namespace, b->name));
	if (live_read(&in, r, &scope, err) != 0)
		return -1;
	object = in.dump.canaries.count ? dump_fetch(&in.dump, index_at(&in.dump.canaries, 0), err) : NULL;
	dump_close(&in.dump);
	if (!object || canary_read(&c, object, &bad) != 0 || c.deleting)
		return 0;
	if (c.suspended) {
		talk_canary_warning(c.namespace, c.name, "is suspended again, not waited for");
		return 0;
	}
	*begun = *begun || has_begun(b, &c);
	if (*begun && c.phase == PHASE_FAILED)
		talk_canary_warning(c.namespace, c.name, "its analysis failed");
	return !*begun || (!phase_settled(c.phase) && c.phase != PHASE_FAILED);
}

int begun_wait(const struct begun *b, const struct live_run *r, struct error *err)
{
	int64_t begins_by = clock_deadline(b->within_ms), pause = FIRST_POLL_MS;
	bool begun = false;
	int result;

	talk_canary_info(b->namespace, b->name, "let go; the next one follows when it has settled");
	for (;;) {
		struct arena_mark mark = arena_mark();

		result = look(&begun, b, r, err);
		if (result != 1)
			return result;
		arena_rewind(mark);
		if (!begun && clock_passed(begins_by)) {
			talk_canary_warning(b->namespace, b->name, "Flagger hasn't begun with it, not waited for");
			return 0;
		}
		if (!live_pause(r->live, pause))
			return error_set(err, ERR_TIMEOUT, "timeout: '%s/%s' hasn't settled yet", b->namespace, b->name);
		pause = pause * 5 / 4 < LAST_POLL_MS ? pause * 5 / 4 : LAST_POLL_MS;
	}
}
