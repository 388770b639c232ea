/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "perch/hook.h"
#include "report/talk.h"

#define MAX_ROUNDS 5 /* over canaries that change between read and write */

static void end(struct decision *d, const char *text)
{
	d->action.hold = HOLD_END;
	d->action.alert = true;
	d->action.text = text;
}

/* Nothing is known that speaks for a hold; Flagger's own look is the safe end. A policy's stays: it has spoken. */
static void end_unsure(const struct hook *h, struct decision *d)
{
	if (h->on_error != ON_ERROR_PROCEED || holder_of(&d->canary) != HOLDER_COMMIT) {
		d->action.text = arena_printf("%s%s", d->reason, d->action.hold == HOLD_KEEP ? "; keep the hold" : "");
		return;
	}
	end(d, d->action.withheld ? "end the hold, Flagger decides: its release isn't known, so no hash is written"
				  : "end the hold, Flagger decides");
}

/*
 * The stored hash is of this very target, and of another Flagger than guard's record tells of: one has
 * started without guard, or with one that didn't note what it began with. What the record's would write sets
 * that one off. What policy held over an upgrade has the hash of before, since guard leaves that alone.
 */
static bool told_late(const struct hook *h, const struct decision *d)
{
	const struct flagger *f = h->run.flagger;

	return f->evidence == EVIDENCE_CONFIGMAP && !f->begun && !h->run.overtaken && d->action.hashes != HASHES_LEAVE &&
	       d->explains_applied != 0 && holder_of(&d->canary) != HOLDER_POLICY;
}

int hook_post_before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct hook *h = arg;
	enum holder holder = holder_of(&d->canary);
	bool ours = app_scope_holds(&h->scope, &d->canary);

	(void)skip;
	(void)err;
	if (told_late(h, d)) {
		d->action.hashes = HASHES_LEAVE;
		d->action.withheld = true;
		d->reason = "its hash is of another Flagger than guard's record, so none is written: an upgrade is under way";
	}
	if ((holder == HOLDER_COMMIT || holder == HOLDER_POLICY) && !ours) {
		d->action.hold = HOLD_LEAVE;
		d->action.ship = false;
		d->action.text = "another app's";
	} else if (d->verdict == VERDICT_UNKNOWN || d->action.withheld) {
		end_unsure(h, d);
	}
	return 0;
}

static int end_one(struct hook *h, const struct canary *c, bool *moved, struct error *err)
{
	struct decision d = {.canary = *c, .verdict = VERDICT_UNKNOWN, .reason = "it couldn't be decided",
			     .action = {.hold = HOLD_END, .text = "end the hold undecided, Flagger decides"}};
	struct subject subject = {.canary = c->object};
	struct flagger nobody = {.evidence = EVIDENCE_NONE};
	struct actor actor = h->run.actor;
	struct outcome_item item = {c->namespace, c->name, NULL, DEED_ENDED, ""};
	struct outcome o;

	actor.api = h->live.api;
	actor.flow = FLOW_COMMIT;
	actor.flagger = &nobody;
	if (act_on(&o, &actor, &d, &subject, err) != 0)
		return -1;
	*moved |= o.kind == OUTCOME_MOVED;
	if (o.kind == OUTCOME_MOVED)
		return 0;
	item.deed = live_deed(&d, &o);
	item.text = arena_printf("%s, undecided: Flagger decides", o.text);
	live_tell(&h->run, &item, o.ended ? NULL : o.text);
	return 0;
}

static int end_round(struct hook *h, bool *moved, struct error *err)
{
	struct cluster_scope scope = live_scope(&h->live, &h->s);
	struct inputs in;
	int result = 0;

	scope.canaries_only = true;
	if (live_read(&in, &h->run, &scope, err) != 0)
		return -1;
	live_head(&h->run, &in);
	for (size_t i = 0; result == 0 && i < in.dump.canaries.count; i++) {
		const struct tree *object = dump_fetch(&in.dump, index_at(&in.dump.canaries, i), err);
		struct error unreadable;
		struct canary c;

		if (!object)
			result = -1;
		else if (canary_read(&c, object, &unreadable) == 0 && app_scope_holds(&h->scope, &c) &&
			 holder_of(&c) == HOLDER_COMMIT)
			result = end_one(h, &c, moved, err);
	}
	dump_close(&in.dump);
	return result;
}

int hook_end_own(struct hook *h, struct error *err)
{
	bool moved = true;

	for (int round = 0; moved && round < MAX_ROUNDS; round++) {
		struct arena_mark mark = arena_mark();

		moved = false;
		if (end_round(h, &moved, err) != 0)
			return -1;
		arena_rewind(mark);
	}
	return moved ? error_set(err, ERR_PARTIAL, "a hold changed all the while and isn't ended") : 0;
}
