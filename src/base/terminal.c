/* SPDX-License-Identifier: Apache-2.0 */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

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

void terminal_text(struct buffer *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);

	while (p < end) {
		size_t well_formed = utf8_length(p, end), len = well_formed ? well_formed : 1;
		unsigned c = utf8_code_point(p, len);

		if ((c < 0x20 && c != '\t') || (c >= 0x7f && c < 0xa0))
			buffer_printf(out, "\\x%02x", c);
		else if (len > 1 && terminal_hides(c))
			buffer_printf(out, "\\u{%04x}", c);
		else
			buffer_add(out, (const char *)p, len);
		p += len;
	}
}

size_t terminal_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}
