/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be written to a terminal. Colour only where the stream is one, TERM isn't dumb and
 * NO_COLOR is unset or empty. Text from objects never reaches a terminal raw: control characters
 * (escape sequences among them) are shown as \xNN, and characters that turn the direction of text or
 * take no room, so that what differs would look the same, as \u{NNNN}.
 */
#ifndef PERCH_BASE_TERMINAL_H
#define PERCH_BASE_TERMINAL_H

#include <stdbool.h>

#include "base/buffer.h"

bool terminal_colour(int fd);
/* Does it turn the direction of text, take no room, or is it obeyed (above DEL)? */
bool terminal_hides(unsigned code_point);
/* Adds text with all of these made visible; tabs stay. */
void terminal_text(struct buffer *out, const char *text);
/* How many columns the text takes, one per code point. */
size_t terminal_width(const char *text);

#endif
