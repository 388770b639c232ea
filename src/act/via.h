/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds and ships by way of a ConfigMap, for Canaries whose spec.suspend is in Git: a Flux Kustomization
 * reads it (postBuild.substituteFrom) and the manifest says
 *
 *     suspend: ${perch_hold_cart:=false}
 *     skipAnalysis: ${perch_ship_cart:=false}
 *
 * with the canary's name, every other character than a letter or a digit as an underscore. Beside the
 * variables the ConfigMap holds a record of each, perch_held_cart, which is JSON: for what, by whom,
 * since and until when, why, and the line that undoes it. Every key is a name that Flux takes for a
 * variable's: one that isn't breaks the whole Kustomization (seen in fluxcd/pkg/kustomize). Readers
 * see the record on the canary (flagger/canary_via.h), so that all else works as on the Canary itself.
 */
#ifndef PERCH_ACT_VIA_H
#define PERCH_ACT_VIA_H

#include "base/options.h"
#include "flagger/canary.h"
#include "io/api.h"

#define VIA_HOLD "perch_hold_"
#define VIA_SHIP "perch_ship_"
#define VIA_RECORD "perch_held_"
/* There from the start: without any variable Flux substitutes nothing, and defaults stay as they are spelled. */
#define VIA_ALWAYS "perch_holds"

extern const struct api_kind via_kind; /* ConfigMaps */

struct via {
	const char *namespace; /* of the ConfigMap; NULL: each canary's own */
	const char *name;
	const struct tree **maps; /* as read */
	size_t count;
};

/*
 * --via: "canary" gives NULL, "configmap", "configmap=NAME" or "configmap=NAMESPACE/NAME" a struct via.
 * ERR_USAGE for all else.
 */
int via_parse(const struct via **out, const char *text, struct error *err);
/* The same with the ConfigMaps for canaries of these namespaces (none given: of all) as they are now. */
int via_load(const struct via **out, const struct via *via, struct api *api, const struct strings *namespaces,
	     struct error *err);
/* The canary with what its ConfigMap says of it; itself where `via` is NULL. */
const struct tree *via_see(const struct via *via, const struct tree *canary);
/* The same by this ConfigMap (NULL: there is none), which is the one that `c` has. */
const struct tree *via_see_in(const struct tree *map, const struct canary *c, const struct tree *canary);
/* A newer reading of the canary with what `c` has of its ConfigMap. */
const struct tree *via_kept(const struct canary *c, const struct tree *canary);

#endif
