/* SPDX-License-Identifier: Apache-2.0 */
/*
 * man/perch.1, made from the same tables as help: `perch help --man`.
 */
#include <stdio.h>
#include <string.h>

#include "perch/verb.h"

/* roff takes a line's first dot or quote for a request, and a backslash and a hyphen for its own. */
static void escaped(const char *text)
{
	bool first = true;

	for (; *text; text++) {
		if (first && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
		first = *text == '\n';
	}
}

static void print_option(const struct option *o)
{
	puts(".TP");
	fputs("\\fB", stdout);
	if (o->letter)
		printf("\\-%c\\fR, \\fB", o->letter);
	fputs("\\-\\-", stdout);
	escaped(o->name);
	fputs("\\fR", stdout);
	if (o->argument) {
		fputs(" \\fI", stdout);
		escaped(o->argument);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	escaped(o->help);
	putchar('\n');
}

/* Paragraphs; lines that begin with blanks stand as they are. */
static void print_about(const char *text)
{
	bool as_is = false;

	while (*text) {
		size_t len = strcspn(text, "\n");
		char line[512];

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		if (as_is != (line[0] == ' ')) {
			as_is = !as_is;
			puts(as_is ? ".nf" : ".fi");
		}
		if (len == 0) {
			puts(".PP");
		} else {
			escaped(line);
			putchar('\n');
		}
		text += len + (text[len] == '\n');
	}
	if (as_is)
		puts(".fi");
}

static void print_verb(const struct verb *v)
{
	printf(".SS \"perch %s", v->name);
	if (v->options->name)
		fputs(" [OPTIONS]", stdout);
	if (*v->operands)
		printf(" %s", v->operands);
	puts("\"");
	escaped(v->summary);
	puts(".\n.PP");
	print_about(v->about);
	for (const struct option *o = v->options; o->name; o++)
		print_option(o);
}

void man_print(void)
{
	puts(".TH PERCH 1 \"\" \"perch " PERCH_VERSION "\" \"User Commands\"");
	puts(".SH NAME\nperch \\- tell real changes of canaries from noise");
	puts(".SH SYNOPSIS\n.B perch\n.I VERB\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]");
	puts(".SH DESCRIPTION");
	puts("perch compares the workloads rendered in Git with the live ones and with what Flagger promoted, and\n"
	     "tells which Flagger canaries have a real change and which would roll for nothing.");
	puts("Data go to standard output, messages to standard error.");
	puts(".SH VERBS");
	for (const struct verb *v = verbs; v->name; v++)
		print_verb(v);
	puts(".SH EXIT STATUS");
	puts("0 nothing to do; 1 a change (diff, plan, predict); 2 usage or unreadable input; 3 the API server or Git\n"
	     "unreachable; 4 forbidden; 5 refused by a rule of safety; 6 time is over; 7 something is unknown or unproved,\n"
	     "which outranks 1; 8 the canary failed (wait); 70 a bug.");
	puts(".SH ENVIRONMENT");
	puts(".TP\n\\fBNO_COLOR\\fR\nno colour, whatever the terminal; TERM=dumb does the same.");
	puts(".TP\n\\fBTMPDIR\\fR\nwhere temporary files and clones go.");
	puts(".TP\n\\fBKUBECONFIG\\fR\nas for kubectl, as are HTTPS_PROXY, HTTP_PROXY and NO_PROXY.");
	puts(".TP\n\\fBSSL_CERT_FILE\\fR\nthe certificates that are trusted where a kubeconfig names none, and for Git.");
	puts(".SH FILES\nkubectl\\-perch and flux\\-perch, links to perch, make it a plugin of kubectl and flux; with\n"
	     "kubectl_complete\\-perch kubectl completes its words.");
}
