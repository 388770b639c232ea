/* SPDX-License-Identifier: Apache-2.0 */
#include "report/visible.h"

#include <string.h>

#include "base/terminal.h"
#include "value/utf8.h"

static unsigned code_point(const unsigned char *p, size_t len)
{
	unsigned c = len == 1 ? *p : *p & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

void visible_add(struct buffer *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);

	while (p < end) {
		size_t len = utf8_length(p, end);
		bool obeyed = *p == '[' && p - 2 >= (const unsigned char *)text && p[-1] == '#' && p[-2] == '#';

		if (!len || obeyed || *p < 0x20 || *p == 0x7f) {
			buffer_printf(out, "\\x%02x", *p);
			len = 1;
		} else if (terminal_hides(code_point(p, len))) {
			buffer_printf(out, "\\u{%04x}", code_point(p, len));
		} else {
			buffer_add(out, (const char *)p, len);
		}
		p += len;
	}
}

const char *visible_text(const char *text)
{
	struct buffer b = {0};

	visible_add(&b, text);
	return buffer_text(&b);
}
