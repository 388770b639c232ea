/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "io/api.h"

/* All but RFC 3986's unreserved bytes are escaped, so any value is one segment or one value. */
static void add_escaped(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if ((c < 0x80 && isalnum(c)) || strchr("-._~", c))
			buffer_char(out, (char)c);
		else
			buffer_printf(out, "%%%02X", c);
	}
}

static void add_segment(struct buffer *out, const char *text)
{
	buffer_char(out, '/');
	add_escaped(out, text);
}

const char *api_path(const struct api_kind *kind, const char *namespace, const char *name)
{
	struct buffer out = {0};

	buffer_str(&out, *kind->group ? "/apis" : "/api");
	if (*kind->group)
		add_segment(&out, kind->group);
	add_segment(&out, kind->version);
	if (namespace) {
		buffer_str(&out, "/namespaces");
		add_segment(&out, namespace);
	}
	add_segment(&out, kind->plural);
	if (name)
		add_segment(&out, name);
	return buffer_text(&out);
}

const char *api_query(const char *path, ...)
{
	char mark = strchr(path, '?') ? '&' : '?';
	struct buffer out = {0};
	const char *name;
	va_list ap;

	buffer_str(&out, path);
	va_start(ap, path);
	while ((name = va_arg(ap, const char *))) {
		buffer_char(&out, mark);
		buffer_str(&out, name);
		buffer_char(&out, '=');
		add_escaped(&out, va_arg(ap, const char *));
		mark = '&';
	}
	va_end(ap);
	return buffer_text(&out);
}
