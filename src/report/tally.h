/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run did, counted: the words of deeds.def, which canaries it leaves for somebody to look at,
 * and the closing sentence ("perch resume: 5 ended, 3 adopted, 1 kept (shop/cart: unproved, see
 * perch explain)"). It keeps its own bytes, so that the arena may be rewound between canaries.
 */
#ifndef PERCH_REPORT_TALLY_H
#define PERCH_REPORT_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "value/tree.h"

enum deed {
#define DEED(id, name, said) DEED_##id,
#include "report/deeds.def"
#undef DEED
	DEED_COUNT,
};

const char *deed_name(enum deed deed);

#define TALLY_NAMED 3

struct tally {
	const char *verb;
	const char *about; /* what stands before the counts ("Flagger 1.40.0 → 1.41.0"); NULL: nothing */
	size_t canaries, deeds[DEED_COUNT];
	size_t open[DEED_COUNT]; /* of them, those that somebody has to look at */
	bool explain;            /* for one of those, perch explain says why */
	char named[DEED_COUNT][TALLY_NAMED][512];
};

/* `why` is NULL where nobody has to look, else a word or a line. */
void tally_add(struct tally *t, enum deed deed, const char *namespace, const char *name, const char *why);
size_t tally_open(const struct tally *t);
const char *tally_sentence(const struct tally *t);
/* {summary, left}: for the termination message. */
const struct tree *tally_facts(const struct tally *t);
/* How many of each deed, those of none left out. */
struct tree *tally_counts(const struct tally *t);

#endif
