/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from objects, file names and servers as a web page or a log may show it: always valid UTF-8 on
 * one line, with nothing in it that is obeyed or hidden. Control characters and bytes that are no
 * UTF-8 are written \xNN, as is the bracket of "##[", which GitHub's runner obeys in any line;
 * characters that turn the direction of text or take no room are written \u{NNNN}.
 */
#ifndef PERCH_REPORT_VISIBLE_H
#define PERCH_REPORT_VISIBLE_H

#include "base/buffer.h"

void visible_add(struct buffer *out, const char *text);
/* The same, on the arena. */
const char *visible_text(const char *text);

#endif
