/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "perch/guard_pods.h"
#include "perch/guard_record.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "report/termination.h"

const struct option guard_options[] = {
	{"on-unknown", 0, OPTION_TEXT, "HOW",
	 "a release that perch doesn't know is about to start: fail (if not given), hold or proceed", OPTION(on_unknown),
	 "fail hold proceed"},
	{"on-error", 0, OPTION_TEXT, "HOW",
	 "the API can't be reached or forbids: fail (if not given) or proceed", OPTION(on_error), "fail proceed"},
	{"in-flight", 0, OPTION_TEXT, "HOW",
	 "a canary in flight, where an older Flagger stays: leave (if not given) or freeze", OPTION(in_flight), "leave freeze"},
	{"hold-for", 0, OPTION_TEXT, "TIME", "until a hold is decided again; 24h if not given", OPTION(hold_for)},
	POLICY_FILE_OPTION,
	RELEASE_OPTIONS,
	{"kubeconfig", 0, OPTION_TEXT, "FILE", "as for kubectl; the Pod's account if not given", OPTION(kubeconfig)},
	{"context", 0, OPTION_TEXT, "NAME", "of the kubeconfig; its current one if not given", OPTION(context)},
	{"as", 0, OPTION_TEXT, "USER", "act as this service account; PERCH_AS if not given", OPTION(as)},
	{"timeout", 0, OPTION_TEXT, "TIME", "of the wait for other Flagger Pods; 5m if not given", OPTION(timeout)},
	WRITE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char guard_about[] =
	"The init container of Flagger's Pod (hooks/guard). It decides the fleet for the release that is about\n"
	"to start, writes its hashes where nothing changed, holds what can't be proved and leaves the rest to\n"
	"Flagger. A start without an upgrade writes nothing but ends earlier holds of guard's that aren't\n"
	"needed any more. Where an older Flagger's Pod stays it only holds; perch reconcile ends that.\n"
	"\n"
	"environment:\n"
	"  POD_NAME, POD_NAMESPACE  its own Pod, whose Flagger container names the release\n"
	"  PERCH_AS                 the service account to act as\n"
	"  PERCH_MODE=observe       print and write nothing\n"
	"\n"
	"exit codes: 0 Flagger may start, 2 usage, 3 API unreachable, 4 forbidden, 5 the release is unknown,\n"
	"7 something could not be written\n";

/* What the others of this start leave to do. */
enum mode {
	MODE_UPGRADE, /* other hashes than the last time: the action table */
	MODE_SAME,    /* the same: only what an unguarded release left, and guard's own holds */
	MODE_BESIDE,  /* an older Flagger stays: hold what would be adopted */
	MODE_UNKNOWN, /* no hash is known: hold all that is settled */
};

enum or_else { OR_FAIL, OR_HOLD, OR_PROCEED };

struct guard {
	struct settings s; /* as given, with the scope of this Flagger */
	struct live live;
	enum or_else on_unknown, on_error;
	bool freeze;
	enum dry_run dry;
	int64_t wait_ms, hold_ms;
	enum mode mode;
	struct guard_pod pod;
	struct guarded last, now;
	bool has_last;
	size_t undone;      /* canaries that Flagger would now start, or that aren't held as they should be */
	char first_undone[512];
};

static int read_mode(struct guard *g, struct error *err)
{
	const char *mode = getenv("PERCH_MODE");

	if (!mode || !*mode)
		return 0;
	if (strcmp(mode, "observe") != 0)
		return error_set(err, ERR_USAGE, "PERCH_MODE is '%s', there is observe", mode);
	if (g->dry == DRY_NONE)
		g->dry = DRY_CLIENT;
	return 0;
}

static int duration(int64_t *out, const char *option, const char *text, struct error *err)
{
	if (clock_duration(out, text, err) != 0)
		return error_wrap(err, "%s", option);
	return *out > 0 ? 0 : error_set(err, ERR_USAGE, "%s: '%s' is no time", option, text);
}

static int read_settings(struct guard *g, const struct settings *s, struct error *err)
{
	static const char *const unknown[] = {"fail", "hold", "proceed", NULL};
	static const char *const error[] = {"fail", "proceed", NULL};
	static const char *const in_flight[] = {"leave", "freeze", NULL};
	int on_unknown, on_error, freeze;

	*g = (struct guard){.s = *s};
	if (options_word(&on_unknown, "--on-unknown", s->on_unknown, unknown, err) != 0 ||
	    options_word(&on_error, "--on-error", s->on_error, error, err) != 0 ||
	    options_word(&freeze, "--in-flight", s->in_flight, in_flight, err) != 0 ||
	    duration(&g->wait_ms, "--timeout", s->timeout ? s->timeout : "5m", err) != 0 ||
	    duration(&g->hold_ms, "--hold-for", s->hold_for ? s->hold_for : "24h", err) != 0 ||
	    live_dry_run(&g->dry, s, err) != 0 || read_mode(g, err) != 0)
		return -1;
	g->on_unknown = (enum or_else)on_unknown;
	g->on_error = on_error ? OR_PROCEED : OR_FAIL;
	g->freeze = freeze;
	g->s.timeout = NULL; /* the wait's alone: what comes after it needs its time too */
	if (!g->s.as && getenv("PERCH_AS") && *getenv("PERCH_AS"))
		g->s.as = getenv("PERCH_AS");
	return 0;
}

/* Flagger's -namespace is guard's scope. */
static void take_scope(struct guard *g)
{
	const char *watches = g->pod.running.watches;

	g->s.namespace = *watches ? watches : NULL;
	g->s.all_namespaces = !*watches;
}

static void set_action(struct decision *d, enum hold hold, const char *text)
{
	d->action = (struct action){.hashes = HASHES_LEAVE, .hold = hold, .text = text};
}

static bool own_hold(const struct canary *c)
{
	return holder_of(c) == HOLDER_UPGRADE && strncmp(c->held_by, "perch guard", 11) == 0;
}

/* No upgrade: what is left is an earlier guard's hold, or a hash that a release without guard left behind. */
static void decide_same(struct decision *d)
{
	bool left_behind = d->action.hashes != HASHES_LEAVE && d->explains_applied;

	if (!own_hold(&d->canary) && !left_behind)
		set_action(d, HOLD_LEAVE, "no upgrade, left as it is");
}

/* A hash that is right for the new Flagger would start the old one. */
static void decide_beside(const struct guard *g, struct decision *d)
{
	bool alert = d->action.alert;
	enum holder holder = holder_of(&d->canary);
	bool freeze = d->verdict == VERDICT_BUSY && g->freeze && d->canary.target_kind != KIND_DAEMONSET;
	bool hold = d->verdict == VERDICT_BUSY ? freeze
					       : d->action.hashes != HASHES_LEAVE || d->action.hold == HOLD_SET;

	if (hold && holder == HOLDER_NOBODY)
		set_action(d, HOLD_SET, "another Flagger still runs, perch reconcile ends this");
	else
		set_action(d, holder == HOLDER_UPGRADE ? HOLD_KEEP : HOLD_LEAVE, "another Flagger still runs");
	d->action.alert = alert;
}

static void decide_unknown(struct decision *d)
{
	bool hold = phase_settled(d->canary.phase) || d->canary.phase == PHASE_FAILED;

	set_action(d, hold && holder_of(&d->canary) == HOLDER_NOBODY ? HOLD_SET : HOLD_LEAVE,
		   "perch doesn't know the Flagger that starts");
}

static int before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct guard *g = arg;

	(void)skip;
	(void)err;
	switch (g->mode) {
	case MODE_UPGRADE:
		break;
	case MODE_SAME:
		decide_same(d);
		break;
	case MODE_BESIDE:
		decide_beside(g, d);
		break;
	case MODE_UNKNOWN:
		decide_unknown(d);
		break;
	}
	return 0;
}

