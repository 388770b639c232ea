/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/fleet.h"
#include "perch/verb.h"
#include "report/report.h"

const struct option explain_options[] = {
	DECISION_OPTIONS,
	CLUSTER_OPTIONS,
	NAMESPACE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char explain_about[] =
	"Shows one canary (NAME, or NAMESPACE/NAME) in full: its hashes and which schema explains each, its\n"
	"target against its primary, the verdict and why.\n"
	"\n"
	"examples:\n"
	"  perch explain -n shop cart\n"
	"  perch explain --live dump.json shop/cart\n"
	"\n"
	"exit codes: those of plan\n";

struct run {
	struct report report;
	enum flow flow;
	int code;
};

static int on_canary(void *arg, const struct subject *subject, const struct decision *d,
		     const struct flagger *flagger, struct error *err)
{
	struct run *r = arg;
	struct plan_head head = {flagger, 0, 0, false};
	struct plan_item item = {d, subject, r->flow, NULL};

	(void)err;
	r->code = verdict_exit_code(d->verdict);
	REPORT(&r->report, explain, &head, &item);
	return 0;
}

int verb_explain(const struct settings *s, struct error *err)
{
	struct run r = {.flow = FLOW_NONE};
	struct inputs in;
	struct fleet_walk walk = {.s = s, .in = &in, .canary = on_canary, .arg = &r};
	int result;

	if (report_open(&r.report, s->output, err) != 0)
		return -1;
	if (s->operands.count != 1)
		return error_set(err, ERR_USAGE, "explain: name one canary");
	if (fleet_flow(&r.flow, s, err) != 0)
		return -1;
	if (fleet_open(&in, s, &r.report, err) != 0)
		return -1;
	walk.flow = r.flow;
	result = fleet_one("explain", s, &in, err) || fleet_walk(&walk, err) || report_close(&r.report, err) ? -1 : 0;
	inputs_close(&in);
	return result != 0 ? -1 : r.code;
}
