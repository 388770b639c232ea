/* SPDX-License-Identifier: Apache-2.0 */
#include "report/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/terminal.h"

#define SOME 20

static void line(const char *sign, const char *colour, const char *text)
{
	struct buffer b = {.max = 8192};
	bool coloured = terminal_colour(STDERR_FILENO);

	terminal_text(&b, text);
	fflush(stdout);
	fprintf(stderr, "%s%s%s %s\n", coloured ? colour : "", sign, coloured ? "\033[0m" : "", buffer_text(&b));
}

#define TALK(sign, colour, fmt) \
	do { \
		char text[2048]; \
		va_list ap; \
		va_start(ap, fmt); \
		vsnprintf(text, sizeof(text), fmt, ap); \
		va_end(ap); \
		line(sign, colour, text); \
	} while (0)

void talk_info(const char *fmt, ...)
{
	TALK("►", "\033[36m", fmt);
}

void talk_done(const char *fmt, ...)
{
	TALK("✔", "\033[32m", fmt);
}

void talk_warning(const char *fmt, ...)
{
	TALK("⚠", "\033[33m", fmt);
}

void talk_error(const char *text)
{
	line("✗", "\033[31m", text);
}

void talk_warnings(const struct notes *warnings, const char *about)
{
	note_each(n, warnings)
		talk_warning("%s%s%s", about ? about : "", about ? ": " : "", n->text);
}

void talk_some(struct talk_some *t, const struct notes *warnings, const char *about)
{
	if (t->all || t->said + warnings->count <= SOME) {
		t->said += warnings->count;
		talk_warnings(warnings, about);
	} else {
		t->left += warnings->count;
	}
}

void talk_rest(const struct talk_some *t)
{
	if (t->left)
		talk_warning("%zu more warnings, -v says them all", t->left);
}
