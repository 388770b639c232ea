/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "perch/program.h"
#include "perch/verb.h"
#include "report/report.h"

#define OPTION_COLUMN 28
#define LINE_WIDTH 100

const struct option help_options[] = {
	{"man", 0, OPTION_SWITCH, NULL, "print the manual page's source", OPTION(man)},
	NO_MORE_OPTIONS,
};
const char help_about[] = "Without a verb: the verbs. Every verb also knows --help.\n";

/* Words filled into lines, from `column` on; the first line begins where the cursor is. */
static void fill(const char *text, size_t column)
{
	size_t at = column;

	while (*text) {
		size_t len = strcspn(text, " ");
		size_t width = terminal_width(arena_strndup(text, len));

		if (at > column && at + 1 + width > LINE_WIDTH) {
			printf("\n%*s", (int)column, "");
			at = column;
		}
		if (at > column) {
			putchar(' ');
			at++;
		}
		printf("%.*s", (int)len, text);
		at += width;
		text += len;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void print_option(const struct option *o)
{
	char letter[8] = "   ";
	const char *left;

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c,", o->letter);
	left = arena_printf("  %s --%s%s%s", letter, o->name, o->argument ? " " : "",
			    o->argument ? o->argument : "");
	printf("%-*s", OPTION_COLUMN, left);
	if (strlen(left) >= OPTION_COLUMN)
		printf("\n%*s", OPTION_COLUMN, "");
	fill(o->help, OPTION_COLUMN);
}

void help_print(const struct verb *v)
{
	printf("%s %s: %s\n\n", program_name(), v->name, v->summary);
	printf("usage: %s %s%s%s%s\n\n", program_name(), v->name, v->options->name ? " [OPTIONS]" : "",
	       *v->operands ? " " : "", v->operands);
	fputs(program_text(v->about), stdout);
	if (v->options->name)
		puts("\noptions:");
	for (const struct option *o = v->options; o->name; o++)
		print_option(o);
}

static void overview(void)
{
	puts("perch tells real changes of canaries from noise, for pipelines that run Flagger.\n");
	printf("usage: %s VERB [OPTIONS] [ARGUMENTS]\n\n", program_name());
	for (const struct verb *v = verbs; v->name; v++)
		printf("  %-10s %s\n", v->name, v->summary);
	printf("\n'%s help VERB' tells all about one.\n"
	       "Data go to standard output, messages to standard error.\n", program_name());
}

int verb_help(const struct settings *s, struct error *err)
{
	const struct verb *v;

	if (s->operands.count > 1)
		return error_set(err, ERR_USAGE, "help: unexpected argument '%s'", s->operands.items[1]);
	v = s->operands.count ? verb_find(s->operands.items[0], err) : NULL;
	if (s->operands.count && !v)
		return -1;
	if (s->man)
		man_print();
	else if (v)
		help_print(v);
	else
		overview();
	return report_close(NULL, err);
}
