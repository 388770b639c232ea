/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "perch/live.h"
#include "perch/verb.h"
#include "report/talk.h"

#define FINGERPRINT_LENGTH 16
#define MAX_TRIES 5 /* of a canary that changes between read and write */

const struct option adopt_options[] = {
	{"accept", 0, OPTION_TEXT, "FINGERPRINT",
	 "take your word for exactly the difference that perch explain prints this of", OPTION(accept)},
	FLEET_WRITE_OPTIONS,
	NO_MORE_OPTIONS,
};
const char adopt_about[] =
	"Writes the running Flagger's hashes for canaries whose target is proved to be what was promoted, and\n"
	"ends perch's hold on them: Flagger then finds nothing to do. What isn't proved is refused, unless\n"
	"--accept names exactly its difference: that is noted on the canary and counts until the next\n"
	"promotion, or until the difference is another.\n"
	"\n"
	"examples:\n"
	"  perch adopt shop/cart\n"
	"  perch adopt -n shop cart --accept 0f1e2d3c4b5a6978\n"
	"\n"
	"exit codes: 0 adopted, 2 usage, 3 API unreachable, 4 forbidden, 5 refused, 6 timeout, 7 some are undone\n";

struct adopt {
	struct live_run run;
	const char *accept;
	bool accepting; /* this pass writes the acceptance, the next one decides with it */
	bool moved;     /* the canary had changed meanwhile: once more */
	int tries;
	size_t accepted, refused, left; /* refused ones are left, too */
};

static bool adoptable(enum verdict v)
{
	return v == VERDICT_ADOPT || v == VERDICT_ROLLBACK || v == VERDICT_NONE;
}

/* Could an operator's word for the difference between target and primary make it adoptable? */
static bool acceptable(const struct decision *d)
{
	switch (d->verdict) {
	case VERDICT_RUN:
	case VERDICT_SHIP:
	case VERDICT_HOLD:
	case VERDICT_SWALLOWED:
	case VERDICT_UNPROVED:
		return *d->canary.applied && *d->proof.fingerprint;
	default:
		return false;
	}
}

/* The command that shows what would have to be accepted, and the one that accepts it. */
static const char *next_step(const struct decision *d)
{
	const char *namespace = d->canary.namespace, *name = d->canary.name;

	if (!acceptable(d))
		return arena_printf("; see perch explain %s/%s", namespace, name);
	return arena_printf("; see perch explain %s/%s, and if its difference is nothing: perch adopt %s/%s "
			    "--accept %s", namespace, name, namespace, name, d->proof.fingerprint);
}

static void leave(struct adopt *a, const struct decision *d, enum deed deed, const char *text)
{
	struct outcome_item item = {d->canary.namespace, d->canary.name, d, deed, text};

	a->left++;
	a->refused += deed == DEED_REFUSED;
	live_tell(&a->run, &item, verdict_name(d->verdict));
}

/* In a dry run it ends here: on what isn't stored nothing can be decided. */
static void tell_accepted(struct adopt *a, const struct decision *d, const struct outcome *o)
{
	struct outcome_item item = {d->canary.namespace, d->canary.name, d, DEED_ADOPTED, o->text};

	a->accepted++;
	if (a->run.actor.dry == DRY_NONE)
		talk_info("%s/%s: %s", item.namespace, item.name, o->text);
	else
		live_tell(&a->run, &item, NULL);
}

/* Its difference is the one that was named: said on the canary. */
static int accept(struct adopt *a, struct decision *d, struct error *err)
{
	struct actor actor = a->run.actor;
	struct outcome o;

	actor.api = a->run.live->api;
	if (act_accept(&o, &actor, &d->canary, a->accept, err) != 0)
		return -1;
	if (o.kind == OUTCOME_DONE)
		tell_accepted(a, d, &o);
	else if (o.kind == OUTCOME_MOVED && ++a->tries < MAX_TRIES)
		a->moved = true; /* the next pass looks at what it has become */
	else
		leave(a, d, live_deed(d, &o), o.text);
	return 0;
}

static int accept_first(struct adopt *a, struct decision *d, struct error *err)
{
	if (adoptable(d->verdict))
		return 0;
	if (!acceptable(d)) {
		leave(a, d, DEED_REFUSED, arena_printf("%s: %s", verdict_name(d->verdict), d->reason));
		return 0;
	}
	if (strcmp(d->proof.fingerprint, a->accept) == 0)
		return accept(a, d, err);
	leave(a, d, DEED_REFUSED,
	       arena_printf("its difference is now %s, not %s; see perch explain %s/%s", d->proof.fingerprint,
			    a->accept, d->canary.namespace, d->canary.name));
	return 0;
}

static int before(void *arg, struct decision *d, bool *skip, struct error *err)
{
	struct adopt *a = arg;

	*skip = true;
	if (a->accepting)
		return accept_first(a, d, err);
	*skip = !adoptable(d->verdict);
	if (*skip)
		leave(a, d, DEED_REFUSED,
		       arena_printf("%s: %s%s", verdict_name(d->verdict), d->reason, next_step(d)));
	return 0;
}

static int after(void *arg, const struct decision *d, const struct outcome *o, struct error *err)
{
	struct adopt *a = arg;

	(void)d;
	(void)err;
	a->refused += o->kind == OUTCOME_REFUSED;
	return 0;
}

static int passes(struct adopt *a, struct error *err)
{
	for (a->accepting = a->accept; a->accepting; a->accepting = a->moved) {
		a->moved = false;
		if (live_pass(&a->run, err) != 0)
			return -1;
	}
	if (a->left || (a->accepted && a->run.actor.dry != DRY_NONE))
		return 0;
	return live_pass(&a->run, err);
}

static bool is_fingerprint(const char *text)
{
	return strlen(text) == FINGERPRINT_LENGTH && strspn(text, "0123456789abcdef") == FINGERPRINT_LENGTH;
}

static int contradictions(const struct settings *s, struct error *err)
{
	if (!s->operands.count)
		return error_set(err, ERR_USAGE, "adopt: name the canaries");
	if (s->accept && s->operands.count != 1)
		return error_set(err, ERR_USAGE, "adopt: --accept is for one canary");
	if (s->accept && !is_fingerprint(s->accept))
		return error_set(err, ERR_USAGE, "--accept: '%s' is no fingerprint: %d hex digits, as explain prints them",
				 s->accept, FINGERPRINT_LENGTH);
	return inputs_refuse_contradictions(s, err);
}

int verb_adopt(const struct settings *s, struct error *err)
{
	struct live live;
	struct adopt a = {
		.run = {.s = s, .live = &live, .flow = FLOW_RESUME, .verb = "adopt", .before = before, .after = after,
			.actor = {.events = true, .trace = s->verbose ? talk_trace : NULL}},
		.accept = s->accept,
	};
	int result;

	a.run.arg = &a;
	if (contradictions(s, err) != 0 || live_dry_run(&a.run.actor.dry, s, err) != 0 ||
	    live_connect(&live, s, err) != 0)
		return -1;
	result = live_begin(&a.run, err) != 0 ? -1 : live_end(&a.run, passes(&a, err) != 0, err);
	live_close(&live);
	return result > 0 && a.refused ? error_exit_code(ERR_REFUSED) : result;
}
