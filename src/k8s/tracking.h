/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose app an object is, by the marks that Argo CD, Flux and Helm leave on what they apply
 * (trackers.def). An object may be of several: a release's and its HelmRelease's. Strings are borrowed
 * or on the arena.
 */
#ifndef PERCH_K8S_TRACKING_H
#define PERCH_K8S_TRACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "value/tree.h"

#define TRACKING_MAX 8

struct tracked_app {
	const char *engine;    /* "Argo CD" */
	const char *namespace; /* of the app itself; "" where the mark has none */
	const char *name;
	const char *text;      /* as the mark spells it */
};

/* How many marks count, and whose apps they name. */
size_t tracking_read(struct tracked_app out[TRACKING_MAX], const struct tree *object);
/* Is `wanted`, NAME or NAMESPACE/NAME or the mark's own spelling, this one? */
bool tracking_is(const struct tracked_app *app, const char *wanted);

#endif
