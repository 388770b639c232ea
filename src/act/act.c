/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include "act/carry.h"
#include "act/event.h"
#include "act/steps.h"
#include "base/arena.h"

static const char *joined(const char *a, const char *b)
{
	return *a && *b ? arena_printf("%s; %s", a, b) : *a ? a : b;
}

static const char *written(const struct actor *a, const struct write *w)
{
	return a->dry == DRY_NONE ? arena_printf("%s %s", w->done, w->what)
				  : arena_printf("would %s %s", w->would, w->what);
}

/* After the end of perch's own hold somebody else's suspension may still be there. */
static const char *still_suspended(const struct actor *a, const struct outcome *o, const struct canary *c)
{
	const char *others = hold_others(c->object);

	if (!o->ended || a->dry != DRY_NONE || !c->suspended)
		return "";
	return arena_printf("still suspended by %s", *others ? others : "others");
}

static const char *still_skipping(const struct actor *a, const struct outcome *o, const struct canary *c)
{
	const char *others = ship_others(c->object);

	if (!o->unshipped || a->dry != DRY_NONE || c->shipped || c->pending ||
	    !tree_true(tree_path(c->object, "spec", "skipAnalysis", NULL)))
		return "";
	return arena_printf("skipAnalysis is still set by %s", *others ? others : "others");
}

/* Carries one write out; its outcome's text is what was done before, then this. */
static int perform(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
		   struct error *err)
{
	const char *before = out->text;

	if (carry_out(out, a, w, c, err) != 0) {
		out->text = before;
		return -1;
	}
	out->text = joined(before, out->kind == OUTCOME_DONE
					   ? written(a, w)
					   : arena_printf("couldn't %s %s: %s", w->would, w->what, out->text));
	return 0;
}

static void refuse(struct outcome *out, const char *why)
{
	out->kind = OUTCOME_REFUSED;
	out->text = joined(out->text, why);
}

/* 1: go on with the next step; 0: this is the outcome. */
static int take_step(struct outcome *out, const struct step *step, struct job *job, struct error *err)
{
	struct write w;
	const char *why = NULL;

	switch (step->make(&w, job, &why)) {
	case MAKING_NOTHING:
		out->text = why ? joined(out->text, why) : out->text;
		return 1;
	case MAKING_REFUSED:
		refuse(out, why);
		return 0;
	case MAKING_WRITE:
		break;
	}
	if (perform(out, job->actor, &w, &job->canary, err) != 0)
		return -1;
	if (out->kind != OUTCOME_DONE)
		return 0;
	step->done(out, &w);
	return 1;
}

static bool writes(const struct job *job)
{
	const struct action *a = &job->decision->action;

	return a->hashes != HASHES_LEAVE || a->hold == HOLD_SET || a->hold == HOLD_END || a->ship ||
	       steps_unship(job);
}

/* 1: all are taken; 0: one that isn't done; -1: error. */
static int take_steps(struct outcome *out, struct job *job, struct error *err)
{
	const char *unfit = writes(job) ? steps_unfit(&job->canary) : NULL;
	int go = 1;

	*out = (struct outcome){.kind = OUTCOME_NOTHING, .text = ""};
	if (unfit)
		refuse(out, unfit);
	for (const struct step *step = steps; step->make && !unfit && go == 1; step++)
		go = take_step(out, step, job, err);
	return go;
}

/* The other end of a hold that was to end in a ship; that it didn't is what the outcome says. */
static int run_instead(struct outcome *out, struct job *job, struct error *err)
{
	struct decision plain = *job->decision;
	struct outcome end;
	int result;

	plain.action.ship = false;
	job->decision = &plain;
	result = take_steps(&end, job, err);
	out->ended = end.ended;
	out->text = joined(out->text, end.text);
	return result;
}

