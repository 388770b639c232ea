/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Canary as perch sees it: the fields of spec and status that decide, read once from its tree.
 * Strings are borrowed; "" where the field is absent (a namespace is then "default"). Source: flagger.md §1.
 */
#ifndef PERCH_FLAGGER_CANARY_H
#define PERCH_FLAGGER_CANARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "k8s/object.h"

enum phase {
	PHASE_NONE, /* "" or no status */
	PHASE_INITIALIZING,
	PHASE_INITIALIZED,
	PHASE_WAITING,
	PHASE_PROGRESSING,
	PHASE_WAITING_PROMOTION,
	PHASE_PROMOTING,
	PHASE_FINALISING,
	PHASE_SUCCEEDED,
	PHASE_FAILED,
	PHASE_TERMINATING,
	PHASE_TERMINATED,
	PHASE_UNKNOWN, /* a text that no release writes */
};

const char *phase_name(enum phase phase);
bool phase_settled(enum phase phase);   /* Initialized, Succeeded */
bool phase_in_flight(enum phase phase); /* per DESIGN.md §1 */

struct canary {
	const struct tree *object;
	const char *namespace, *name;
	enum object_kind target_kind; /* KIND_DEPLOYMENT for kinds unknown to Flagger, as Flagger does */
	const char *target_name;
	enum phase phase;
	bool suspended, skip_analysis, deleting;
	bool has_status, has_conditions;
	const char *applied, *promoted;      /* lastAppliedSpec, lastPromotedSpec; "" when empty */
	const struct tree *tracked;          /* status.trackedConfigs; NULL: absent */
	int64_t weight, iterations, failed_checks;
	const char *promoted_since;          /* lastUpdateTime/lastTransitionTime of condition Promoted */
	const char *held_for, *held_by, *held_at, *held_until, *held_reason; /* perch.dev/…; "" */
	bool held;                           /* suspend owned by an Apply entry of perch, annotated */
	const char *accepted;                /* perch.dev/accepted; "" */
	const char *ship;                    /* perch.dev/ship: what skipAnalysis is for; "" */
	bool shipped;                        /* skipAnalysis owned by an Apply entry of perch */
	const char *tracked_revision;        /* status.lastTrackedRevision (the v2 format); "" */
	/*
	 * Where holds go by a ConfigMap that Flux substitutes from (act/via.h): member `perch` of the object,
	 * which no API server has, says which, and what that says of this canary. The above is then what is
	 * written there.
	 */
	const struct tree *via;              /* NULL: holds are on the Canary itself */
	bool pending;                        /* Flux hasn't applied what is written there */
	const char *gates;                   /* its confirm-… webhooks: "confirm-rollout, confirm-promotion"; "" */
};

/* ERR_INPUT with the path where a field is of a wrong type. */
int canary_read(struct canary *out, const struct tree *object, struct error *err);
/* `<target>-primary` on the arena. */
const char *canary_primary_name(const struct canary *c);

#endif
