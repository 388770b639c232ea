/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strategic merge patches, as kubectl and Helm make them and an API server applies them: lists with
 * a merge key are merged by it, their order travels in `$setElementOrder`, fields that go in nulls
 * and `$patch: delete`, one-of structs in `$retainKeys`. What a patch can't express comes out as the
 * server's result would. Source: apimachinery's strategicpatch; the facts are schema.def's.
 */
#ifndef PERCH_K8S_PATCH_H
#define PERCH_K8S_PATCH_H

#include "base/error.h"
#include "base/notes.h"
#include "k8s/path.h"

#define PATCH_DIRECTIVE "$patch"
#define PATCH_RETAIN "$retainKeys"
#define PATCH_ORDER "$setElementOrder/"
#define PATCH_DELETE_SCALARS "$deleteFromPrimitiveList/"

/*
 * The patch that brings `current` to `modified`, live-only values kept, less what `original` had and
 * `modified` hasn't. NULL original: nothing goes. ERR_INPUT where a list item lacks its merge key; a
 * warning where several items share one, so that the patch may hit another than is meant.
 */
struct tree *patch_create(const struct tree *original, const struct tree *modified,
			  const struct tree *current, const struct schema_type *type, int minor,
			  struct notes *warnings, struct error *err);

/*
 * Merges `patch` into `original` (both are used up) and returns it. `final`: as the server does with
 * an object; else two patches become one, and nulls and directives stay.
 */
struct tree *patch_merge(struct tree *original, struct tree *patch, const struct schema_type *type,
			 int minor, bool final, struct error *err);

/* How an entry of a struct or map is patched. */
struct patch_meta {
	const struct schema_type *type; /* of the entry, behind pointers; NULL: unknown */
	bool merge, retain;             /* a list merged by item; keys not sent go */
	const char *key;                /* the merge key; NULL for scalars */
};
struct patch_meta patch_meta(const struct schema_type *type, const char *key, int minor);

/* Item of a list whose merge key is that of `like` (or which equals it); -1: none. */
long patch_index(const struct tree *list, const struct tree *like, const char *key);
/* ERR_INPUT unless every item is a map with the merge key. */
int patch_check_keys(const struct tree *list, const char *key, const struct path *at, struct error *err);
/* A new list of the items in the order of `order`; what a patch deletes comes last. */
struct tree *patch_sorted(const struct tree *items, const struct tree *order, const char *key);
/* Both lists as one: items of `left` go before the first of `right` that `order` puts behind them. */
struct tree *patch_interleaved(const struct tree *left, const struct tree *right,
			       const struct tree *order, const char *key);

#endif
