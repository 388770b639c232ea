/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"
#include "perch/live.h"
#include "perch/seen.h"
#include "perch/verb.h"

#define MAX_PASSES 6 /* while some change between read and write */

const struct option nudge_options[] = {
	SCOPE_OPTIONS,
	CLUSTER_OPTIONS,
	WRITE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char nudge_about[] =
	"Makes Flagger look at canaries again: lastAppliedSpec is emptied, so that a change which it lost, or\n"
	"took for the baseline, is analysed. Only what is settled or failed is nudged; in flight an analysis\n"
	"would start over. The target is never touched.\n"
	"\n"
	"examples:\n"
	"  perch nudge -n shop cart\n"
	"  perch nudge shop/cart --dry-run=server\n"
	"\n"
	"exit codes: 0 done, 2 usage, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout, 7 some are undone\n";

struct nudge {
	struct live_run run;
	struct seen_objects told;
	int passes;
	bool moved; /* some of this pass changed between read and write */
	size_t refused;
};

/* Flagger must find what it would analyse, and what it would promote to. */
static const char *unreadable(const struct decision *d)
{
	if (d->canary.deleting)
		return "it is being deleted";
	if (d->proof.primary == PRIMARY_UNREAD || d->proof.primary == PRIMARY_MISSING)
		return arena_printf("target and primary aren't both there: %s", d->reason);
	return NULL;
}

static int nudge_one(struct nudge *n, struct outcome *out, const struct decision *d, struct error *err)
{
	struct actor actor = n->run.actor;
	const char *why = unreadable(d);

	actor.api = n->run.live->api;
	if (!why)
		return act_nudge(out, &actor, &d->canary, err);
	*out = (struct outcome){.kind = OUTCOME_REFUSED, .text = why};
	return 0;
}

static enum deed deed_of(const struct decision *d, const struct outcome *o)
{
	if (o->kind == OUTCOME_DONE)
		return DEED_NUDGED;
	return o->kind == OUTCOME_NOTHING ? DEED_NOTHING : live_deed(d, o);
}

/* Each canary is done here; what moved is met again in the next pass. */
static int before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct nudge *n = arg;
	struct outcome_item item = {d->canary.namespace, d->canary.name, NULL, DEED_NOTHING, ""};
	struct outcome o;

	*skip = true;
	if (seen_has(&n->told, d->canary.object))
		return 0;
	if (nudge_one(n, &o, d, err) != 0)
		return -1;
	if (o.kind == OUTCOME_MOVED && n->passes < MAX_PASSES) {
		n->moved = true;
		return 0;
	}
	seen_add(&n->told, d->canary.object);
	n->refused += o.kind == OUTCOME_REFUSED;
	item.deed = deed_of(d, &o);
	item.text = d->canary.suspended && item.deed == DEED_NUDGED
			    ? arena_printf("%s; Flagger looks once it isn't suspended any more", o.text)
			    : o.text;
	live_tell(&n->run, &item, item.deed > DEED_GONE ? item.text : NULL);
	return 0;
}

static int passes(struct nudge *n, struct error *err)
{
	do {
		n->moved = false;
		n->passes++;
		if (live_pass(&n->run, err) != 0)
			return -1;
	} while (n->moved);
	return 0;
}

int verb_nudge(const struct settings *s, struct error *err)
{
	struct live live;
	struct nudge n = {.run = {.s = s, .live = &live, .verb = "nudge", .before = before}};
	int result;

	n.run.arg = &n;
	if (!s->operands.count)
		return error_set(err, ERR_USAGE, "nudge: name the canaries");
	if (inputs_refuse_contradictions(s, err) != 0 || live_dry_run(&n.run.actor.dry, s, err) != 0 ||
	    live_connect(&live, s, err) != 0)
		return -1;
	n.told = seen_new();
	result = live_begin(&n.run, err) != 0 ? -1 : live_end(&n.run, passes(&n, err) != 0, err);
	live_close(&live);
	return result > 0 && n.refused ? error_exit_code(ERR_REFUSED) : result;
}
