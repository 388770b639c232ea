/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/action.h"

#include <string.h>

#include "base/arena.h"

static const char *const flows[] = {
	[FLOW_NONE] = "none",     [FLOW_GUARD] = "guard",   [FLOW_RECONCILE] = "reconcile",
	[FLOW_RESUME] = "resume", [FLOW_COMMIT] = "commit",
};

static const char *const hash_names[] = {
	[HASHES_LEAVE] = "none", [HASHES_APPLIED] = "applied", [HASHES_BOTH] = "both",
};

static const char *const hold_names[] = {
	[HOLD_LEAVE] = "leave", [HOLD_END] = "end", [HOLD_KEEP] = "keep", [HOLD_SET] = "set",
};

/* What a cell says of hashes: as in enum hashes, or a rule over the circumstances. */
enum cell_hashes { CELL_LEAVE, CELL_APPLIED, CELL_BOTH, CELL_IN_FLIGHT, CELL_FAILED };

static const struct cell {
	enum cell_hashes hashes;
	enum hold hold;
	bool ship, alert;
	const char *text;
} cells[VERDICT_COUNT][FLOW_COMMIT + 1] = {
#define CELL(verdict, flow, hashes, hold, ship, alert, text) \
	[VERDICT_##verdict][FLOW_##flow] = {CELL_##hashes, HOLD_##hold, ship, alert, text},
#include "decide/actions.def"
#undef CELL
};

const char *flow_name(enum flow flow)
{
	return flows[flow];
}

enum flow flow_parse(const char *name)
{
	for (int f = FLOW_GUARD; f <= FLOW_COMMIT; f++)
		if (strcmp(flows[f], name) == 0)
			return (enum flow)f;
	return FLOW_NONE;
}

const char *hashes_name(enum hashes hashes)
{
	return hash_names[hashes];
}

const char *hold_name(enum hold hold)
{
	return hold_names[hold];
}

enum holder holder_of(const struct canary *c)
{
	if (!c->suspended)
		return HOLDER_NOBODY;
	if (!c->held)
		return HOLDER_OTHERS;
	if (strncmp(c->held_for, "commit/", 7) == 0)
		return HOLDER_COMMIT;
	if (strncmp(c->held_for, "policy/", 7) == 0)
		return HOLDER_POLICY;
	if (strcmp(c->held_for, "manual") == 0)
		return HOLDER_MANUAL;
	return strcmp(c->held_for, "upgrade") == 0 ? HOLDER_UPGRADE : HOLDER_OTHERS;
}

/* In analysis a hash of the same content is safe to write; past it only what is proved promoted. */
static enum hashes in_flight(const struct circumstances *c)
{
	if (c->phase == PHASE_PROGRESSING || c->phase == PHASE_WAITING_PROMOTION)
		return c->equals_applied || c->equals_primary ? HASHES_APPLIED : HASHES_LEAVE;
	if (c->phase == PHASE_PROMOTING || c->phase == PHASE_FINALISING)
		return c->equals_primary ? HASHES_APPLIED : HASHES_LEAVE;
	return HASHES_LEAVE;
}

static enum hashes hashes_of(const struct circumstances *c, enum cell_hashes cell)
{
	switch (cell) {
	case CELL_LEAVE:
		return HASHES_LEAVE;
	case CELL_APPLIED:
		return HASHES_APPLIED;
	case CELL_BOTH:
		return HASHES_BOTH;
	case CELL_IN_FLIGHT:
		return in_flight(c);
	case CELL_FAILED:
		return c->promoted_found ? HASHES_BOTH : HASHES_APPLIED;
	}
	return HASHES_LEAVE;
}

/* The flow that owns a hold ends it: upgrade flows their own and manual ones, commits the rest. */
static bool flow_owns(enum flow flow, enum holder holder)
{
	if (flow == FLOW_COMMIT)
		return holder == HOLDER_COMMIT || holder == HOLDER_POLICY;
	return holder == HOLDER_UPGRADE || (flow == FLOW_RESUME && holder != HOLDER_POLICY &&
					    holder != HOLDER_OTHERS && holder != HOLDER_NOBODY);
}

/* Any hold that is wanted takes a commit's over: an upgrade's outranks it, a policy's outlives it. */
static bool gives_way(enum holder holder)
{
	return holder == HOLDER_COMMIT;
}

static enum hold hold_of(const struct circumstances *c, enum hold wanted)
{
	if (wanted == HOLD_SET && (c->holder == HOLDER_NOBODY || gives_way(c->holder)))
		return HOLD_SET;
	if (!flow_owns(c->flow, c->holder))
		return HOLD_LEAVE;
	return wanted == HOLD_SET ? HOLD_KEEP : wanted;
}

static const char *describe(const struct action *a, const char *text, enum holder holder)
{
	static const char *const writes[] = {
		[HASHES_LEAVE] = "", [HASHES_APPLIED] = "; write lastAppliedSpec",
		[HASHES_BOTH] = "; write both hashes",
	};
	static const char *const holds[] = {
		[HOLD_LEAVE] = "", [HOLD_END] = "; end the hold", [HOLD_KEEP] = "; keep the hold",
		[HOLD_SET] = "; hold",
	};
	const char *others = holder == HOLDER_OTHERS ? "; suspended by others, left so" : "";

	return arena_printf("%s%s%s%s%s", text, writes[a->hashes],
			    a->withheld ? "; no hash is written, the running release isn't known" : "",
			    holds[a->hold], others);
}

struct action action_of(const struct circumstances *c)
{
	const struct cell *cell = &cells[c->verdict][c->flow];
	struct action a = {.text = "", .alert = cell->alert};

	if (c->flow == FLOW_NONE)
		return a;
	a.hashes = hashes_of(c, cell->hashes);
	a.withheld = !c->release_known && (a.hashes != HASHES_LEAVE || c->verdict == VERDICT_NONE);
	if (a.withheld)
		a.hashes = HASHES_LEAVE;
	/* Without the hash of the release that runs, the end of a hold may set off what it holds. */
	a.hold = hold_of(c, a.withheld && cell->hold == HOLD_END ? HOLD_KEEP : cell->hold);
	/* Held by another flow it waits: that one's end lets Flagger analyse it. */
	a.ship = cell->ship && (c->holder == HOLDER_NOBODY || a.hold == HOLD_END);
	a.text = describe(&a, cell->ship && !a.ship ? "not shipped while it is held" : cell->text, c->holder);
	return a;
}
