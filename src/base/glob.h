/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Globs over paths and names: `*` matches within a segment, `**` across segments, `?` one byte, all
 * else itself (brackets too, since list keys are written in them). Segments end at any byte of
 * `separators` outside brackets: "." for paths, "/" for images, "" for names. Time is linear in
 * pattern × text, whatever the pattern.
 */
#ifndef PERCH_BASE_GLOB_H
#define PERCH_BASE_GLOB_H

#include <stdbool.h>

bool glob_match(const char *pattern, const char *text, const char *separators);

#endif
