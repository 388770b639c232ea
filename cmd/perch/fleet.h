/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks the canaries that a command line asks for, one at a time, joined and decided; the arena is
 * rewound after each. Shared by plan, predict and explain.
 */
#ifndef PERCH_FLEET_H
#define PERCH_FLEET_H

#include "decide/decide.h"
#include "perch/inputs.h"
#include "report/talk.h"

struct fleet_walk {
	const struct settings *s;
	const struct inputs *in;
	const struct release *to;      /* the Flagger to come; NULL: the one that runs */
	enum flow flow;
	bool touched_only;             /* only what D has something of */
	bool quiet;                    /* its warnings were said before */
	bool live_only;                /* not what is rendered and isn't there yet */
	struct talk_some warnings;     /* set by fleet_walk() */
	/* One canary, decided. Nothing of it may be kept. */
	int (*canary)(void *arg, const struct subject *subject, const struct decision *decision,
		      const struct flagger *flagger, struct error *err);
	void *arg;
};

/* All that verbs over canaries begin with: inputs, loaded and talked of, that have what was named. */
int fleet_open(struct inputs *out, const struct settings *s, struct report *report, struct error *err);
int fleet_walk(struct fleet_walk *w, struct error *err);
/* ERR_INPUT where an operand names no canary; to be asked before anything is printed. */
int fleet_named(const struct settings *s, const struct inputs *in, struct error *err);
/* --flow; ERR_USAGE for a name that is none. */
int fleet_flow(enum flow *out, const struct settings *s, struct error *err);
/* ERR_USAGE where a name alone is several canaries'. */
int fleet_one(const char *verb, const struct settings *s, const struct inputs *in, struct error *err);
/* How many canaries of the dump are asked for? */
int fleet_count(size_t *out, const struct settings *s, const struct inputs *in, struct error *err);
/* A Flagger to come starts as the one that runs now was started. */
struct flagger fleet_coming(const struct flagger *now, const struct release *to);

#endif
