/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/decide.h"

#include <string.h>

#include "base/arena.h"
#include "decide/read_elsewhere.h"
#include "flagger/explain.h"
#include "flagger/history.h"
#include "k8s/diff.h"
#include "k8s/normalise.h"
#include "k8s/schema.h"

/* One decision under way: what came in, and the facts as they are gathered. */
struct work {
	const struct subject *s;
	const struct question *q;
	struct decision *out;
	struct facts facts;
	struct subject judged;  /* the subject with T′ in place of T */
	struct changes by_git;  /* T → T′ */
	struct configs configs;
	bool ages_unread;       /* whether T is younger than its failure isn't known */
	bool gates_closed;      /* some rule that ships leaves gates to Flagger */
};

static bool ignored_by_policy(void *arg, const struct change *change)
{
	struct work *w = arg;
	const struct tree *target = w->judged.target.object;
	struct ruling ruling = policy_judge(w->q->policy, change, target);
	const char *reader;

	if (ruling.effect != POLICY_IGNORE)
		return false;
	reader = read_elsewhere(change, target);
	if (reader)
		note_add(&w->out->warnings, "policy: line %u can't ignore %s, %s reads it", ruling.line,
			 change->path, reader);
	return !reader;
}

/* T, or what D makes of it. A missing target is a fact only where D would create it. */
static int apply_desired(struct work *w, struct error *err)
{
	const struct seen *target = &w->s->target;
	const struct tree *live = target->object;
	struct applier applier;

	w->judged = *w->s;
	w->out->applied = live;
	if (!w->s->desired || target->reading == READ_BAD || target->reading == READ_UNREAD)
		return 0;
	applier = w->q->applier ? *w->q->applier : applier_find(live, &w->out->warnings);
	w->out->applied = apply(w->s->desired, live, &applier, w->q->server_minor, &w->out->warnings, err);
	if (w->s->applied_by_server)
		w->out->applied = w->s->applied_by_server;
	if (!w->out->applied)
		return -1;
	w->judged.target = (struct seen){READ_PRESENT, w->out->applied, NULL};
	w->facts.created = !live;
	if (!live)
		return 0;
	diff_content(&w->by_git, live, w->out->applied);
	diff_foreign(&w->out->foreign, w->s->desired, live, w->out->applied);
	diff_notes(&w->out->notes, live, w->out->applied);
	w->facts.new_revision = w->by_git.count > 0;
	return 0;
}

/* Flagger can't decode an object with a value of a wrong type, wherever it is. */
static const char *ill_typed(const struct tree *object, enum object_kind kind, const char *name)
{
	const struct schema_type *type = schema_root(kind);
	struct error err;

	if (!object || !type || normalise_check(object, type, schema_newest(), &err) == 0)
		return NULL;
	return arena_printf("%s '%s': %s", object_kind_name(kind), name, err.text);
}

static const char *unusable(const struct work *w)
{
	const struct canary *c = &w->out->canary;
	const char *kind = object_kind_name(c->target_kind), *primary = canary_primary_name(c), *wrong;

	switch (w->judged.target.reading) {
	case READ_BAD:
		return arena_printf("%s '%s': %s", kind, c->target_name, w->judged.target.problem);
	case READ_UNREAD:
		return arena_printf("%s '%s' isn't in the input", kind, c->target_name);
	case READ_ABSENT:
		return arena_printf("%s '%s' is missing", kind, c->target_name);
	case READ_PRESENT:
		break;
	}
	if (w->s->primary.reading == READ_BAD)
		return arena_printf("%s '%s': %s", kind, primary, w->s->primary.problem);
	if ((wrong = ill_typed(w->s->target.object, c->target_kind, c->target_name)) ||
	    (wrong = ill_typed(w->s->primary.object, c->target_kind, primary)))
		return wrong;
	return c->phase == PHASE_UNKNOWN ? "status.phase is none that Flagger writes" : NULL;
}

/* Was T's newest revision made after the failure? Then it isn't the revision that failed. */
static void compare_ages(struct work *w)
{
	const struct canary *c = &w->out->canary;
	const char *newest = history_newest(w->s);

	if (c->phase != PHASE_FAILED)
		return;
	w->ages_unread = !newest || !*c->promoted_since;
	if (!w->ages_unread && strcmp(newest, c->promoted_since) > 0)
		w->facts.new_revision = true;
}

static bool in_list(const struct changes *list, const char *path)
{
	change_each(c, list)
		if (strcmp(c->path, path) == 0)
			return true;
	return false;
}

/* What the policy says of a real change; ignored it can't be: something else reads it. */
static struct ruling ruling_of(const struct work *w, const struct change *c)
{
	struct ruling ruling = policy_judge(w->q->policy, c, w->judged.target.object);

