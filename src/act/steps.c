/* SPDX-License-Identifier: Apache-2.0 */
#include "act/steps.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/hash.h"
#include "flagger/history.h"

/* The first release that heeds spec.suspend (flagger.md §1). */
static const struct release suspends = {1, 32, 0};

static const char *metadata_of(const struct canary *c, const char *key)
{
	return tree_string_or(tree_path(c->object, "metadata", key, NULL), "");
}

const char *steps_unfit(const struct canary *c)
{
	struct canary again;
	struct error err;

	if (canary_read(&again, c->object, &err) != 0)
		return arena_strdup(err.text);
	if (!*metadata_of(c, "uid") || !*metadata_of(c, "resourceVersion"))
		return "it was read without its uid and resourceVersion";
	return NULL;
}

/* A hash is of T as it is: what was decided on a rendered T that isn't live proves nothing of it. */
static bool judged_live(const struct job *job)
{
	const struct tree *live = job->subject->target.object;
	enum object_kind kind = object_kind(live);

	return !job->subject->desired || tree_same(object_content(job->decision->applied, kind),
						   object_content(live, kind));
}

/* A sync brings another template while the ship is on: Flagger would promote that one unanalysed, long before post. */
static bool outrun(const struct job *job)
{
	enum verdict v = job->decision->verdict;

	return v != VERDICT_SHIP && v != VERDICT_ADOPT && v != VERDICT_NONE && !judged_live(job);
}

/* What takes a ship off: time, or a policy that has come to want this change analysed or held. */
const char *steps_unship(const struct job *job)
{
	const struct decision *d = job->decision;

	if (!job->canary.shipped || d->ship.stale)
		return job->canary.shipped ? d->ship.stale : NULL;
	if (job->actor->flow != FLOW_COMMIT)
		return NULL;
	if (d->verdict == VERDICT_RUN || d->verdict == VERDICT_HOLD)
		return "the policy doesn't ship it any more";
	return outrun(job) ? "it isn't for what the sync brings" : NULL;
}

static enum making make_unship(struct write *out, const struct job *job, const char **why)
{
	const char *reason = steps_unship(job);

	(void)why;
	if (!reason)
		return MAKING_NOTHING;
	write_unship(out, &job->canary, reason);
	return MAKING_WRITE;
}

static void unship_done(struct outcome *out, const struct write *w)
{
	(void)w;
	out->unshipped = true;
}

/* The next upgrade's guard has no policy: what this one's adoption rests on stays known. */
static enum making make_acceptance(struct write *out, const struct job *job, const char **why)
{
	const struct decision *d = job->decision;
	struct hold_terms terms;
	struct owned owned = owned_read(&job->canary, &terms);

	(void)why;
	if (d->action.hashes != HASHES_BOTH || d->verdict == VERDICT_FAILED || !d->by_policy ||
	    !judged_live(job) || strcmp(job->canary.accepted, d->proof.fingerprint) == 0)
		return MAKING_NOTHING;
	owned.accepted = d->proof.fingerprint;
	write_owned(out, &job->canary, &owned);
	out->done = "noted";
	out->would = "note";
	out->what = arena_printf("what the policy ignores (%s)", d->proof.fingerprint);
	return MAKING_WRITE;
}

static void acceptance_done(struct outcome *out, const struct write *w)
{
	(void)out;
	(void)w;
}

static const char *hashes_forbidden(const struct job *job)
{
	const struct flagger *f = job->actor->flagger;

	if (!flagger_known(f))
		return arena_printf("the running release isn't known, so no hash is written%s%s",
				    f->problem ? ": " : "", f->problem ? f->problem : "");
	if (job->subject->target.reading != READ_PRESENT)
		return "the target wasn't read, so it has no hash";
	if (!judged_live(job))
		return "the rendered target isn't live yet, so it has no hash to write";
	if (job->decision->action.hashes == HASHES_BOTH && phase_in_flight(job->canary.phase))
		return "lastPromotedSpec isn't written while a revision is in flight";
	return NULL;
}

