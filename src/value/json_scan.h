/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking for the ends of JSON values without reading them, eight bytes at a time. Nothing is
 * checked here: json_parse() does that for whatever is read in the end.
 */
#ifndef PERCH_VALUE_JSON_SCAN_H
#define PERCH_VALUE_JSON_SCAN_H

#include <stdbool.h>
#include <string.h>

#include "value/swar.h"

static inline bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next quote or backslash at or after p, or `end`. */
static inline const char *json_scan_string(const char *p, const char *end)
{
	for (; end - p >= SWAR_SIZE; p += SWAR_SIZE) {
		uint64_t word = swar_load(p);
		uint64_t stop = swar_equal(word, '"') | swar_equal(word, '\\');

		if (stop)
			return p + swar_first(stop);
	}
	while (p < end && *p != '"' && *p != '\\')
		p++;
	return p;
}

/* The next quote or bracket of either kind at or after p, or `end`. */
static inline const char *json_scan_mark(const char *p, const char *end)
{
	for (; end - p >= SWAR_SIZE; p += SWAR_SIZE) {
		uint64_t word = swar_load(p), folded = word | SWAR_EACH(0x20);
		uint64_t stop = swar_equal(word, '"') | swar_equal(folded, '{') | swar_equal(folded, '}');

		if (stop)
			return p + swar_first(stop); /* 0x20 apart: [ and {, ] and } */
	}
	while (p < end && !memchr("\"{}[]", *p, 5))
		p++;
	return p;
}

#endif
