/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "perch/hook.h"

enum want { WANT_NOTHING, WANT_COMMIT, WANT_POLICY };

static bool changed_by_git(const struct changes *changes)
{
	change_each(c, changes)
		if (c->origin && strcmp(c->origin, "git") == 0)
			return true;
	return false;
}

/* Does D make another template of T, be it one of the same content? */
static bool makes_another(const struct decision *d, const struct subject *s)
{
	const struct tree *live = s->target.object;
	enum object_kind kind = object_kind(live);

	return s->desired && live && d->applied &&
	       !tree_same(object_content(d->applied, kind), object_content(live, kind));
}

static bool can_be_held(const struct decision *d)
{
	return d->verdict != VERDICT_UNKNOWN && d->verdict != VERDICT_DELETING &&
	       d->verdict != VERDICT_INITIALIZE && d->verdict != VERDICT_PRIMARY_MISSING;
}

/* Noise must not run, and what is shipped must not be analysed before post has told Flagger. */
static enum want wanted(const struct hook *h, const struct decision *d)
{
	if (!h->given.has_desired && !h->hold_all)
		return WANT_NOTHING;
	if (d->verdict == VERDICT_HOLD)
		return WANT_POLICY;
	if (h->hold_all && can_be_held(d))
		return WANT_COMMIT;
	if (d->verdict == VERDICT_ADOPT && makes_another(d, h->run.subject))
		return WANT_COMMIT;
	if (d->verdict == VERDICT_SHIP && changed_by_git(&d->changes))
		return WANT_COMMIT;
	return WANT_NOTHING;
}

static void set(struct action *a, enum hold hold, const char *text)
{
	*a = (struct action){.hashes = HASHES_LEAVE, .hold = hold, .text = text};
}

static void hold(struct hook *h, struct decision *d, enum want want)
{
	enum holder holder = holder_of(&d->canary);
	bool own = app_scope_holds(&h->scope, &d->canary);

	if (holder != HOLDER_NOBODY && !own)
		set(&d->action, HOLD_LEAVE, holder == HOLDER_OTHERS ? "suspended by others, left so" : "not this app's");
	else if (holder == HOLDER_POLICY)
		set(&d->action, HOLD_KEEP, "held by policy already");
	else
		set(&d->action, HOLD_SET, "hold");
	h->run.actor.terms = want == WANT_POLICY ? &h->policy : &h->commit;
}

int hook_pre_before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct hook *h = arg;
	enum want want = wanted(h, d);
	bool settled = phase_settled(d->canary.phase); /* it may have begun since */

	(void)skip;
	(void)err;
	h->n_rendered += h->run.subject->desired != NULL;
	h->n_unrendered += !h->run.subject->desired;
	if (*h->unsettled || !settled) {
		set(&d->action, HOLD_LEAVE, "nothing is held while a canary isn't settled");
	} else if (want == WANT_NOTHING) {
		set(&d->action, HOLD_LEAVE, app_scope_holds(&h->scope, &d->canary) ? "post ends it" : d->reason);
	} else if (!flagger_known(h->run.flagger)) {
		set(&d->action, HOLD_LEAVE, "the running Flagger isn't known: nothing is held");
		live_refuse(&h->run, h->run.flagger);
	} else {
		hold(h, d, want);
	}
	return 0;
}
