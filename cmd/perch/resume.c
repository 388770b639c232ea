/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "perch/begun.h"
#include "perch/guard_record.h"
#include "perch/live.h"
#include "perch/seen.h"
#include "perch/verb.h"
#include "report/talk.h"

const struct option resume_options[] = {
	{"roll", 0, OPTION_SWITCH, NULL, "let Flagger analyse what isn't proved, too", OPTION(roll)},
	{"take-over", 0, OPTION_SWITCH, NULL, "end the suspension of others, of canaries that are named", OPTION(take_over)},
	{"expired", 0, OPTION_SWITCH, NULL, "only holds past their time, whoever's", OPTION(expired)},
	{"step", 0, OPTION_SWITCH, NULL, "start one canary at most, and wait for none", OPTION(step)},
	VIA_OPTION,
	FLEET_WRITE_OPTIONS,
	NO_MORE_OPTIONS,
};
const char resume_about[] =
	"Ends holds, deciding each canary first: what Flagger would run for nothing gets its hashes before it\n"
	"is let go. Canaries that won't run are ended at once; of those that will, one is ended, and the next\n"
	"when it has settled. What isn't proved stays held until its time is over, or with --roll.\n"
	"\n"
	"examples:\n"
	"  perch resume -A --timeout 4h --yes\n"
	"  perch resume -A --expired --step --yes\n"
	"  perch resume -n shop cart --roll\n"
	"\n"
	"exit codes: 0 done, 2 usage, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout, 7 some are unknown,\n"
	"unproved or undone\n";

struct resume {
	struct live_run run;
	const struct settings *s;
	int64_t now;
	bool starting;       /* this pass starts one that Flagger runs; the first pass all others */
	bool will_start;     /* there are such */
	size_t to_start;     /* of those, how many this pass has met for the first time */
	struct seen_objects tried; /* each is started once: who suspends it again meanwhile has the last word */
	struct begun trying, started;
	size_t in_flight;    /* that an earlier step let go */
};

static bool unsure(const struct decision *d)
{
	return d->verdict == VERDICT_UNPROVED || d->verdict == VERDICT_UNKNOWN || d->action.withheld;
}

/* Past its time, and with --roll, what isn't sure is let go: Flagger's analysis is the safe end. */
static void bend(const struct resume *r, struct decision *d)
{
	bool expired = live_expired(&d->canary, r->now), others = holder_of(&d->canary) == HOLDER_OTHERS;
	bool rolls = r->s->roll && unsure(d);

	if (others && r->s->take_over && d->verdict != VERDICT_HOLD && d->verdict != VERDICT_DELETING &&
	    (!unsure(d) || rolls)) {
		d->action.hold = HOLD_END;
		d->action.text = "taken over: end the suspension";
	}
	if (d->action.hold != HOLD_KEEP || !unsure(d) || (!expired && !rolls))
		return;
	d->action.hold = HOLD_END;
	d->action.alert = true;
	d->action.text = expired ? "its time is over: end the hold, Flagger decides"
				 : "as asked: end the hold, Flagger analyses it";
}

static bool will_run(const struct decision *d)
{
	return unsure(d) || d->verdict == VERDICT_RUN || d->verdict == VERDICT_SHIP ||
	       d->verdict == VERDICT_RESTART;
}

/* One in a pass; decided again, since it has changed meanwhile, it is still that one. */
static bool may_start(struct resume *r, const struct canary *c)
{
	bool again = strcmp(r->trying.name, c->name) == 0 && strcmp(r->trying.namespace, c->namespace) == 0;

	if (again)
		return true;
	if (seen_has(&r->tried, c->object))
		return false;
	r->to_start++;
	if (r->trying.name[0] && r->run.actor.dry == DRY_NONE)
		return false;
	begun_expect(&r->trying, c);
	return seen_add(&r->tried, c->object);
}

