/* SPDX-License-Identifier: Apache-2.0 */
#include "report/visible.h"

#include <string.h>

#include "base/terminal.h"
#include "base/utf8.h"

void visible_add(struct buffer *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);

	while (p < end) {
		size_t len = utf8_length(p, end);
		bool obeyed = *p == '[' && p - 2 >= (const unsigned char *)text && p[-1] == '#' && p[-2] == '#';

		if (!len || obeyed || *p < 0x20 || *p == 0x7f) {
			buffer_printf(out, "\\x%02x", *p);
			len = 1;
		} else if (terminal_hides(utf8_code_point(p, len))) {
			buffer_printf(out, "\\u{%04x}", utf8_code_point(p, len));
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
