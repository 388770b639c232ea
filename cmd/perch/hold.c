/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "perch/live_via.h"
#include "perch/seen.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "report/termination.h"

#define WAIT_MS (30 * 60 * 1000)
#define POLL_MS 3000
#define MAX_MOVED_ROUNDS 5

const struct option hold_options[] = {
	{"for", 0, OPTION_TEXT, "TIME", "how long at most, e.g. 2h; needed", OPTION(hold_for)},
	{"reason", 0, OPTION_TEXT, "TEXT", "why, for whoever finds it", OPTION(reason)},
	{"in-flight", 0, OPTION_TEXT, "HOW",
	 "what is in flight: wait[:30m] until it is settled and then freeze it, freeze, or leave", OPTION(in_flight),
	 "wait freeze leave"},
	VIA_OPTION,
	SCOPE_OPTIONS,
	{"flagger", 0, OPTION_TEXT, "RELEASE",
	 "the running Flagger, where its image tag names no release", OPTION(flagger)},
	CLUSTER_OPTIONS,
	WRITE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char hold_about[] =
	"Before a rolling upgrade of Flagger: holds the canaries that are settled or failed, so that the new\n"
	"release finds them suspended. Then upgrade, `perch reconcile`, `perch resume`. What is in flight is\n"
	"waited for; a DaemonSet in flight is never frozen. What others suspended stays theirs.\n"
	"\n"
	"examples:\n"
	"  perch hold -A --for 2h --reason 'Flagger 1.41'\n"
	"  perch hold -n shop cart --for 30m --in-flight=leave\n"
	"\n"
	"exit codes: 0 held, 2 usage, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout, 7 some are not held\n";

enum in_flight { IN_FLIGHT_WAIT, IN_FLIGHT_FREEZE, IN_FLIGHT_LEAVE };

struct hold_run {
	struct live_run run;
	struct inputs in;
	struct seen_objects told;        /* canaries that the report has */
	struct hold_terms terms;
	enum in_flight in_flight;
	int64_t frozen_from;     /* until then what is in flight is waited for */
	size_t written, waiting; /* of this round */
	bool again;              /* it isn't the first */
	bool moved;              /* some of this round changed between read and write */
	int moved_rounds;
};

/* What is to be done about one, and why nothing is. */
struct judgement {
	enum { JUDGE_HOLD, JUDGE_WAIT, JUDGE_LEAVE } do_what;
	enum deed deed;  /* of JUDGE_LEAVE, and of JUDGE_HOLD once done */
	const char *text;
	bool open;
};

static struct judgement leave(enum deed deed, const char *text, bool open)
{
	return (struct judgement){JUDGE_LEAVE, deed, text, open};
}

static struct judgement held_already(const struct hold_run *h, const struct canary *c)
{
	int64_t until, wanted;

	if (holder_of(c) != HOLDER_UPGRADE && holder_of(c) != HOLDER_COMMIT)
		return leave(DEED_KEPT, arena_printf("held for %s already", c->held_for), false);
	clock_read(&wanted, h->terms.until);
	if (holder_of(c) == HOLDER_UPGRADE && clock_read(&until, c->held_until) && until >= wanted)
		return leave(DEED_NOTHING, arena_printf("held until %s already", c->held_until), false);
	return (struct judgement){JUDGE_HOLD, DEED_EXTENDED, "", false};
}

static struct judgement judge_in_flight(const struct hold_run *h, const struct canary *c)
{
	bool over = clock_passed(h->frozen_from);
	const char *phase = phase_name(c->phase);

	if (h->in_flight == IN_FLIGHT_LEAVE)
		return leave(DEED_LEFT, arena_printf("in flight (%s), left as asked", phase), false);
	if (h->in_flight == IN_FLIGHT_WAIT && !over)
		return (struct judgement){JUDGE_WAIT, DEED_LEFT, arena_printf("in flight (%s), to be waited for", phase),
					  false};
	if (c->target_kind == KIND_DAEMONSET)
		return leave(DEED_LEFT, arena_printf("in flight (%s): a frozen DaemonSet would fail by its deadline, left",
						     phase), true);
	return (struct judgement){JUDGE_HOLD, DEED_HELD, "", false};
}

static struct judgement judge(const struct hold_run *h, const struct canary *c)
{
	if (c->deleting || c->phase == PHASE_TERMINATING || c->phase == PHASE_TERMINATED)
		return leave(DEED_LEFT, "being deleted", false);
	if (holder_of(c) == HOLDER_OTHERS)
		return leave(DEED_LEFT, "suspended by others, left so", false);
	if (c->suspended)
		return held_already(h, c);
	if (!c->has_conditions || c->phase == PHASE_NONE || c->phase == PHASE_INITIALIZING)
		return leave(DEED_LEFT, "not initialized yet, left", false);
	if (c->phase == PHASE_UNKNOWN)
		return leave(DEED_LEFT, "status.phase is none that Flagger writes, left", true);
	return phase_in_flight(c->phase) ? judge_in_flight(h, c) : (struct judgement){JUDGE_HOLD, DEED_HELD, "", false};
}

static void tell(struct hold_run *h, const struct canary *c, enum deed deed, const char *text, bool open)
{
	struct outcome_item item = {c->namespace, c->name, NULL, deed, text};

	if (seen_add(&h->told, c->object))
		live_tell(&h->run, &item, open ? text : NULL);
	termination_so_far("%zu canaries are done", h->run.tally.canaries);
}

/* No write without the running release known, and none that it doesn't heed. */
static const char *forbidden(struct hold_run *h, const struct flagger *f)
{
	static const struct release suspends = {1, 32, 0};

	if (!flagger_known(f)) {
		live_refuse(&h->run, f);
		return "the running Flagger isn't known";
	}
	if (!f->release.major || release_compare(&f->release, &suspends) >= 0)
		return NULL;
	error_set(&h->run.refusal, ERR_REFUSED, "Flagger %s doesn't know spec.suspend, %s is the first that does",
		  release_text(&f->release), release_text(&suspends));
	return "the running Flagger doesn't know spec.suspend";
}

static int hold_one(struct hold_run *h, const struct canary *c, const struct judgement *j, struct error *err)
{
	struct running running = inputs_running(&h->in, c->namespace);
	struct decision d = {.canary = *c, .reason = h->terms.reason, .action = {.hold = HOLD_SET, .text = "hold"}};
	struct subject subject = {.canary = c->object};
	struct actor actor = h->run.actor;
	struct outcome o;

	actor.api = h->run.live->api;
	actor.flagger = &running.flagger;
	actor.terms = &h->terms;
	if (forbidden(h, &running.flagger)) {
		tell(h, c, DEED_REFUSED, forbidden(h, &running.flagger), true);
		return 0;
	}
	if (act_on(&o, &actor, &d, &subject, err) != 0)
		return -1;
	h->written++;
	live_via_expect(&h->run, c, &o);
	if (o.kind == OUTCOME_MOVED && h->moved_rounds < MAX_MOVED_ROUNDS)
		h->moved = true;
	else
		tell(h, c, o.held ? j->deed : live_deed(&d, &o), o.text, !o.held && o.kind != OUTCOME_GONE);
	return 0;
}

static int one(struct hold_run *h, const struct tree *object, bool last, struct error *err)
{
	struct canary c;
	struct error bad;
	struct judgement j;

	if (canary_read(&c, object, &bad) == 0)
		j = judge(h, &c);
	else
		j = leave(DEED_LEFT, arena_strdup(bad.text), true);
	if (j.do_what == JUDGE_HOLD && !last && !seen_has(&h->told, object))
		return hold_one(h, &c, &j, err);
	h->waiting += j.do_what == JUDGE_WAIT;
	if (!h->again && !last)
		live_via_expect(&h->run, &c, NULL);
	if (last)
		tell(h, &c, j.deed, j.text, j.open);
	return 0;
}

static int walk(struct hold_run *h, bool last, struct error *err)
{
	const struct dump *dump = &h->in.dump;

	h->written = h->waiting = 0;
	h->moved_rounds += h->moved;
	h->moved = false;
	for (size_t i = 0; i < dump->canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const struct tree *object = dump_fetch(dump, index_at(&dump->canaries, i), err);
		struct identity id = object_identity(object, "default");

		if (!object || (inputs_wanted(h->run.s, &id) && one(h, object, last, err) != 0))
			return -1;
		arena_rewind(mark);
	}
	return 0;
}

/* Asks, before the first write. */
static int begin(struct hold_run *h, struct error *err)
{
	size_t n;

	inputs_talk(&h->in, h->run.s);
	if (fleet_named(h->run.s, &h->in, err) != 0 || fleet_count(&n, h->run.s, &h->in, err) != 0)
		return -1;
	if (live_confirm(h->run.s, h->run.live, n, "hold", err) != 0)
		return -1;
	live_head(&h->run, &h->in);
	return 0;
}

/* 1: another round is needed, since something was written, or is waited for. */
static int round_of(struct hold_run *h, struct error *err)
{
	struct cluster_scope scope = live_scope(h->run.live, h->run.s);
	bool over;
	int result;

	scope.canaries_only = true;
	if (live_read(&h->in, &h->run, &scope, err) != 0)
		return -1;
	live_via_begin(&h->run, &h->in, h->in.dump.canaries.count);
	result = !h->run.begun && begin(h, err) != 0 ? -1 : walk(h, false, err);
	if (result == 0)
		result = live_via_wait(&h->run, err);
	h->again = true;
	over = h->run.actor.dry != DRY_NONE || h->run.refusal.kind != ERR_NONE || h->written + h->waiting == 0;
	if (result == 0 && over)
		result = walk(h, true, err);
	else if (result == 0)
		result = 1;
	dump_close(&h->in.dump);
	return result;
}

/* Lists again until nothing new appears: a Canary may be applied, or may settle, at any time. */
static int rounds(struct hold_run *h, struct error *err)
{
	size_t waited_for = 0;
	int result;

	for (;;) {
		struct arena_mark mark = arena_mark();

		result = round_of(h, err);
		arena_rewind(mark);
		if (result != 1)
			return result;
		if (h->waiting && h->waiting != waited_for)
			talk_waiting("%zu in flight, until they are settled%s", h->waiting,
				     h->in_flight == IN_FLIGHT_WAIT ? " or the wait is over" : "");
		waited_for = h->waiting;
		if (h->waiting && !h->written && !live_pause(h->run.live, POLL_MS))
			return error_set(err, ERR_TIMEOUT, "timeout: %zu canaries are in flight and not held yet", h->waiting);
	}
}

static int read_in_flight(struct hold_run *h, const char *text, struct error *err)
{
	int64_t wait = WAIT_MS;

	if (!text || strcmp(text, "wait") == 0)
		h->in_flight = IN_FLIGHT_WAIT;
	else if (strncmp(text, "wait:", 5) == 0) {
		if (clock_duration(&wait, text + 5, err) != 0)
			return error_wrap(err, "--in-flight");
	} else if (strcmp(text, "freeze") == 0)
		h->in_flight = IN_FLIGHT_FREEZE;
	else if (strcmp(text, "leave") == 0)
		h->in_flight = IN_FLIGHT_LEAVE;
	else
		return error_set(err, ERR_USAGE, "--in-flight: unknown word '%s', there are wait, wait:TIME, freeze, leave",
				 text);
	h->frozen_from = clock_deadline(wait > 0 ? wait : 1);
	return 0;
}

static int read_terms(struct hold_run *h, const struct settings *s, struct error *err)
{
	int64_t length, now = clock_now();

	if (!s->hold_for)
		return error_set(err, ERR_USAGE, "hold: for how long? pass --for TIME, e.g. --for 2h");
	if (clock_duration(&length, s->hold_for, err) != 0)
		return error_wrap(err, "--for");
	if (length < 1000)
		return error_set(err, ERR_USAGE, "--for: '%s' is no time to hold anything", s->hold_for);
	h->terms = (struct hold_terms){
		.held_for = "upgrade", .by = live_who("hold"), .at = clock_text(now),
		.until = clock_text(now + length / 1000), .reason = s->reason ? s->reason : "an upgrade of Flagger",
	};
	return read_in_flight(h, s->in_flight, err);
}

int verb_hold(const struct settings *s, struct error *err)
{
	struct live live;
	struct hold_run h = {.run = {.s = s, .live = &live, .verb = "hold", .actor = {.events = true}}};
	int result;

	if (inputs_refuse_contradictions(s, err) != 0 || live_dry_run(&h.run.actor.dry, s, err) != 0 ||
	    read_terms(&h, s, err) != 0 || live_connect(&live, s, err) != 0)
		return -1;
	h.told = seen_new();
	if (live_begin(&h.run, err) != 0)
		result = -1;
	else
		result = live_end(&h.run, rounds(&h, err) != 0, err);
	live_close(&live);
	return result;
}
