/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/queries.h"
#include "perch/fleet.h"
#include "perch/verb.h"
#include "report/report.h"
#include "report/talk.h"

const struct option predict_options[] = {
	{"to", 0, OPTION_TEXT, "RELEASE", "the Flagger to come, e.g. 1.44 or 1.43.0", OPTION(to)},
	{"from", 0, OPTION_TEXT, "RELEASE",
	 "the Flagger that runs now; read from its image tag if not given", OPTION(from)},
	LIVE_OPTIONS,
	POLICY_FILE_OPTION,
	{"server-version", 0, OPTION_TEXT, "MINOR",
	 "of the API server, e.g. 1.34; the dump's, else the newest", OPTION(server_version)},
	{"selector-labels", 0, OPTION_TEXT, "LABELS",
	 "Flagger's -selector-labels; read from its arguments if not given", OPTION(selector_labels)},
	CLUSTER_OPTIONS,
	SCOPE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char predict_about[] =
	"Computes the hashes of the Flagger to come over the targets as they are, and tells which canaries\n"
	"it would roll: those with a real change, and those that would roll for nothing.\n"
	"\n"
	"examples:\n"
	"  perch predict --to 1.44 -A\n"
	"  perch predict --to 1.44 --live dump.json\n"
	"\n"
	"exit codes: 0 none would run, 1 some would, 2 usage or unreadable input, 3 cluster unreachable,\n"
	"4 forbidden, 6 timeout, 7 something unknown or unproved\n";

struct run {
	struct report report;
	struct predict_summary summary;
};

/* Is there a reason to analyse anything, whatever the hash says? */
static enum answer is_real(const struct decision *d)
{
	if (d->verdict == VERDICT_UNKNOWN || d->verdict == VERDICT_UNPROVED ||
	    d->verdict == VERDICT_PRIMARY_MISSING)
		return ANSWER_UNKNOWN;
	return d->changes.count || (d->canary.has_status && !*d->canary.applied) ? ANSWER_YES : ANSWER_NO;
}

static size_t *counter(struct predict_summary *s, const struct decision *d, enum answer real)
{
	if (d->trigger.would_run == ANSWER_UNKNOWN || d->verdict == VERDICT_UNKNOWN)
		return &s->unknown;
	if (d->trigger.would_run == ANSWER_NO)
		return &s->quiet;
	if (d->canary.suspended)
		return &s->suspended;
	if (d->verdict == VERDICT_UNPROVED)
		return &s->unproved;
	if (d->verdict == VERDICT_PRIMARY_MISSING)
		return &s->rebuild;
	if (d->verdict == VERDICT_FAILED)
		return &s->retry;
	if (phase_in_flight(d->canary.phase))
		return &s->start_over;
	return real == ANSWER_YES ? &s->for_change : &s->for_nothing;
}

static int on_canary(void *arg, const struct subject *subject, const struct decision *d,
		     const struct flagger *flagger, struct error *err)
{
	struct run *r = arg;
	struct predict_item item = {d, is_real(d)};

	(void)flagger;
	(void)err;
	r->summary.canaries++;
	++*counter(&r->summary, d, item.real);
	if (d->trigger.would_run == ANSWER_YES && !d->canary.suspended)
		r->summary.queries += queries_per_hour(subject->canary);
	REPORT(&r->report, predict_item, &item);
	return 0;
}

static int exit_code(const struct predict_summary *s)
{
	if (s->unknown || s->unproved)
		return error_exit_code(ERR_PARTIAL);
	return s->quiet < s->canaries ? EXIT_CHANGED : 0;
}

static int run(struct run *r, const struct settings *s, const struct inputs *in, const struct release *to,
	       struct error *err)
{
	struct running now = inputs_running(in, s->namespace);
	struct flagger after = fleet_coming(&now.flagger, to);
	struct predict_head head = {&now.flagger, &after, in->dump.namespace_width, in->dump.name_width};
	struct fleet_walk walk = {.s = s, .in = in, .to = to, .canary = on_canary, .arg = r};

	if (!now.flagger.k8s)
		talk_warning("flagger: the running release isn't known: %s", now.flagger.problem);
	REPORT(&r->report, predict_begin, &head);
	if (fleet_walk(&walk, err) != 0)
		return -1;
	REPORT(&r->report, predict_end, &r->summary);
	return report_close(&r->report, err);
}

int verb_predict(const struct settings *s, struct error *err)
{
	struct run r = {0};
	struct release to;
	struct inputs in;
	int result;

	if (report_open(&r.report, s->output, err) != 0)
		return -1;
	if (!s->to)
		return error_set(err, ERR_USAGE, "predict: which release comes? pass --to RELEASE");
	if (release_parse(&to, s->to, err) != 0)
		return error_wrap(err, "--to");
	if (fleet_open(&in, s, &r.report, err) != 0)
		return -1;
	if (!in.dump.canaries.count)
		talk_warning("no Canary in the %s", inputs_source(&in));
	result = run(&r, s, &in, &to, err);
	inputs_close(&in);
	return result != 0 ? -1 : exit_code(&r.summary);
}
