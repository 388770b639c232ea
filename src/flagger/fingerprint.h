/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of one exact difference between T and P, which an operator accepts or not (DESIGN.md §8,
 * "accepted"): the first 16 hex digits of SHA-256 over each difference's path, T's value and P's,
 * sorted by path, and over P's flagger-id. A promotion stamps a new id on P and so ends it. What is
 * equal but may not be Flagger's doing counts too: an operator answers for that as well.
 */
#ifndef PERCH_FLAGGER_FINGERPRINT_H
#define PERCH_FLAGGER_FINGERPRINT_H

#include "k8s/change.h"

#define FINGERPRINT_SIZE 17

void fingerprint(char out[FINGERPRINT_SIZE], const struct changes *difference,
		 const struct tree *primary);

#endif