int act_on(struct outcome *out, const struct actor *a, const struct decision *d,
	   const struct subject *s, struct error *err)
{
	struct job job = {a, d, s, d->canary};
	int go = take_steps(out, &job, err);
	bool unshippable = d->action.ship && !out->shipped &&
			   (out->kind == OUTCOME_REFUSED || out->kind == OUTCOME_OWNED);

	if (go == 0 && unshippable && a->ship_or_run)
		go = run_instead(out, &job, err);
	if (go < 0)
		return error_wrap(err, "%s/%s%s%s", d->canary.namespace, d->canary.name,
				  *out->text ? ": " : "", out->text);
	out->text = joined(out->text, still_suspended(a, out, &job.canary));
	out->text = joined(out->text, still_skipping(a, out, &job.canary));
	if (!*out->text)
		out->text = "nothing to write";
	event_send(a, out, &d->canary, d->reason);
	return 0;
}

/* One write that no flow asked for. */
static int act_alone(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
		     struct error *err)
{
	if (perform(out, a, w, c, err) != 0)
		return error_wrap(err, "%s/%s", c->namespace, c->name);
	return 0;
}

/* Nothing is done yet; false: nothing may be. */
static bool begin_alone(struct outcome *out, const char *forbidden)
{
	*out = (struct outcome){.kind = OUTCOME_NOTHING, .text = ""};
	if (forbidden)
		refuse(out, forbidden);
	return !forbidden;
}

static const char *nudge_forbidden(const struct canary *c)
{
	if (steps_unfit(c))
		return steps_unfit(c);
	if (!phase_settled(c->phase) && c->phase != PHASE_FAILED)
		return arena_printf("it is %s: only what is settled or failed is nudged, a revision in flight would "
				    "start over", *phase_name(c->phase) ? phase_name(c->phase) : "not initialized");
	return NULL;
}

int act_nudge(struct outcome *out, const struct actor *a, const struct canary *c, struct error *err)
{
	struct canary now = *c;
	struct write w;

	if (!begin_alone(out, nudge_forbidden(c)))
		return 0;
	if (!*c->applied) {
		out->text = "lastAppliedSpec is empty already: Flagger will look again";
		return 0;
	}
	write_hashes(&w, c, "", NULL);
	if (act_alone(out, a, &w, &now, err) != 0)
		return -1;
	out->hashes = out->kind == OUTCOME_DONE;
	return 0;
}

/* What perch owns, sent anew with one part of it changed: `done`, `would` and `what` tell it. */
static int act_owned(struct outcome *out, const struct actor *a, const struct canary *c,
		     const struct owned *owned, struct write told, struct error *err)
{
	struct canary now = *c;
	struct write w;

	if (!begin_alone(out, steps_unfit(c)))
		return 0;
	write_owned(&w, c, owned);
	w.done = told.done;
	w.would = told.would;
	w.what = told.what;
	return act_alone(out, a, &w, &now, err);
}

int act_unship(struct outcome *out, const struct actor *a, const struct canary *c, const char *why,
	       struct error *err)
{
	struct canary now = *c;
	struct write w;

	if (!begin_alone(out, steps_unfit(c)))
		return 0;
	write_unship(&w, c, why);
	if (act_alone(out, a, &w, &now, err) != 0)
		return -1;
	out->unshipped = out->kind == OUTCOME_DONE;
	out->text = joined(out->text, still_skipping(a, out, &now));
	event_send(a, out, c, "");
	return 0;
}

bool outcome_undone(const struct outcome *o)
{
	return o->kind != OUTCOME_NOTHING && o->kind != OUTCOME_DONE && o->kind != OUTCOME_GONE;
}

int act_forget(struct outcome *out, const struct actor *a, const struct canary *c, struct error *err)
{
	struct hold_terms terms;
	struct owned owned = owned_read(c, &terms);
	struct write told = {.done = "took", .would = "take", .what = "the mark of its end off"};

	owned.ended = NULL;
	return act_owned(out, a, c, &owned, told, err);
}

int act_accept(struct outcome *out, const struct actor *a, const struct canary *c,
	       const char *fingerprint, struct error *err)
{
	struct hold_terms terms;
	struct owned owned = owned_read(c, &terms);
	struct write told = {.done = "accepted", .would = "accept"};

	owned.accepted = fingerprint;
	told.what = arena_printf("the difference %s", fingerprint);
	return act_owned(out, a, c, &owned, told, err);
}