/* What is promoted is T itself, but for a failed T: then it is what its history still has. */
static const struct tree *promoted_target(const struct job *job)
{
	return job->decision->verdict == VERDICT_FAILED
		       ? history_promoted(job->subject, job->actor->flagger)
		       : job->subject->target.object;
}

static bool hash_of(const char **out, const struct tree *object, const struct job *job, const char **why)
{
	char hash[HASH_SIZE];
	struct error err;

	if (!object) {
		*why = "the promoted template isn't in the target's history any more";
		return false;
	}
	if (flagger_hash(hash, object, job->actor->flagger->k8s, &err) != 0) {
		*why = arena_strdup(err.text);
		return false;
	}
	*out = arena_strdup(hash);
	return true;
}

static enum making make_hashes(struct write *out, const struct job *job, const char **why)
{
	const struct canary *c = &job->canary;
	const char *applied, *promoted = NULL;

	if (job->decision->action.hashes == HASHES_LEAVE)
		return MAKING_NOTHING;
	*why = hashes_forbidden(job);
	if (*why || !hash_of(&applied, job->subject->target.object, job, why))
		return MAKING_REFUSED;
	if (job->decision->action.hashes == HASHES_BOTH &&
	    !hash_of(&promoted, promoted_target(job), job, why))
		return MAKING_REFUSED;
	if (strcmp(c->applied, applied) == 0 && (!promoted || strcmp(c->promoted, promoted) == 0)) {
		*why = "the hashes are written already";
		return MAKING_NOTHING;
	}
	write_hashes(out, c, applied, promoted);
	return MAKING_WRITE;
}

static void hashes_done(struct outcome *out, const struct write *w)
{
	(void)w;
	out->hashes = true;
}

static const char *hold_forbidden(const struct job *job)
{
	const struct canary *c = &job->canary;
	const struct flagger *f = job->actor->flagger;

	if (f && f->release.major && release_compare(&f->release, &suspends) < 0)
		return arena_printf("Flagger %s doesn't know spec.suspend (1.32.0 does): nothing is held",
				    release_text(&f->release));
	if (c->deleting)
		return "it is being deleted: it isn't held";
	if (c->has_status && !c->has_conditions)
		return "status.conditions is missing: with a change of spec, a hold too, Flagger initializes it anew";
	return NULL;
}

/* An upgrade outranks a commit, whose hold may also come to be the policy's of the same app. */
static bool takes_over(const char *wanted, const char *commit)
{
	return strcmp(wanted, "upgrade") == 0 ||
	       (strncmp(wanted, "policy/", 7) == 0 && strcmp(wanted + 7, commit + 7) == 0);
}

/*
 * One hold at a time. The same holder's is renewed, and a commit's is taken over by what may; any other
 * stays: it has its own end.
 */
static const char *hold_stands(const struct job *job)
{
	const struct canary *c = &job->canary;
	const char *wanted = job->actor->terms->held_for;

	switch (holder_of(c)) {
	case HOLDER_NOBODY:
		return NULL;
	case HOLDER_OTHERS:
		return arena_printf("suspended by %s, left so",
				    *hold_others(c->object) ? hold_others(c->object) : "others");
	case HOLDER_COMMIT:
		if (takes_over(wanted, c->held_for))
			return NULL;
		break;
	default:
		break;
	}
	return strcmp(c->held_for, wanted) == 0 ? NULL : arena_printf("held for %s already", c->held_for);
}

static enum making make_hold(struct write *out, const struct job *job, const char **why)
{
	struct hold_terms terms, read;
	struct owned owned = owned_read(&job->canary, &read);

	if (!job->actor->terms)
		BUG("a hold without terms");
	terms = *job->actor->terms;
	if ((*why = hold_stands(job)))
		return MAKING_NOTHING;
	if ((*why = hold_forbidden(job)))
		return MAKING_REFUSED;
	if (!terms.reason)
		terms.reason = job->decision->reason;
	owned.hold = &terms;
	owned.ended = NULL;
	write_owned(out, &job->canary, &owned);
	out->done = "held it";
	out->would = "hold it";
	out->what = terms.until ? arena_printf("for %s until %s", terms.held_for, terms.until)
				: arena_printf("for %s", terms.held_for);
	return MAKING_WRITE;
}

