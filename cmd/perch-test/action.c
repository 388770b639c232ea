/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "decide/action.h"
#include "perch-test/command.h"

static const char *const holders[] = {
	[HOLDER_NOBODY] = "nobody", [HOLDER_UPGRADE] = "upgrade", [HOLDER_COMMIT] = "commit",
	[HOLDER_POLICY] = "policy", [HOLDER_MANUAL] = "manual",   [HOLDER_OTHERS] = "others",
};

static void print_cell(const struct circumstances *c, const char *proof)
{
	struct action a = action_of(c);

	printf("%-9s %-8s %-16s %-9s %-7s %-5s %s%s%s\n", flow_name(c->flow), holders[c->holder],
	       phase_name(c->phase), proof, hashes_name(a.hashes), hold_name(a.hold), a.text,
	       a.ship ? " [ship]" : "", a.alert ? " [alert]" : "");
}

/* Cells whose hashes depend on phase and proof are shown under each of them. */
static void print_flow(struct circumstances c)
{
	static const enum phase busy[] = {PHASE_WAITING, PHASE_PROGRESSING, PHASE_WAITING_PROMOTION,
					  PHASE_PROMOTING, PHASE_FINALISING};
	static const char *const proofs[] = {"-", "(b)", "(d)"};

	c.phase = c.verdict == VERDICT_FAILED ? PHASE_FAILED : PHASE_SUCCEEDED;
	print_cell(&c, "-");
	if (c.verdict == VERDICT_FAILED) {
		c.promoted_found = true;
		print_cell(&c, "in history");
	}
	for (size_t i = 0; c.verdict == VERDICT_BUSY && i < sizeof(busy) / sizeof(*busy); i++) {
		for (int p = 0; p < 3; p++) {
			c.phase = busy[i];
			c.equals_primary = p == 1;
			c.equals_applied = p == 2;
			print_cell(&c, proofs[p]);
		}
	}
}

int test_action(int argc, char **argv)
{
	for (int v = 0; argc == 2 && v < VERDICT_COUNT; v++) {
		if (strcmp(verdict_name((enum verdict)v), argv[1]) != 0)
			continue;
		for (int f = FLOW_GUARD; f <= FLOW_COMMIT; f++)
			for (int h = HOLDER_NOBODY; h <= HOLDER_OTHERS; h++)
				print_flow((struct circumstances){.verdict = (enum verdict)v,
								  .flow = (enum flow)f,
								  .holder = (enum holder)h,
								  .release_known = true});
		return 0;
	}
	fputs("usage: perch-test action VERDICT\n", stderr);
	return 2;
}
