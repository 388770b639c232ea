/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/configs.h"

#include <stdio.h>

#include "perch-test/command.h"
#include "perch-test/fixture.h"

static const char *const answers[] = {
	[ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNKNOWN] = "unknown",
};

static void show(const struct fixture *f, const struct canary *c, const struct subject *s)
{
	struct configs configs;
	struct notes notes = {0};

	configs_compare(&configs, c, s->target.object, &f->flagger, &s->configs, &notes);
	printf("%s: fires %s, changed %s, %zu refs, %zu unread\n", c->name, answers[configs.fires],
	       answers[configs.changed], configs.refs, configs.unread);
	fixture_print_changes("change", &configs.changes);
	fixture_print_notes(&notes);
}

int test_configs(int argc, char **argv)
{
	return fixture_run(argc, argv, show);
}
