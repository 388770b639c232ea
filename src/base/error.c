/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int exit_codes[] = {
	[ERR_NONE] = 0,      [ERR_USAGE] = 2,   [ERR_INPUT] = 2,   [ERR_UNREACHABLE] = 3,
	[ERR_FORBIDDEN] = 4, [ERR_REFUSED] = 5, [ERR_TIMEOUT] = 6, [ERR_PARTIAL] = 7,
	[ERR_FAILED] = 8,
};

/* Input may carry any byte; a message stays one printable line. */
static void one_line(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = ' ';
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;

	err->kind = kind;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	one_line(err->text);
	return -1;
}

/* Moves the cause back to make room in front of it; what no longer fits is cut off. */
int error_wrap(struct error *err, const char *fmt, ...)
{
	char context[sizeof(err->text) / 2];
	size_t len, room;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(context, sizeof(context), fmt, ap);
	va_end(ap);
	one_line(context);
	len = strlen(context);
	room = sizeof(err->text) - len - 3;
	memmove(err->text + len + 2, err->text, room);
	memcpy(err->text, context, len);
	memcpy(err->text + len, ": ", 2);
	err->text[sizeof(err->text) - 1] = '\0';
	return -1;
}

int error_exit_code(enum error_kind kind)
{
	return exit_codes[kind];
}

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "✗ bug at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("; please report it\n", stderr);
	exit(EXIT_BUG);
}
