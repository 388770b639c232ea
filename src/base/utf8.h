/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#ifndef PERCH_BASE_UTF8_H
#define PERCH_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the well-formed character at p (1 to 4), or 0 where there is none before `end`. */
size_t utf8_length(const unsigned char *p, const unsigned char *end);
/* The code point of such a character. */
unsigned utf8_code_point(const unsigned char *p, size_t len);
/* How much of a text of `len` bytes is at most `max`, cut between two characters. */
size_t utf8_cut(const char *text, size_t len, size_t max);

#endif
