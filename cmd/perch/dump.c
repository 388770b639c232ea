/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "perch/live.h"
#include "perch/verb.h"
#include "report/talk.h"

const struct option dump_options[] = {
	{"secrets", 0, OPTION_SWITCH, NULL,
	 "read Secrets too, and write their checksums; never their data", OPTION(secrets)},
	CLUSTER_OPTIONS,
	NAMESPACE_OPTIONS,
	{"verbose", 'v', OPTION_SWITCH, NULL, "say what was asked of the cluster", OPTION(verbose)},
	NO_MORE_OPTIONS,
};
const char dump_about[] =
	"Writes what perch reads of a cluster to standard output, to be read by --live: canaries, their targets\n"
	"and primaries, revisions, autoscalers and ConfigMaps. Secrets are left out; with --secrets their data is\n"
	"replaced by the checksum that Flagger compares.\n"
	"\n"
	"example:\n"
	"  perch dump -A >dump.json\n"
	"\n"
	"exit codes: 0 written, 2 usage, 3 cluster unreachable, 4 forbidden, 6 timeout\n";

static int write_dump(const struct live *l, const struct settings *s, struct error *err)
{
	struct cluster_scope scope = live_scope(l, s);
	struct notes warnings = {0};
	bool no_canaries;

	if (cluster_write(STDOUT_FILENO, l->api, &scope, &no_canaries, &warnings, err) != 0)
		return -1;
	talk_warnings(&warnings, NULL);
	if (no_canaries)
		talk_warning("canaries: the server knows no such kind, Flagger isn't installed there");
	return 0;
}

int verb_dump(const struct settings *s, struct error *err)
{
	struct live live;
	int result;

	if (inputs_refuse_contradictions(s, err) != 0 || live_connect(&live, s, err) != 0)
		return -1;
	result = write_dump(&live, s, err);
	live_close(&live);
	return result;
}
