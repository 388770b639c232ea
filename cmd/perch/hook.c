/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/hook.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "perch/guard_record.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "report/termination.h"
#include "source/ask.h"

#define LAST_WORDS "15s" /* after --timeout, to end the app's holds */

const struct option hook_options[] = {
	{"app", 0, OPTION_TEXT, "APP",
	 "only canaries whose target is of this app, NAME or NAMESPACE/NAME, as Argo CD, Flux or Helm mark it; "
	 "PERCH_APP if not given", OPTION(app)},
	{"namespace", 'n', OPTION_TEXT, "NAMESPACE", "of the canaries; the Pod's or the context's if not given",
	 OPTION(namespace)},
	{"selector", 'l', OPTION_TEXT, "LABELS", "only canaries with these labels, e.g. app=web,tier!=cache",
	 OPTION(selector)},
	RENDERED_OPTIONS,
	POLICY_OPTION,
	{"hold", 0, OPTION_TEXT, "WHAT",
	 "policy (if not given): what runs for nothing, is shipped or held; all: every canary", OPTION(hold_what), "policy all"},
	{"for", 0, OPTION_TEXT, "TIME", "of a hold, if post never comes; 1h if not given", OPTION(hold_for)},
	{"on-error", 0, OPTION_TEXT, "HOW",
	 "what can't be done or known: proceed (if not given) ends the app's own holds, hold keeps them, fail keeps "
	 "them and fails", OPTION(on_error), "proceed hold fail"},
	{"flagger", 0, OPTION_TEXT, "RELEASE",
	 "the running Flagger, where neither its image tag nor guard names a release", OPTION(flagger)},
	{"flagger-namespace", 0, OPTION_TEXT, "NAMESPACE",
	 "of guard's ConfigMap; PERCH_FLAGGER_NAMESPACE, or flagger-system if not given", OPTION(flagger_namespace)},
	{"applier", 0, OPTION_TEXT, "HOW",
	 "server-side[=MANAGER], client-side, helm, replace or two-way; found from the live object if not given",
	 OPTION(applier), "server-side server-side= client-side helm replace two-way"},
	VIA_OPTION,
	CLUSTER_OPTIONS,
	WRITE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char hook_about[] =
	"The commit flow, in an app's own sync (hooks/argocd, hooks/flux). `pre`, with the rendered manifests,\n"
	"holds the canaries that the sync would set off for nothing, that are shipped and that policy holds; if\n"
	"one of the app's canaries isn't settled it holds none. `post` writes the hashes of what didn't change,\n"
	"ends the app's holds, ships, and leaves the rest to Flagger; `fail` does the same after a failed sync.\n"
	"Holds of an upgrade, of other apps and of others are left.\n"
	"\n"
	"examples:\n"
	"  perch hook pre --app web -f desired/\n"
	"  perch hook post --app web -f desired/ --timeout 15m\n"
	"\n"
	"environment:\n"
	"  PERCH_APP                --app\n"
	"  PERCH_FLAGGER_NAMESPACE  --flagger-namespace\n"
	"  PERCH_VIA                --via\n"
	"\n"
	"exit codes: 0 whatever the verdicts and, but for --on-error=fail, whatever fails, which the last line says;\n"
	"2 usage; with --on-error=fail also 2 unreadable input, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout,\n"
	"7 some are unknown or undone\n";

static const char *const phases[] = {[HOOK_PRE] = "pre", [HOOK_POST] = "post", [HOOK_FAIL] = "fail", NULL};

static int read_phase(struct hook *h, const struct settings *s, struct error *err)
{
	int phase;

	if (s->operands.count != 1)
		return error_set(err, ERR_USAGE, "hook: which one? pre, post or fail");
	if (options_word(&phase, "hook", s->operands.items[0], phases, err) != 0)
		return -1;
	h->phase = (enum hook_phase)phase;
	return 0;
}

static int read_settings(struct hook *h, const struct settings *s, struct error *err)
{
	static const char *const on_error[] = {"proceed", "hold", "fail", NULL};
	static const char *const hold[] = {"policy", "all", NULL};
	int how, what;

	*h = (struct hook){.s = *s};
	if (read_phase(h, s, err) != 0 || options_word(&how, "--on-error", s->on_error, on_error, err) != 0 ||
	    options_word(&what, "--hold", s->hold_what, hold, err) != 0)
		return -1;
	h->on_error = (enum hook_on_error)how;
	h->hold_all = what;
	h->s.operands = (struct strings){0};
	if (inputs_refuse_contradictions(&h->s, err) != 0 || live_dry_run(&h->run.actor.dry, s, err) != 0)
		return -1;
	if (clock_duration(&h->hold_ms, s->hold_for ? s->hold_for : "1h", err) != 0)
		return error_wrap(err, "--for");
	if (h->hold_ms < 1000)
		return error_set(err, ERR_USAGE, "--for: '%s' is no time to hold anything", s->hold_for);
	h->s.timeout = s->timeout ? s->timeout : "5m";
	return 0;
}

static void set_terms(struct hook *h)
{
	int64_t now = clock_now();

	h->commit = (struct hold_terms){
		.held_for = arena_printf("commit/%s", h->scope.holder),
		.by = live_who(arena_printf("hook %s", phases[h->phase])),
		.at = clock_text(now),
		.until = clock_text(now + h->hold_ms / 1000),
	};
	h->policy = h->commit;
	h->policy.held_for = arena_printf("policy/%s", h->scope.holder);
	h->policy.until = NULL;
	h->run.actor.terms = &h->policy; /* post sets no other */
}

static int open_inputs(struct hook *h, struct error *err)
{
	h->s.namespace = live_scope(&h->live, &h->s).namespace;
	if (app_scope_read(&h->scope, &h->s, h->s.namespace, err) != 0)
		return -1;
	h->s.selector = NULL;
	set_terms(h);
	h->given = (struct inputs){.dump = {.spool = -1}, .live = &h->live, .app = &h->scope};
	if (h->s.applier && applier_parse(&h->given.applier, h->s.applier, err) != 0)
		return -1;
	h->given.has_applier = h->s.applier != NULL;
	return 0;
}

/* Without it there would be no policy, and no word of that. */
static int find_files(const struct settings *s, struct error *err)
{
	for (size_t i = 0; i < s->files.count; i++)
		if (strcmp(s->files.items[i], "-") != 0 && access(s->files.items[i], R_OK) != 0)
			return error_set(err, ERR_INPUT, "can't read '%s': %s", s->files.items[i], strerror(errno));
	return 0;
}

/* Post decides what is live: of D it needs the policy alone. */
static int load(struct hook *h, struct error *err)
{
	if (find_files(&h->s, err) != 0)
		return -1;
	if (h->phase != HOOK_PRE)
		return inputs_load_policy(&h->given, &h->s, err);
	if (inputs_load_files(&h->given, &h->s, err) != 0)
		return -1;
	talk_warnings(&h->given.warnings, NULL);
	h->given.warnings = (struct notes){0};
	if (!h->given.has_desired)
		return 0;
	h->given.asking = NEW(struct asking);
	*h->given.asking = (struct asking){.api = h->live.api, .unsaid = !h->s.verbose};
	return 0;
}

/* The first that is neither Initialized nor Succeeded: Argo CD would wait for it, and post might never run. */
static int find_unsettled(struct hook *h, const struct inputs *in, struct error *err)
{
	*h->unsettled = '\0';
	for (size_t i = 0; !*h->unsettled && i < in->dump.canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const char *problem;
		const struct tree *object = dump_canary(&in->dump, i, &problem, err);
		struct error unreadable;
		struct canary c;

		if (!object)
			return -1;
		if (!problem && app_scope_has(&h->scope, &in->dump, object) && canary_read(&c, object, &unreadable) == 0 &&
		    !phase_settled(c.phase))
			snprintf(h->unsettled, sizeof(h->unsettled), "%s/%s is %s", c.namespace, c.name,
				 *phase_name(c.phase) ? phase_name(c.phase) : "not initialized");
		arena_rewind(mark);
	}
	return 0;
}

static int opened(void *arg, const struct inputs *in, struct error *err)
{
	struct hook *h = arg;
	size_t all = in->dump.canaries.count, n;
	const char *others = "";

	if (fleet_count(&n, &h->s, in, err) != 0 || (h->phase == HOOK_PRE && find_unsettled(h, in, err) != 0))
		return -1;
	if (n == 0 && h->scope.app)
		others = app_scope_others(&in->dump);
	snprintf(h->about, sizeof(h->about), "%zu of %zu canar%s in %s %s in scope%s%s%s%s", n, all,
		 all == 1 ? "y" : "ies", h->s.namespace, n == 1 ? "is" : "are", *others ? ", there are those of " : "",
		 others, *h->unsettled ? ", nothing is held since " : "", h->unsettled);
	h->run.tally.about = h->about;
	return 0;
}

static int after(void *arg, const struct decision *d, const struct outcome *o, struct error *err)
{
	struct hook *h = arg;
	bool undone = outcome_undone(o);

	(void)err;
	if (h->phase != HOOK_PRE && (o->shipped || (d->canary.shipped && !o->unshipped)))
		hook_ship_expect(h, &d->canary);
	if (o->kind == OUTCOME_REFUSED && h->on_error == ON_ERROR_FAIL && h->run.refusal.kind == ERR_NONE)
		error_set(&h->run.refusal, ERR_REFUSED, "%s/%s: %s", d->canary.namespace, d->canary.name, o->text);
	if (!undone && d->verdict != VERDICT_UNKNOWN)
		return 0;
	if (h->undone++ == 0)
		snprintf(h->first_undone, sizeof(h->first_undone), "%s/%s: %s", d->canary.namespace, d->canary.name,
			 undone ? o->text : d->reason);
	return 0;
}

static void set_run(struct hook *h)
{
	struct live_run *r = &h->run;

	r->s = &h->s;
	r->live = &h->live;
	r->flow = FLOW_COMMIT;
	r->verb = h->phase == HOOK_PRE ? "hook pre" : h->phase == HOOK_POST ? "hook post" : "hook fail";
	r->given = &h->given;
	r->guard_namespace = guard_record_namespace(h->s.flagger_namespace);
	r->actor.ship_or_run = h->on_error == ON_ERROR_PROCEED;
	r->actor.events = r->actor.dry == DRY_NONE;
	r->actor.trace = h->s.verbose ? talk_trace : NULL;
	r->unawaited = h->phase == HOOK_PRE; /* Flux applies it with the app, which waits for pre */
	r->opened = opened;
	r->before = h->phase == HOOK_PRE ? hook_pre_before : hook_post_before;
	r->after = after;
	r->arg = h;
}

/* The hooks' Jobs live a minute longer than --timeout. */
static int more_time(struct hook *h, struct error *err)
{
	live_close(&h->live);
	h->s.timeout = LAST_WORDS;
	return live_connect(&h->live, &h->s, err);
}

/* Whatever failed, where it is to proceed the app's holds end, as far as that can be done. */
static void end_own(struct hook *h, const struct error *cause)
{
	bool late = cause->kind == ERR_TIMEOUT || clock_passed(h->live.deadline);
	struct error err;

	if (h->phase == HOOK_PRE || h->on_error != ON_ERROR_PROCEED || cause->kind == ERR_USAGE)
		return;
	if ((late && more_time(h, &err) != 0) || hook_end_own(h, &err) != 0)
		talk_warning("the app's own holds may still be there: %s", err.text);
}

static int hook(struct hook *h, struct error *err)
{
	bool failed;
	int result;

	if (open_inputs(h, err) != 0)
		return -1;
	set_run(h);
	if (live_begin(&h->run, err) != 0)
		return -1;
	failed = load(h, err) != 0 || live_pass(&h->run, err) != 0 || hook_ship_wait(h, err) != 0;
	if (!failed && h->given.has_desired && h->n_unrendered && !h->n_rendered)
		talk_warning("of these canaries' targets none is among the manifests: nothing was judged by them");
	if (failed)
		end_own(h, err);
	result = live_end(&h->run, failed, err);
	if (result < 0 || !h->undone || h->on_error != ON_ERROR_FAIL)
		return result < 0 ? -1 : 0;
	return error_set(err, ERR_PARTIAL, "%zu not done or not known, %s", h->undone, h->first_undone);
}

/* The sync is worth more than the hook: unless it is to fail, it only says what failed. */
static int conclude(struct hook *h, int result, struct error *err)
{
	bool told = h->run.begun && h->run.tally.canaries;
	const char *done;

	if (result == 0 || h->on_error == ON_ERROR_FAIL || err->kind == ERR_USAGE)
		return result;
	talk_warning("%s; the sync goes on, as --on-error says", err->text);
	done = told ? tally_sentence(&h->run.tally) : arena_printf("perch hook %s", phases[h->phase]);
	termination_tell(arena_printf("%s%s%s; the sync goes on", done, told ? "; " : ": ", err->text),
			 told ? tally_facts(&h->run.tally) : NULL);
	return 0;
}

int verb_hook(const struct settings *s, struct error *err)
{
	struct hook h;
	int result;

	if (read_settings(&h, s, err) != 0)
		return -1;
	result = live_connect(&h.live, &h.s, err);
	if (result == 0) {
		result = hook(&h, err);
		live_close(&h.live);
	}
	return conclude(&h, result, err);
}
