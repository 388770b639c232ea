/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as text. JSON numbers are compared and converted digit by digit, never through a double,
 * so nothing is rounded: 1.0, 10e-1 and 1 are the same, 9007199254740993 and …992 are not. Every
 * text given here must follow JSON's grammar for numbers (number_length tells).
 */
#ifndef PERCH_VALUE_NUMBER_H
#define PERCH_VALUE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest prefix that is a JSON number; 0 where the text begins with none. */
size_t number_length(const char *text, size_t len);
/* A plain integer of at most 15 digits, not -0: what a tree holds as such. */
bool number_plain(const char *text, size_t len);
/* Integral in any spelling and within int64; false for anything else. */
bool number_int64(const char *text, int64_t *out);
bool number_same(const char *a, const char *b);

#endif
