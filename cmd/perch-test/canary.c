/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "perch-test/command.h"
#include "perch-test/fixture.h"

static void show_hold(const struct canary *c)
{
	printf("  held: %s\n", c->held ? "yes" : "no");
	if (*c->held_for)
		printf("  hold: for %s, by %s, at %s, until %s, because %s\n", c->held_for, c->held_by,
		       c->held_at, c->held_until, c->held_reason);
}

static void show(const struct fixture *f, const struct canary *c, const struct subject *s)
{
	(void)f;
	(void)s;
	printf("%s/%s: %s %s, phase '%s'%s%s\n", c->namespace, c->name,
	       c->target_kind == KIND_KNATIVE ? "Knative" : object_kind_name(c->target_kind),
	       c->target_name, phase_name(c->phase), phase_settled(c->phase) ? ", settled" : "",
	       phase_in_flight(c->phase) ? ", in flight" : "");
	printf("  suspended %d, skipAnalysis %d, deleting %d, status %d, conditions %d, gates '%s'\n",
	       c->suspended, c->skip_analysis, c->deleting, c->has_status, c->has_conditions,
	       c->gates);
	printf("  applied '%s', promoted '%s', revision '%s', since '%s', accepted '%s'\n", c->applied,
	       c->promoted, c->tracked_revision, c->promoted_since, c->accepted);
	printf("  weight %" PRId64 ", iterations %" PRId64 ", failed checks %" PRId64 ", tracked %s\n",
	       c->weight, c->iterations, c->failed_checks, fixture_json(c->tracked));
	show_hold(c);
	if (c->shipped || *c->ship)
		printf("  shipped: %s, %s\n", c->shipped ? "yes" : "no", *c->ship ? c->ship : "for nothing that is said");
}

int test_canary(int argc, char **argv)
{
	return fixture_run(argc, argv, show);
}
