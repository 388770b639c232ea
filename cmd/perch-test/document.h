/* SPDX-License-Identifier: Apache-2.0 */
/* What commands read: objects from files, or a batch of lines from standard input. */
#ifndef PERCH_TEST_DOCUMENT_H
#define PERCH_TEST_DOCUMENT_H

#include <stddef.h>

#include "value/tree.h"

/* The first object of a YAML or JSON file ("-": standard input); exits 2 where it can't be read. */
const struct tree *test_document(const char *path);

/* Calls `line` for each line of standard input, its memory given back after; returns 0. */
int test_lines(void (*line)(const char *text, size_t len));

#endif
