/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch/live.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "report/termination.h"

#define FIRST_POLL_MS 2000
#define LAST_POLL_MS 5000

const struct option wait_options[] = {
	{"for", 0, OPTION_TEXT, "WHAT",
	 "promoted (the target as it is now) or settled (whatever Flagger is doing is over); needed",
	 OPTION(wait_for), "promoted settled"},
	NAMESPACE_OPTIONS,
	RELEASE_OPTIONS,
	CLUSTER_OPTIONS,
	{"log-format", 0, OPTION_TEXT, "FORMAT", "of messages: text or json", OPTION(log_format), "text json"},
	{"verbose", 'v', OPTION_SWITCH, NULL, "say what was read and left out", OPTION(verbose)},
	NO_MORE_OPTIONS,
};
const char wait_about[] =
	"Waits for one canary. The condition that a previous promotion left behind never counts: promoted is\n"
	"when the primary has what the target has now, and Flagger is done with it. One that is suspended is\n"
	"said to be, and waited for.\n"
	"\n"
	"examples:\n"
	"  perch wait -n shop cart --for promoted --timeout 30m\n"
	"  perch wait shop/cart --for settled\n"
	"\n"
	"exit codes: 0 it is, 2 usage or no such canary, 3 API unreachable, 4 forbidden, 6 timeout, 8 the\n"
	"canary failed\n";

struct waiting {
	struct live_run run;
	bool promoted;  /* else settled */
	bool over;
	char said[256]; /* last */
};

enum answer_now { NOW_YES, NOW_FAILED, NOW_NOT };

static enum answer_now settled(const struct canary *c)
{
	if (c->phase == PHASE_FAILED)
		return NOW_FAILED;
	return phase_settled(c->phase) ? NOW_YES : NOW_NOT;
}

/* A failed canary whose target has changed since will be run again: that is waited for. */
static bool runs_again(const struct decision *d)
{
	return d->verdict == VERDICT_RUN || d->verdict == VERDICT_SHIP || d->verdict == VERDICT_ADOPT ||
	       d->verdict == VERDICT_UNPROVED || d->verdict == VERDICT_UNKNOWN;
}

static enum answer_now promoted(const struct decision *d)
{
	const struct canary *c = &d->canary;
	bool proved = d->proof.proved || c->target_kind == KIND_KNATIVE;

	if (c->phase == PHASE_FAILED)
		return runs_again(d) ? NOW_NOT : NOW_FAILED;
	return phase_settled(c->phase) && proved && d->verdict == VERDICT_NONE &&
	       d->trigger.would_run == ANSWER_NO ? NOW_YES : NOW_NOT;
}

/* Each change of state, once. */
static void say(struct waiting *w, const struct decision *d)
{
	const struct canary *c = &d->canary;
	const char *text = arena_printf("%s, weight %lld%s%s", *phase_name(c->phase) ? phase_name(c->phase) : "new",
					(long long)c->weight, c->suspended ? ", suspended by " : "",
					!c->suspended ? "" : c->held ? "perch" : "others");

	if (strncmp(text, w->said, sizeof(w->said) - 1) == 0)
		return;
	snprintf(w->said, sizeof(w->said), "%s", text);
	if (c->suspended)
		talk_canary_warning(c->namespace, c->name, text);
	else
		talk_canary_info(c->namespace, c->name, text);
	termination_so_far("%s/%s is %s", c->namespace, c->name, text);
}

static int conclude(const struct waiting *w, const struct decision *d, enum answer_now now, struct error *err)
{
	const struct canary *c = &d->canary;

	if (now == NOW_FAILED)
		return error_set(err, ERR_FAILED, "%s/%s failed: %s", c->namespace, c->name,
				 w->promoted ? d->reason : "its analysis did not pass");
	talk_done("%s/%s is %s", c->namespace, c->name, w->promoted ? "promoted" : phase_name(c->phase));
	termination_tell(arena_printf("perch wait: %s/%s is %s", c->namespace, c->name,
				      w->promoted ? "promoted" : "settled"), NULL);
	return 0;
}

static int on_canary(void *arg, const struct subject *subject, const struct decision *d,
		     const struct flagger *flagger, struct error *err)
{
	struct waiting *w = arg;
	enum answer_now now = w->promoted ? promoted(d) : settled(&d->canary);

	(void)subject;
	(void)flagger;
	w->over = now != NOW_NOT;
	if (w->over)
		return conclude(w, d, now, err);
	say(w, d);
	return 0;
}

static int look(struct waiting *w, bool first, struct error *err)
{
	struct cluster_scope scope = live_scope(w->run.live, w->run.s);
	struct inputs in;
	struct fleet_walk walk = {.s = w->run.s, .in = &in, .canary = on_canary, .arg = w, .quiet = !first};
	int result;

	scope.canaries_only = !w->promoted;
	if (live_read(&in, &w->run, &scope, err) != 0)
		return -1;
	in.guessed_minor = w->promoted ? running_guess(&in.dump) : 0;
	if (first)
		inputs_talk(&in, w->run.s);
	result = fleet_named(w->run.s, &in, err) || fleet_one("wait", w->run.s, &in, err) || fleet_walk(&walk, err)
			 ? -1
			 : 0;
	dump_close(&in.dump);
	return result;
}

static int wait_for(struct waiting *w, struct error *err)
{
	int64_t pause = FIRST_POLL_MS;

	for (bool first = true;; first = false) {
		struct arena_mark mark = arena_mark();

		if (look(w, first, err) != 0)
			return -1;
		arena_rewind(mark);
		if (w->over)
			return 0;
		if (!live_pause(w->run.live, pause))
			return error_set(err, ERR_TIMEOUT, "timeout: '%s' isn't %s: %s", w->run.s->operands.items[0],
					 w->promoted ? "promoted" : "settled", w->said);
		pause = pause * 5 / 4 < LAST_POLL_MS ? pause * 5 / 4 : LAST_POLL_MS;
	}
}

static int read_what(struct waiting *w, const struct settings *s, struct error *err)
{
	if (s->operands.count != 1)
		return error_set(err, ERR_USAGE, "wait: name one canary");
	if (!s->wait_for)
		return error_set(err, ERR_USAGE, "wait: for what? pass --for promoted or --for settled");
	w->promoted = strcmp(s->wait_for, "promoted") == 0;
	if (!w->promoted && strcmp(s->wait_for, "settled") != 0)
		return error_set(err, ERR_USAGE, "--for: unknown word '%s', there are promoted, settled", s->wait_for);
	return 0;
}

int verb_wait(const struct settings *s, struct error *err)
{
	struct live live;
	struct waiting w = {.run = {.s = s, .live = &live}};
	int result;

	if (inputs_refuse_contradictions(s, err) != 0 || read_what(&w, s, err) != 0 || live_connect(&live, s, err) != 0)
		return -1;
	result = wait_for(&w, err);
	live_close(&live);
	return result;
}
