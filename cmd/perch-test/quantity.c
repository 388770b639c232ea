/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/quantity.h"

/* Two quantities with a bar between: are they equal? One: as the server writes it, then as it does
 * after rounding up to milli. */
static void print_line(char *line)
{
	char *bar = strchr(line, '|');

	if (bar)
		*bar = '\0';
	if (!quantity_valid(line) || (bar && !quantity_valid(bar + 1)))
		puts("ERR");
	else if (bar)
		puts(quantity_same(line, bar + 1) ? "same" : "differs");
	else
		printf("%s %s\n", quantity_canonical(line), quantity_canonical_milli(line));
}

int test_quantity(int argc, char **argv)
{
	size_t len;
	char *text = test_read(argc > 1 ? argv[1] : "-", &len);

	for (char *line = text, *next; *line; line = next) {
		struct arena_mark mark = arena_mark();

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		print_line(line);
		arena_rewind(mark);
	}
	return 0;
}
