/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an object is, without reading what it holds: the text of a JSON map is copied with the values
 * of some keys emptied, `spec` and `metadata.managedFields` say, at a fraction of the cost of parsing
 * them. Bounds and syntax of what was left out aren't checked; whoever reads it later does so.
 */
#ifndef PERCH_VALUE_JSON_OUTLINE_H
#define PERCH_VALUE_JSON_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * `emptied` ends with NULL and names keys as paths of one or two steps ("spec",
 * "metadata/managedFields"). Lists become [], maps {}, other values stay. False where the text isn't
 * plain enough (an escape in a key, brackets that don't close): then parse all of it.
 */
bool json_outline(struct buffer *out, const char *text, size_t len, const char *const *emptied);

#endif
