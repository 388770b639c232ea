/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/live.h"
#include "perch/rollout.h"
#include "perch/verb.h"

const struct option reconcile_options[] = {
	VIA_OPTION,
	FLEET_WRITE_OPTIONS,
	NO_MORE_OPTIONS,
};
const char reconcile_about[] =
	"After a rolling upgrade of Flagger: waits until the old release's Pods are gone, then decides every\n"
	"canary. What is proved unchanged gets the new release's hashes and its hold ended; a real change\n"
	"and what isn't proved stay held, for `perch resume`.\n"
	"\n"
	"examples:\n"
	"  perch reconcile -A --timeout 10m --yes\n"
	"  perch reconcile -n shop --dry-run=client\n"
	"\n"
	"exit codes: 0 done, 2 usage, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout, 7 some are unknown,\n"
	"unproved or undone\n";

int verb_reconcile(const struct settings *s, struct error *err)
{
	struct live live;
	struct live_run run = {.s = s, .live = &live, .flow = FLOW_RECONCILE, .actor = {.events = true}};
	int result;

	if (inputs_refuse_contradictions(s, err) != 0 || live_dry_run(&run.actor.dry, s, err) != 0 ||
	    live_connect(&live, s, err) != 0)
		return -1;
	result = rollout_wait(&run, err) != 0 ? -1 : live_run(&run, err);
	live_close(&live);
	return result;
}
