/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an object is, without reading what it holds: some entries of a JSON map are copied, the big
 * ones below them emptied, at a fraction of the cost of parsing all. Where the wanted ones come
 * first, as kubectl writes them, the rest isn't even looked at. Bounds and syntax of what was left
 * out aren't checked; whoever reads it later does so.
 */
#ifndef PERCH_VALUE_JSON_OUTLINE_H
#define PERCH_VALUE_JSON_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * `wanted` names entries of the map, `emptied` entries of those entries; both end with NULL. An
 * emptied list becomes [], a map {}; other values stay. False where the text isn't plain enough (an
 * escape in a key, brackets that don't close): then parse all of it.
 */
bool json_outline(struct buffer *out, const char *text, size_t len, const char *const *wanted,
		  const char *const *emptied);

#endif