/*
 * A hash that isn't written starts a rollout of nothing, so Flagger had better wait; a hold in its
 * stead counts as much. An unproved canary that can't be held is another matter: Flagger's analysis
 * is its safe end. So is a hold that can't be ended.
 */
static int after(void *arg, const struct decision *d, const struct outcome *o, struct error *err)
{
	struct guard *g = arg;
	bool undone = outcome_undone(o);
	bool no_hash = d->action.hashes != HASHES_LEAVE && !o->hashes;
	bool no_hold = d->action.hold == HOLD_SET && g->mode != MODE_UPGRADE;

	(void)err;
	if (undone && !no_hash && !no_hold && d->action.hold == HOLD_SET)
		talk_warning("%s/%s isn't held and will be analysed, though nothing is known to have changed: %s",
			     d->canary.namespace, d->canary.name, o->text);
	if (!undone || (!no_hash && !no_hold))
		return 0;
	if (g->undone++ == 0)
		snprintf(g->first_undone, sizeof(g->first_undone), "%s/%s: %s", d->canary.namespace, d->canary.name,
			 o->text);
	return 0;
}

static const char *release_of(const struct guarded *g)
{
	return *g->release ? g->release : g->image;
}

static const char *about(const struct guard *g, const char *stay)
{
	if (stay)
		return arena_printf("Flagger %s beside %s", release_of(&g->now), stay);
	if (g->has_last && strcmp(release_of(&g->last), release_of(&g->now)) != 0)
		return arena_printf("Flagger %s → %s", release_of(&g->last), release_of(&g->now));
	return arena_printf("Flagger %s", release_of(&g->now));
}