	if (ruling.effect == POLICY_IGNORE)
		return (struct ruling){.effect = POLICY_RUN};
	return ruling;
}

/* The strictest effect over all real changes; each learns where it comes from. */
static void take_changes(struct work *w, const struct changes *from)
{
	change_each(c, from) {
		struct change *copy = NEW(struct change);
		struct ruling ruling = ruling_of(w, c);

		*copy = *c;
		copy->next = NULL;
		if (w->s->desired)
			copy->origin = in_list(&w->by_git, c->path) ? "git" : "live";
		if (ruling.line)
			copy->by = arena_printf("policy line %u: %s", ruling.line, policy_effect_name(ruling.effect));
		if (!w->facts.real || ruling.effect > w->facts.policy)
			w->facts.policy = ruling.effect;
		w->facts.real = true;
		w->gates_closed |= !ruling.gates_open;
		changes_add(&w->out->changes, copy);
	}
}

static void take_ignored(struct work *w)
{
	change_each(c, &w->out->proof.accepted) {
		struct change *copy = NEW(struct change);
		struct ruling ruling = policy_judge(w->q->policy, c, w->judged.target.object);

		*copy = *c;
		copy->next = NULL;
		copy->by = ruling.effect == POLICY_IGNORE ? arena_printf("policy line %u", ruling.line)
							  : "accepted when it was adopted";
		changes_add(&w->out->ignored, copy);
	}
}

static int gather(struct work *w, struct error *err)
{
	struct decision *out = w->out;
	struct ignore ignore = {ignored_by_policy, w};

	configs_compare(&w->configs, &out->canary, w->judged.target.object, w->q->flagger, &w->s->configs,
			&out->notes);
	trigger_judge(&out->trigger, &out->canary, w->judged.target.object, w->q->flagger, &w->configs);
	if (proof_judge(&out->proof, &out->canary, &w->judged, w->q->flagger, &ignore, w->q->brief,
			&out->notes, err) != 0)
		return -1;
	out->by_policy = out->proof.proved && out->proof.accepted.count && !out->proof.remembered;
	take_ignored(w);
	take_changes(w, &out->proof.real);
	if (w->configs.changed == ANSWER_YES)
		take_changes(w, &w->configs.changes);
	if (out->proof.primary == PRIMARY_UNREAD || out->proof.primary == PRIMARY_MISSING)
		take_changes(w, &w->by_git);
	return 0;
}

static void fill_facts(struct work *w)
{
	const struct canary *c = &w->out->canary;
	const struct proof *p = &w->out->proof;
	struct facts *f = &w->facts;

	f->phase = c->phase;
	f->deleting = c->deleting || c->phase == PHASE_TERMINATING || c->phase == PHASE_TERMINATED;
	f->baseline_missing = !c->has_status || !c->has_conditions || c->phase == PHASE_NONE ||
			      c->phase == PHASE_INITIALIZING;
	f->primary_missing = w->s->primary.reading == READ_ABSENT && c->target_kind != KIND_KNATIVE;
	/* Since 1.44; a rollback leaves the weight at 0. */
	f->promotion_failed = c->phase == PHASE_FAILED && c->weight > 0;
	f->asked_for = !*c->applied;
	f->equals_primary = p->proved;
	f->equals_applied = p->applied != 0;
	f->proved = p->proved;
	f->tracker_fires = w->configs.fires == ANSWER_YES;
	f->tracker_alone = f->tracker_fires && w->configs.changed != ANSWER_YES;
	f->would_run = w->out->trigger.would_run;
}

/* The row's reason, with what differs; an unknown says what can't be computed. */
static const char *say_more(const struct decision *d, const char *reason)
{
	static const char verb[] = "differs";
	size_t count;
	bool plural;
	const char *classes = changes_classes(&d->changes, &count);

	if (d->verdict == VERDICT_UNKNOWN)
		return d->trigger.would_run == ANSWER_UNKNOWN ? d->trigger.reason : reason;
	if (!count)
		return reason;
	if (strncmp(reason, verb, strlen(verb)) != 0)
		return arena_printf("%s (%s)", reason, classes);
	plural = count > 1 || strcmp(classes, change_class_name(CLASS_RESOURCES)) == 0;
	return arena_printf("%s differ%s%s", classes, plural ? "" : "s", reason + strlen(verb));
}

/* The one way in which a change goes live unseen: it must not be read over. */
static void warn_of_baseline(struct work *w)
{
	size_t count;

	if (w->out->verdict == VERDICT_INITIALIZE && w->out->proof.primary == PRIMARY_DIFFERS &&
	    w->out->changes.count)
		note_add(&w->out->warnings, "unanalysed: the target differs from its primary (%s), and "
					    "initialization takes it over with no analysis",
			 changes_classes(&w->out->changes, &count));
}