static enum making make_end(struct write *out, const struct job *job, const char **why)
{
	struct hold_terms terms;
	struct owned owned = owned_read(&job->canary, &terms);

	if (owned.hold) {
		owned.hold = NULL;
		owned.ended = job->actor->ended_at;
		write_owned(out, &job->canary, &owned);
		out->done = "ended";
		out->would = "end";
		out->what = arena_printf("the hold for %s", terms.held_for);
		return MAKING_WRITE;
	}
	if (!job->canary.suspended)
		return MAKING_NOTHING;
	if (job->actor->take_over) {
		write_release(out, &job->canary);
		return MAKING_WRITE;
	}
	*why = arena_printf("suspended by %s, left so",
			    *hold_others(job->canary.object) ? hold_others(job->canary.object) : "others");
	return MAKING_NOTHING;
}

static const char *ship_refused(const struct job *job)
{
	const struct ship *ship = &job->decision->ship;

	if (!flagger_known(job->actor->flagger))
		return "the running release isn't known, so what is shipped has no name";
	if (!ship->name)
		return arena_printf("what is shipped has no name: %s", ship->nameless);
	if (!judged_live(job))
		return "the rendered target isn't live yet: it isn't shipped before it is";
	return ship->forbidden;
}

/* Somebody else has set skipAnalysis: there is nothing to ship, and nothing to take off later. */
static enum making make_end_alone(struct write *out, const struct job *job, const char **why)
{
	const char *others = ship_others(job->canary.object);
	enum making made = make_end(out, job, why);

	*why = arena_printf("skipAnalysis is set by %s already", *others ? others : "others");
	if (made == MAKING_WRITE)
		out->what = arena_printf("%s, %s", out->what, *why);
	return made;
}

/* One apply ends the hold and sets skipAnalysis: Flagger never sees the one without the other. */
static enum making make_ship(struct write *out, const struct job *job, const char **why)
{
	const struct canary *c = &job->canary;
	struct hold_terms terms;
	struct owned owned = owned_read(c, &terms);
	const char *name = job->decision->ship.name;
	bool held = owned.hold;

	if ((*why = ship_refused(job)))
		return MAKING_REFUSED;
	if (!c->shipped && tree_true(tree_path(c->object, "spec", "skipAnalysis", NULL)))
		return make_end_alone(out, job, why);
	if (c->shipped && strcmp(c->ship, name) == 0 && !held) {
		*why = arena_printf("shipped already, as %s", name);
		return MAKING_NOTHING;
	}
	owned.hold = NULL;
	owned.ship = name;
	write_owned(out, c, &owned);
	out->done = "shipped";
	out->would = "ship";
	out->what = held ? arena_printf("%s, with the end of the hold for %s", name, terms.held_for) : name;
	out->ships = true;
	out->ends = held;
	return MAKING_WRITE;
}

static enum making make_hold_or_end(struct write *out, const struct job *job, const char **why)
{
	if (job->decision->action.ship)
		return make_ship(out, job, why);
	switch (job->decision->action.hold) {
	case HOLD_SET:
		return make_hold(out, job, why);
	case HOLD_END:
		return make_end(out, job, why);
	case HOLD_LEAVE:
	case HOLD_KEEP:
		break;
	}
	return MAKING_NOTHING;
}

static void hold_done(struct outcome *out, const struct write *w)
{
	out->shipped = w->ships;
	out->held = w->holds;
	out->ended = w->ships ? w->ends : !out->held;
}

const struct step steps[] = {
	{make_unship, unship_done},
	{make_acceptance, acceptance_done},
	{make_hashes, hashes_done},
	{make_hold_or_end, hold_done},
	{NULL, NULL},
};
