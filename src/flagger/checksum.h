/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The config tracker's checksum of a ConfigMap or Secret (flagger.md §4): the first 8 bytes, in hex,
 * of SHA-256 over Go's JSON of `data`. binaryData doesn't count. A rendered object and the live one
 * agree: stringData is folded over a Secret's data and an empty map is none, as the API server does
 * on write.
 */
#ifndef PERCH_FLAGGER_CHECKSUM_H
#define PERCH_FLAGGER_CHECKSUM_H

#include "base/error.h"
#include "value/tree.h"

#define CHECKSUM_SIZE 17

/* ERR_INPUT where Go could not decode the object (the text never shows a value). */
int config_checksum(char out[CHECKSUM_SIZE], const struct tree *object, struct error *err);

#endif
