/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/fleet.h"
#include "perch/verb.h"
#include "report/report.h"
#include "report/talk.h"

const struct option plan_options[] = {
	DECISION_OPTIONS,
	CLUSTER_OPTIONS,
	SCOPE_OPTIONS,
	CI_OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char plan_about[] =
	"Decides each canary of the cluster, or of a dump, and writes nothing: with rendered manifests, what\n"
	"they would mean for the canaries that they touch; without, what Flagger would do with the targets as\n"
	"they are. Where the account may, the server is asked what it would make of the manifests.\n"
	"\n"
	"examples:\n"
	"  perch plan -A\n"
	"  perch plan -n shop cart -f out/\n"
	"  perch plan --live dump.json --git . --path deploy\n"
	"  perch plan --live dump.json --flow guard -o json\n"
	"\n"
	"exit codes: 0 nothing to do, 1 something, 2 usage or unreadable input, 3 cluster or Git unreachable,\n"
	"4 forbidden, 6 timeout, 7 something unknown or unproved\n";

struct run {
	const struct inputs *in;
	struct report report;
	struct plan_summary summary;
	enum flow flow;
	int code;
};

/* 7 outranks 1. */
static void raise(int *code, int to)
{
	if (*code < to)
		*code = to;
}

static int on_canary(void *arg, const struct subject *subject, const struct decision *d,
		     const struct flagger *flagger, struct error *err)
{
	struct run *r = arg;
	struct plan_item item = {d, subject, r->flow, fleet_desired(&r->in->fleet, &d->canary)};

	(void)flagger;
	(void)err;
	r->summary.canaries++;
	r->summary.verdicts[d->verdict]++;
	raise(&r->code, verdict_exit_code(d->verdict));
	REPORT(&r->report, plan_item, &item);
	return 0;
}

static int run(struct run *r, const struct settings *s, const struct inputs *in, struct error *err)
{
	struct running running = inputs_running(in, s->namespace);
	struct plan_head head = {&running.flagger, in->dump.namespace_width, in->dump.name_width, in->has_desired};
	struct fleet_walk walk = {
		.s = s,
		.in = in,
		.flow = r->flow,
		.touched_only = in->has_desired && !s->operands.count,
		.canary = on_canary,
		.arg = r,
	};

	r->in = in;
	if (running.flagger.evidence == EVIDENCE_GUESS)
		talk_warning("flagger: the running release isn't known; %s is guessed from the stored hashes, say "
			     "--flagger", release_text(&running.flagger.release));
	REPORT(&r->report, plan_begin, &head);
	if (fleet_walk(&walk, err) != 0)
		return -1;
	REPORT(&r->report, plan_end, &r->summary);
	return report_close(&r->report, err);
}

int verb_plan(const struct settings *s, struct error *err)
{
	struct run r = {.flow = FLOW_NONE};
	struct inputs in;
	int result;

	if (report_open_ci(&r.report, s->output, err) != 0)
		return -1;
	if (fleet_flow(&r.flow, s, err) != 0)
		return -1;
	if (fleet_open(&in, s, &r.report, err) != 0)
		return -1;
	if (!in.dump.canaries.count)
		talk_warning("no Canary in the %s", inputs_source(&in));
	result = run(&r, s, &in, err);
	inputs_close(&in);
	return result != 0 ? -1 : r.code;
}
