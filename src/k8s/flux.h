/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How Flux's kustomize-controller applies: server-side, by force, after it has folded older owners
 * in, unless the object says otherwise by label or annotation (gitops.md §2.2; fluxcd/pkg/ssa).
 */
#ifndef PERCH_K8S_FLUX_H
#define PERCH_K8S_FLUX_H

#include <stdbool.h>

#include "value/tree.h"

/* Is it Flux's field manager? NULL is none. */
bool flux_applies(const char *manager);
/* `ssa: Merge`, on either: others' entries are left to them. */
bool flux_merges(const struct tree *desired, const struct tree *live);
/* What makes it leave a live object as it is (`ssa: Ignore`), for people; NULL: it applies. */
const char *flux_skips(const struct tree *desired, const struct tree *live);

#endif
