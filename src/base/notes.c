/* SPDX-License-Identifier: Apache-2.0 */
#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"

void note_add(struct notes *notes, const char *fmt, ...)
{
	char text[1024];
	struct note *n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	note_each(old, notes)
		if (strcmp(old->text, text) == 0)
			return;
	n = NEW(struct note);
	n->text = arena_strdup(text);
	if (notes->last)
		notes->last->next = n;
	else
		notes->first = n;
	notes->last = n;
	notes->count++;
}
