/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/trigger.h"

#include <stdio.h>

#include "perch-test/command.h"
#include "perch-test/fixture.h"

static const char *const answers[] = {
	[ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNKNOWN] = "unknown",
};

static void show(const struct fixture *f, const struct canary *c, const struct subject *s)
{
	struct configs configs;
	struct trigger trigger;
	struct notes notes = {0};

	configs_compare(&configs, c, s->target.object, &f->flagger, &s->configs, &notes);
	trigger_judge(&trigger, c, s->target.object, &f->flagger, &configs);
	printf("%s\t%s\t%s\t%s%s\t%s\n", c->name, trigger.now, answers[trigger.would_run],
	       trigger.by_hash ? "hash" : "", trigger.by_config ? "config" : "", trigger.reason);
}

int test_trigger(int argc, char **argv)
{
	return fixture_run(argc, argv, show);
}
