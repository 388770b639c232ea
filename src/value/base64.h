/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard base64 with padding, as Go's encoding/base64 StdEncoding reads and writes it: carriage
 * returns and newlines are passed over, unused bits at the end need not be zero. Results are on the
 * arena.
 */
#ifndef PERCH_VALUE_BASE64_H
#define PERCH_VALUE_BASE64_H

#include <stddef.h>

char *base64_encode(const char *bytes, size_t len);
/* The bytes, and a NUL after them; NULL where the text is not base64. */
char *base64_decode(const char *text, size_t *len);
/* The same bytes in their one canonical spelling; NULL where the text is not base64. */
char *base64_canonical(const char *text);

#endif
