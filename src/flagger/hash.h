/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flagger's hash of a target (flagger.md §2): FNV-1a over go-spew's text of the pod template
 * (Deployment, DaemonSet after Flagger's stripping), the Service's spec or the Knative revision
 * name, in the schema of one k8s.io/api minor. The object is hashed as decoded; nothing is defaulted.
 * ERR_INPUT, with the path, where Go could not decode it; ERR_PARTIAL, "cannot compute", where the
 * text depends on Flagger's process (a non-null creationTimestamp in a template).
 */
#ifndef PERCH_FLAGGER_HASH_H
#define PERCH_FLAGGER_HASH_H

#include "base/buffer.h"
#include "base/error.h"
#include "value/tree.h"

#define HASH_SIZE 24

int flagger_hash(char out[HASH_SIZE], const struct tree *object, int minor, struct error *err);
/* The very text that is hashed. */
int flagger_dump(struct buffer *out, const struct tree *object, int minor, struct error *err);

/* What Flagger sends to webhooks as `checksum`, from a Canary's status (absent is fine). */
int flagger_webhook_checksum(char out[HASH_SIZE], const struct tree *status, struct error *err);

enum hash_format {
	HASH_NONE,    /* empty or absent */
	HASH_SPEW,    /* 1 to 10 of 456789bcdf that stand for 32 bits: Flagger 1.0 to today */
	HASH_V2,      /* `v2:` and 16 hex digits: Flagger's announced replacement; not computed */
	HASH_FOREIGN, /* anything else: an older Flagger's, or not Flagger's at all */
};
enum hash_format hash_format(const char *text);

#endif
