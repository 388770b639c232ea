/* SPDX-License-Identifier: Apache-2.0 */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/* C0, DEL, and C1 as UTF-8 spells it (0xc2 0x80…0x9f), which some terminals obey too. */
static bool obeyed(const unsigned char *p)
{
	return (*p < 0x20 && *p != '\t') || *p == 0x7f || (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0);
}

void terminal_text(struct buffer *out, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (obeyed(p)) {
			if (*p == 0xc2)
				p++;
			buffer_printf(out, "\\x%02x", *p);
		} else {
			buffer_char(out, (char)*p);
		}
	}
}

size_t terminal_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
