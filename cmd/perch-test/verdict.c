/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "decide/verdict.h"
#include "perch-test/command.h"

static bool *flag(struct facts *f, const char *name)
{
	const struct {
		const char *name;
		bool *at;
	} flags[] = {
		{"deleting", &f->deleting},
		{"baseline-missing", &f->baseline_missing},
		{"created", &f->created},
		{"primary-missing", &f->primary_missing},
		{"asked-for", &f->asked_for},
		{"promotion-failed", &f->promotion_failed},
		{"b", &f->equals_primary},
		{"d", &f->equals_applied},
		{"new-revision", &f->new_revision},
		{"proved", &f->proved},
		{"real", &f->real},
		{"tracker", &f->tracker_fires},
		{"tracker-alone", &f->tracker_alone},
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (strcmp(flags[i].name, name) == 0)
			return flags[i].at;
	return NULL;
}

static bool set_phase(struct facts *f, const char *word)
{
	for (int p = PHASE_NONE; p <= PHASE_UNKNOWN; p++) {
		if (strcmp(phase_name((enum phase)p), word) == 0) {
			f->phase = (enum phase)p;
			return true;
		}
	}
	return false;
}

static bool set_policy(struct facts *f, const char *word)
{
	for (int e = POLICY_IGNORE; e <= POLICY_HOLD; e++) {
		if (strcmp(policy_effect_name((enum policy_effect)e), word) == 0) {
			f->policy = (enum policy_effect)e;
			return true;
		}
	}
	return false;
}

static bool set_fact(struct facts *f, const char *word)
{
	bool *at = flag(f, word);

	if (at)
		*at = true;
	else if (strcmp(word, "would-run") == 0)
		f->would_run = ANSWER_YES;
	else if (strcmp(word, "would-run?") == 0)
		f->would_run = ANSWER_UNKNOWN;
	else if (strcmp(word, "unusable") == 0)
		f->unusable = "nothing can be said";
	else
		return set_phase(f, word) || set_policy(f, word);
	return true;
}

int test_verdict(int argc, char **argv)
{
	struct facts f = {.phase = PHASE_SUCCEEDED, .policy = POLICY_RUN};
	const char *reason;
	enum verdict v;

	for (int i = 1; i < argc; i++) {
		if (!set_fact(&f, argv[i])) {
			fprintf(stderr, "✗ no fact '%s'\n", argv[i]);
			return 2;
		}
	}
	v = verdict_of(&f, &reason);
	printf("%s: %s (exit %d)\n", verdict_name(v), reason, verdict_exit_code(v));
	return 0;
}
