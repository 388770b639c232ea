/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What perch owns on a Canary, as server-side apply has it: all of it is sent each time, and what is
 * left out is given up. So ending a hold is an apply without it, and an acceptance outlives it. The
 * annotations of a hold are a contract (DESIGN.md §3, "Holds").
 */
#ifndef PERCH_ACT_HOLD_H
#define PERCH_ACT_HOLD_H

#include "flagger/canary.h"

#define FIELD_MANAGER "perch" /* never kubectl-…: Flux folds those into its own */

struct hold_terms {
	const char *held_for;  /* "upgrade", "commit/APP", "policy/APP", "manual" */
	const char *by;        /* who: flow and host, e.g. "perch guard (flagger-7c9d4-x2x)" */
	const char *at, *until; /* RFC 3339; until NULL for a policy's */
	const char *reason;
};

struct owned {
	const struct hold_terms *hold; /* NULL: none */
	const char *accepted;          /* NULL or "": none */
	const char *ship;              /* perch.dev/ship: skipAnalysis for this change; NULL: none */
	const char *ended;             /* perch.dev/ended: when a step let it go, until it has settled; NULL: none */
};

/* What it owns now, to be changed and sent again. `terms` is filled in where it holds. */
struct owned owned_read(const struct canary *c, struct hold_terms *terms);
/* perch.dev/ended; NULL: it has none. */
const char *owned_ended(const struct canary *c);
/* The object to apply: with metadata.uid always, so that nothing is ever created, and resourceVersion. */
const struct tree *owned_object(const struct canary *c, const struct owned *owned);
/* The kubectl line that ends a hold by hand, as annotation perch.dev/undo has it; it says what then happens. */
const char *hold_undo(const struct canary *c);

/* What a record of it holds of a text: at most so much as people read. */
const char *hold_bounded(const char *text);
/* perch's Apply entry in managedFields; NULL: it owns nothing. */
const struct tree *hold_entry(const struct tree *canary);
/*
 * The managers besides it that own spec.suspend: "kubectl-edit, argocd-controller"; "" for nobody. perch is
 * among them where what says for whom it holds is gone.
 */
const char *hold_others(const struct tree *canary);
/* Those besides it that own spec.skipAnalysis. */
const char *ship_others(const struct tree *canary);
/* Annotations of a hold on a canary that isn't held: a list of keys. */
const struct tree *hold_leftovers(const struct canary *c);

#endif