/* Flagger begins with it at a tick; until then it is still where it was. */
static bool still_in_flight(const struct resume *r, const struct decision *d)
{
	int64_t at;

	if (phase_in_flight(d->canary.phase))
		return true;
	return will_run(d) && clock_read(&at, owned_ended(&d->canary)) && r->now - at < begun_within_ms(&d->canary) / 1000;
}

/* What an earlier step let go, and hasn't settled, is counted; of the rest the mark is taken off. */
static int look_back(struct resume *r, const struct decision *d, struct error *err)
{
	struct actor actor = r->run.actor;
	struct outcome o;

	if (r->starting || d->canary.suspended || !owned_ended(&d->canary))
		return 0;
	if (still_in_flight(r, d)) {
		r->in_flight++;
		return 0;
	}
	actor.api = r->run.live->api;
	return act_forget(&o, &actor, &d->canary, err);
}

static int before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct resume *r = arg;
	bool starts;

	if (r->s->step && look_back(r, d, err) != 0)
		return -1;
	if (r->run.overtaken) /* it is let go already */
		return 0;
	if (r->s->expired && (!live_expired(&d->canary, r->now) || holder_of(&d->canary) == HOLDER_POLICY)) {
		*skip = true;
		return 0;
	}
	bend(r, d);
	starts = d->action.hold == HOLD_END && will_run(d);
	r->will_start |= starts;
	*skip = starts != r->starting || (starts && !may_start(r, &d->canary));
	return 0;
}

/* The one that was started, as it was before. */
static int after(void *arg, const struct decision *d, const struct outcome *o, struct error *err)
{
	struct resume *r = arg;

	(void)err;
	if (r->starting && o->ended)
		begun_expect(&r->started, &d->canary);
	return 0;
}

/* One after another; each pass reads and decides anew, for that takes hours. */
static int start_them(struct resume *r, struct error *err)
{
	bool once = r->s->step || r->run.actor.dry != DRY_NONE;
	int result = 0;

	r->starting = true;
	r->run.actor.ended_at = r->s->step ? clock_text(r->now) : NULL;
	do {
		struct arena_mark mark = arena_mark();

		r->started = r->trying = (struct begun){0};
		r->to_start = 0;
		result = live_pass(&r->run, err);
		if (result == 0 && !once && r->started.name[0])
			result = begun_wait(&r->started, &r->run, err);
		arena_rewind(mark);
	} while (result == 0 && !once && r->to_start > 1);
	return result;
}

static int passes(struct resume *r, struct error *err)
{
	if (live_pass(&r->run, err) != 0)
		return -1;
	if (r->will_start && r->in_flight)
		talk_info("%zu of an earlier step %s in flight, none is started", r->in_flight,
			  r->in_flight == 1 ? "is" : "are");
	return r->will_start && !r->in_flight ? start_them(r, err) : 0;
}

static int refuse(const struct settings *s, struct error *err)
{
	if (s->take_over && !s->operands.count)
		return error_set(err, ERR_USAGE, "resume: --take-over needs the canaries' names");
	return inputs_refuse_contradictions(s, err);
}

int verb_resume(const struct settings *s, struct error *err)
{
	struct live live;
	struct resume r = {
		.run = {.s = s, .live = &live, .flow = FLOW_RESUME, .before = before, .after = after},
		.s = s, .now = clock_now(),
	};
	int result;

	r.run.arg = &r;
	if (s->expired) /* a namespace's own sweeper sees no Flagger */
		r.run.guard_namespace = guard_record_namespace(NULL);
	r.run.actor = (struct actor){.events = true, .take_over = s->take_over};
	r.tried = seen_new();
	if (refuse(s, err) != 0 || live_dry_run(&r.run.actor.dry, s, err) != 0 || live_connect(&live, s, err) != 0)
		return -1;
	result = live_begin(&r.run, err) != 0 ? -1 : live_end(&r.run, passes(&r, err) != 0, err);
	live_close(&live);
	return result;
}
