/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ordered list of one-line remarks for people: notes and warnings. Each begins with a stable
 * first word (`replicas:`, `primary-drift:`, …), which is part of the JSON contract. The same remark
 * is kept once. Text lives on the arena.
 */
#ifndef PERCH_BASE_NOTES_H
#define PERCH_BASE_NOTES_H

#include <stddef.h>

struct note {
	const char *text;
	struct note *next;
};

struct notes {
	struct note *first, *last;
	size_t count;
};

void note_add(struct notes *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define note_each(n, notes) for (const struct note *n = (notes)->first; n; n = n->next)

#endif
