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

/* First and last, by code point. */
static const struct {
	unsigned first, last;
} hidden[] = {
	{0x0080, 0x009f}, /* C1, which some terminals obey too */
	{0x00ad, 0x00ad}, /* soft hyphen */
	{0x061c, 0x061c}, /* Arabic letter mark */
	{0x200b, 0x200f}, /* of no width, and marks of direction */
	{0x2028, 0x202e}, /* line and paragraph separators, embeddings and overrides */
	{0x2060, 0x206f}, /* joiners, isolates, deprecated format characters */
	{0xfeff, 0xfeff}, /* byte order mark */
	{0xe0000, 0xe007f}, /* tags */
};

bool terminal_hides(unsigned code_point)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (code_point >= hidden[i].first && code_point <= hidden[i].last)
			return true;
	return false;
}

/* The character at p, and how many bytes it has; a byte that begins none is taken for itself. */
static unsigned character(const unsigned char *p, size_t *len)
{
	size_t n = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 1;
	unsigned c = n == 1 ? *p : *p & (0x7fu >> n);

	*len = 1;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return *p;
		c = c << 6 | (p[i] & 0x3f);
	}
	*len = n;
	return c;
}

void terminal_text(struct buffer *out, const char *text)
{
	size_t len;

	for (const unsigned char *p = (const unsigned char *)text; *p; p += len) {
		unsigned c = character(p, &len);

		if ((c < 0x20 && c != '\t') || (c >= 0x7f && c < 0xa0))
			buffer_printf(out, "\\x%02x", c);
		else if (len > 1 && terminal_hides(c))
			buffer_printf(out, "\\u{%04x}", c);
		else
			buffer_add(out, (const char *)p, len);
	}
}

size_t terminal_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
