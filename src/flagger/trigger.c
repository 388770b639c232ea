/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/trigger.h"

#include <string.h>

#include "base/arena.h"

enum rule { RULE_COMPARES, RULE_BASELINE, RULE_NO_LOOK, RULE_GONE, RULE_UNKNOWN };

/* Whether Flagger compares anything in a phase (flagger.md §3.2, steps 11, 12 and 16). */
static const enum rule rules[] = {
	[PHASE_NONE] = RULE_BASELINE,
	[PHASE_INITIALIZING] = RULE_BASELINE,
	[PHASE_INITIALIZED] = RULE_COMPARES,
	[PHASE_WAITING] = RULE_NO_LOOK,
	[PHASE_PROGRESSING] = RULE_COMPARES,
	[PHASE_WAITING_PROMOTION] = RULE_COMPARES,
	[PHASE_PROMOTING] = RULE_NO_LOOK,
	[PHASE_FINALISING] = RULE_NO_LOOK,
	[PHASE_SUCCEEDED] = RULE_COMPARES,
	[PHASE_FAILED] = RULE_COMPARES,
	[PHASE_TERMINATING] = RULE_GONE,
	[PHASE_TERMINATED] = RULE_GONE,
	[PHASE_UNKNOWN] = RULE_UNKNOWN,
};

static void say(struct trigger *out, enum answer would_run, const char *reason)
{
	out->would_run = would_run;
	out->reason = reason;
}

static bool in_v2(const char *hash)
{
	return hash_format(hash) == HASH_V2;
}

/* What the phase alone decides; true where it does. */
static bool by_phase(struct trigger *out, const struct canary *c)
{
	enum rule rule = rules[c->phase];

	if (c->deleting)
		rule = RULE_GONE;
	else if (rule == RULE_COMPARES && !c->has_conditions)
		rule = RULE_BASELINE;
	switch (rule) {
	case RULE_COMPARES:
		return false;
	case RULE_BASELINE:
		say(out, ANSWER_NO, "initialises: the target becomes the baseline with no analysis");
		break;
	case RULE_NO_LOOK:
		say(out, ANSWER_NO, arena_printf("nothing is compared while %s", phase_name(c->phase)));
		break;
	case RULE_GONE:
		say(out, ANSWER_NO, "is being deleted");
		break;
	case RULE_UNKNOWN:
		say(out, ANSWER_UNKNOWN, "phase is none that a Flagger writes");
		break;
	}
	return true;
}

static const char *verb(const struct canary *c)
{
	return phase_settled(c->phase) || c->phase == PHASE_FAILED ? "starts" : "starts over";
}

/* The release's hash of the target, or why it can't be told. */
static const char *compute(struct trigger *out, const struct tree *target, const struct flagger *flagger)
{
	struct error err = {0};

	if (!flagger->k8s)
		return flagger->problem ? flagger->problem : "the running release is not known";
	if (flagger_hash(out->now, target, flagger->k8s, &err) == 0)
		return NULL;
	*out->now = '\0';
	return arena_strdup(err.text);
}

/* The hash rule (flagger.md §2.6). What it leaves at no may still be the config tracker's yes. */
static void by_hash(struct trigger *out, const struct canary *c, const char *problem)
{
	if (!*c->applied) {
		out->by_hash = true;
		say(out, ANSWER_YES, "lastAppliedSpec is empty: a run was asked for");
	} else if (problem) {
		say(out, ANSWER_UNKNOWN, problem);
	} else if (in_v2(c->applied) || in_v2(c->promoted)) {
		say(out, ANSWER_UNKNOWN, "stored hashes are of the v2 format, which is not computed");
	} else if (strcmp(out->now, c->promoted) == 0) {
		say(out, ANSWER_NO, "hash is lastPromotedSpec");
	} else if (strcmp(out->now, c->applied) == 0) {
		say(out, ANSWER_NO, "hash is lastAppliedSpec");
	} else {
		out->by_hash = true;
		say(out, ANSWER_YES,
		    arena_printf("%s: hash %s is neither lastAppliedSpec nor lastPromotedSpec", verb(c),
				 out->now));
	}
}

static void by_config(struct trigger *out, const struct canary *c, const struct configs *configs)
{
	if (configs->fires != ANSWER_YES)
		return;
	out->by_config = true;
	if (configs->changes.count)
		say(out, ANSWER_YES, arena_printf("%s: %s changed", verb(c), configs->changes.first->path));
	else
		say(out, ANSWER_YES, arena_printf("%s: configs are not tracked yet", verb(c)));
}

void trigger_judge(struct trigger *out, const struct canary *c, const struct tree *target,
		   const struct flagger *flagger, const struct configs *configs)
{
	const char *problem;

	*out = (struct trigger){0};
	problem = compute(out, target, flagger);
	if (by_phase(out, c))
		return;
	by_hash(out, c, problem);
	if (out->would_run != ANSWER_YES)
		by_config(out, c, configs);
}
