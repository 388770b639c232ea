/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/ship.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/configs.h"
#include "flagger/fingerprint.h"
#include "flagger/hash.h"

#define PENDING '+'

/* The parts of a name. */
struct name {
	const char *hash, *configs; /* "" where no data wait */
};

static struct name name_read(const char *text)
{
	const char *pending = strchr(text, PENDING);

	if (!pending)
		return (struct name){text, ""};
	return (struct name){arena_strndup(text, (size_t)(pending - text)), pending + 1};
}

/* Data of configs that Flagger hasn't tracked yet; what wasn't read counts as none. */
static const char *pending_configs(const struct canary *c, const struct subject *s,
				   const struct flagger *flagger)
{
	struct configs configs;
	struct notes ignored = {0};
	char print[FINGERPRINT_SIZE];

	configs_compare(&configs, c, s->target.object, flagger, &s->configs, &ignored);
	if (configs.changed != ANSWER_YES)
		return "";
	fingerprint(print, &configs.changes, s->primary.object);
	return arena_strdup(print);
}

/* 0, or -1 with `why`. */
static int name_live(struct name *out, const char **why, const struct canary *c, const struct subject *s,
		     const struct flagger *flagger)
{
	char hash[HASH_SIZE];
	struct error err;

	if (!flagger->k8s)
		*why = arena_printf("the running release isn't known%s%s", flagger->problem ? ": " : "",
				    flagger->problem ? flagger->problem : "");
	else if (s->target.reading != READ_PRESENT)
		*why = "the target wasn't read";
	else if (flagger_hash(hash, s->target.object, flagger->k8s, &err) != 0)
		*why = arena_strdup(err.text);
	else
		*out = (struct name){arena_strdup(hash), pending_configs(c, s, flagger)};
	return *why ? -1 : 0;
}

static const char *name_text(const struct name *n)
{
	return *n->configs ? arena_printf("%s%c%s", n->hash, PENDING, n->configs) : n->hash;
}

/* What Flagger hasn't begun with: it has to be all that waits. */
static const char *stale_before(const struct canary *c, const struct name *shipped, const struct name *live)
{
	if (strcmp(shipped->configs, live->configs) != 0)
		return *live->configs ? "other configs wait by now" : "its configs don't wait any more";
	if (*shipped->configs)
		return NULL;
	if (strcmp(c->promoted, shipped->hash) == 0)
		return "it is promoted";
	if (strcmp(c->applied, shipped->hash) == 0)
		return c->phase == PHASE_FAILED ? "it failed" : "Flagger won't run it";
	return NULL;
}

/* Begun or waiting for its gate: nothing may have come besides. */
static const char *stale_in_flight(const struct name *shipped, const struct name *live)
{
	bool more = *live->configs && strcmp(shipped->configs, live->configs) != 0;

	return more ? "other configs wait by now" : NULL;
}

static const char *stale(const struct canary *c, const struct name *live, const char *nameless)
{
	struct name shipped = name_read(c->ship);

	if (!c->shipped || (c->has_status && !c->has_conditions)) /* a change of spec would initialize it anew */
		return NULL;
	if (c->deleting)
		return "the canary is being deleted";
	if (!*c->ship)
		return "it doesn't say for which change";
	if (nameless)
		return phase_in_flight(c->phase) && strcmp(c->applied, shipped.hash) == 0
			       ? NULL
			       : arena_printf("whether it is still for what is live can't be told: %s", nameless);
	if (strcmp(shipped.hash, live->hash) != 0)
		return arena_printf("it was for %s, and the target is %s", shipped.hash, live->hash);
	return phase_in_flight(c->phase) ? stale_in_flight(&shipped, live) : stale_before(c, &shipped, live);
}

static const char *forbidden(const struct canary *c, bool gates_open)
{
	if (c->deleting)
		return "it is being deleted: it isn't shipped";
	if (!c->has_status || !c->has_conditions)
		return "status.conditions is missing: with a change of spec Flagger initializes it anew";
	if (*c->gates && !gates_open)
		return arena_printf("it has gates (%s): it isn't shipped unless the policy's rule says 'gates: open'",
				    c->gates);
	return NULL;
}

void ship_judge(struct ship *out, const struct canary *c, const struct subject *s,
		const struct flagger *flagger, bool gates_open)
{
	struct name live = {"", ""};

	*out = (struct ship){0};
	if (name_live(&live, &out->nameless, c, s, flagger) == 0)
		out->name = name_text(&live);
	out->stale = stale(c, &live, out->nameless);
	out->forbidden = forbidden(c, gates_open);
}
