/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/proof.h"

#include <stdio.h>

#include "perch-test/command.h"
#include "perch-test/fixture.h"

static const char *const primaries[] = {
	[PRIMARY_UNREAD] = "unread", [PRIMARY_MISSING] = "missing", [PRIMARY_DIFFERS] = "differs",
	[PRIMARY_ACCEPTED] = "accepted", [PRIMARY_EQUAL] = "equal",
};

static void show(const struct fixture *f, const struct canary *c, const struct subject *s)
{
	struct proof proof;
	struct notes notes = {0};
	struct error err = {0};

	if (proof_judge(&proof, c, s, &f->flagger, NULL, false, &notes, &err) < 0) {
		printf("%s: %s\n", c->name, err.text);
		return;
	}
	printf("%s: %s, primary %s, provenance %d, applied %d%s%s\n", c->name,
	       proof.proved ? "proved" : "not proved", primaries[proof.primary], proof.provenance,
	       proof.applied, *proof.fingerprint ? ", " : "", proof.fingerprint);
	fixture_print_changes("real", &proof.real);
	fixture_print_changes("accepted", &proof.accepted);
	fixture_print_changes("unknowable", &proof.unknowable);
	fixture_print_changes("drift", &proof.drift);
	fixture_print_notes(&notes);
}

int test_proof(int argc, char **argv)
{
	return fixture_run(argc, argv, show);
}