static void take_action(struct work *w)
{
	const struct flagger *flagger = w->q->flagger;
	struct decision *out = w->out;
	struct circumstances c = {
		.verdict = out->verdict, .flow = w->q->flow, .holder = holder_of(&out->canary),
		.phase = out->canary.phase, .equals_primary = w->facts.equals_primary,
		.equals_applied = w->facts.equals_applied,
		.release_known = flagger->k8s && flagger->evidence != EVIDENCE_NONE &&
				 flagger->evidence != EVIDENCE_GUESS,
		.promoted_found = out->verdict == VERDICT_FAILED && history_promoted(w->s, flagger),
	};

	if (w->q->flow != FLOW_NONE)
		out->action = action_of(&c);
}

/* A ship is of the live target. What is to be said of one that is there, or can't be. */
static void judge_ship(struct work *w)
{
	struct decision *out = w->out;
	const struct canary *c = &out->canary;

	if (!c->shipped && out->verdict != VERDICT_SHIP)
		return;
	ship_judge(&out->ship, c, w->s, w->q->flagger, !w->gates_closed);
	if (out->ship.stale)
		note_add(&out->notes, "ship: skipAnalysis is left over%s%s: %s", *c->ship ? " from " : "", c->ship,
			 out->ship.stale);
	else if (c->shipped)
		note_add(&out->notes, "ship: skipAnalysis is set for %s", c->ship);
	if (out->verdict == VERDICT_SHIP && out->ship.forbidden)
		note_add(&out->notes, "ship: %s", out->ship.forbidden);
}

static void conclude(struct work *w)
{
	struct decision *out = w->out;
	const char *reason;

	out->verdict = verdict_of(&w->facts, &reason);
	out->reason = say_more(out, reason);
	if (out->verdict == VERDICT_FAILED && w->ages_unread)
		note_add(&out->notes, "history: T's revisions aren't in the input: whether the target "
				      "changed after the failure isn't known");
	if (w->facts.promotion_failed)
		note_add(&out->notes, "promotion: it failed with the primary not ready: the canary takes the "
				      "traffic (weight %lld)", (long long)out->canary.weight);
	warn_of_baseline(w);
	judge_ship(w);
	take_action(w);
}

/* What explains the stored hashes is asked of T itself; the proof has answered it unless D is at hand. */
static void explain_hashes(struct decision *out, const struct work *w)
{
	const struct tree *live = w->s->target.object;
	struct explanation why = {.applied = out->proof.explains_applied, .promoted = out->proof.provenance};

	if (live && live != w->judged.target.object)
		explain(&why, &out->canary, live, w->q->flagger->k8s);
	out->explains_applied = why.applied;
	out->explains_promoted = why.promoted;
}

static int unknown(struct work *w, const char *why)
{
	w->facts.unusable = why;
	w->out->trigger.would_run = ANSWER_UNKNOWN;
	w->out->trigger.reason = why;
	conclude(w);
	return 0;
}

/* Knative targets are compared by revision name, which a Flagger upgrade doesn't move. */
static int knative(struct work *w)
{
	struct decision *out = w->out;
	const struct seen *target = &w->s->target;

	out->verdict = VERDICT_NONE;
	out->reason = "Knative target: Flagger compares revision names, not content";
	note_add(&out->notes, "knative: perch doesn't compare revisions of Knative targets");
	if (target->reading == READ_PRESENT && !w->q->flagger->to_come) {
		trigger_judge(&out->trigger, &out->canary, target->object, w->q->flagger, &w->configs);
		if (out->trigger.would_run == ANSWER_YES)
			note_add(&out->notes, "knative: the latest revision isn't the one in status, so Flagger runs it");
	} else {
		out->trigger.reason = out->reason;
	}
	take_action(w);
	return 0;
}

int decide(struct decision *out, const struct subject *subject, const struct question *question,
	   struct error *err)
{
	struct work w = {.s = subject, .q = question, .out = out};
	struct error bad = {ERR_NONE, ""};

	*out = (struct decision){0};
	if (canary_read(&out->canary, subject->canary, &bad) != 0 || subject->problem)
		return unknown(&w, subject->problem ? subject->problem : arena_strdup(bad.text));
	if (subject->rival)
		note_add(&out->notes, "target: canary '%s' has the same target, and each undoes what the other does",
			 subject->rival);
	if (out->canary.target_kind == KIND_KNATIVE)
		return knative(&w);
	if (apply_desired(&w, err) != 0)
		return -1;
	w.facts.unusable = unusable(&w);
	if (w.facts.unusable)
		return unknown(&w, w.facts.unusable);
	compare_ages(&w);
	if (gather(&w, &bad) != 0)
		return unknown(&w, arena_strdup(bad.text));
	explain_hashes(out, &w);
	fill_facts(&w);
	conclude(&w);
	return 0;
}