static int act(struct guard *g, const char *stay, struct error *err)
{
	int64_t now = clock_now();
	struct hold_terms terms = {
		.held_for = "upgrade",
		.by = live_who("guard"),
		.at = clock_text(now),
		.until = clock_text(now + g->hold_ms / 1000),
	};
	struct live_run run = {
		.s = &g->s,
		.live = &g->live,
		.flow = FLOW_GUARD,
		.actor = {.dry = g->dry, .terms = &terms, .events = g->dry == DRY_NONE, .trace = g->s.verbose ? talk_trace : NULL},
		.running = &g->pod.running,
		.before = before,
		.after = after,
		.arg = g,
		.about = about(g, stay),
	};
	int result;

	if (live_begin(&run, err) != 0)
		return -1;
	result = live_pass(&run, err);
	run.refusal.kind = ERR_NONE; /* that is --on-unknown's to say */
	if (live_end(&run, result != 0, err) < 0)
		return -1;
	if (g->undone)
		return error_set(err, ERR_PARTIAL, "%zu not done, %s", g->undone, g->first_undone);
	return 0;
}

/* Before the first write: from here on a hook that wrote the last one's hashes would set off the next one. */
static int begin(const struct guard *g, struct error *err)
{
	return g->has_last ? guard_record_begin(&g->last, &g->now, &g->live, g->pod.namespace, g->dry, err) : 0;
}

/* Last of all, so that a guard that was killed is followed by one that does the rest. */
static int publish(struct guard *g, struct error *err)
{
	if (g->has_last && guarded_same(&g->last, &g->now))
		return 0;
	return guard_record_publish(&g->now, &g->live, g->pod.namespace, g->dry, err);
}

/* What a guard has begun with and not done may have left hashes of another, be it on the way back. */
static bool is_same(const struct guard *g)
{
	return g->has_last && !g->last.begun && guarded_alike(&g->last, &g->now);
}

static int known(struct guard *g, struct error *err)
{
	const char *stay;

	if (guard_pods_wait(&stay, &g->pod, &g->live, clock_deadline(g->wait_ms), err) != 0)
		return -1;
	g->mode = stay ? MODE_BESIDE : is_same(g) ? MODE_SAME : MODE_UPGRADE;
	if ((g->mode == MODE_UPGRADE && begin(g, err) != 0) || act(g, stay, err) != 0)
		return -1;
	if (!stay)
		return publish(g, err);
	talk_warning("Flagger %s still runs: perch reconcile writes the hashes once it is gone, and ends the holds", stay);
	return 0;
}

static int unknown(struct guard *g, struct error *err)
{
	const char *problem = g->pod.running.flagger.problem;

	if (is_same(g)) {
		talk_warning("%s; it was let start before, nothing is written", problem);
		return 0;
	}
	if (g->on_unknown == OR_FAIL)
		return error_set(err, ERR_REFUSED, "%s%s; or say --on-unknown=hold", problem,
				 g->has_last ? arena_printf("; or go back to %s", release_of(&g->last)) : "");
	talk_warning("%s", problem);
	g->mode = MODE_UNKNOWN;
	if (g->on_unknown == OR_HOLD && (begin(g, err) != 0 || act(g, NULL, err) != 0))
		return -1;
	return publish(g, err);
}

static int guard(struct guard *g, struct error *err)
{
	struct notes warnings = {0};

	if (guard_pod_read(&g->pod, &g->s, &g->live, &warnings, err) != 0 ||
	    guard_record_read(&g->last, &g->has_last, &g->live, g->pod.namespace, err) != 0)
		return -1;
	talk_warnings(&warnings, NULL);
	take_scope(g);
	g->now = guarded_of(&g->pod.running, clock_text(clock_now()));
	return g->pod.running.flagger.k8s ? known(g, err) : unknown(g, err);
}

/* Those that another try may mend. What is said of the command line or the release is not one. */
static bool is_outside(enum error_kind kind)
{
	return kind == ERR_UNREACHABLE || kind == ERR_FORBIDDEN || kind == ERR_TIMEOUT || kind == ERR_PARTIAL;
}

int verb_guard(const struct settings *s, struct error *err)
{
	struct guard g;
	int result;

	if (read_settings(&g, s, err) != 0)
		return -1;
	result = live_connect(&g.live, &g.s, err);
	if (result == 0) {
		result = guard(&g, err);
		live_close(&g.live);
	}
	if (result == 0 || g.on_error != OR_PROCEED || !is_outside(err->kind))
		return result;
	talk_warning("%s; Flagger starts all the same, as --on-error says", err->text);
	termination_tell(arena_printf("perch guard: %s; Flagger starts all the same", err->text), NULL);
	return 0;
}
