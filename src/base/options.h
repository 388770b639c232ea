/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines. A verb has one table of options, ending in a row without name, which makes the
 * parser, the help and the man page. A row stores what was given at its offset in the caller's
 * settings: a bool for OPTION_SWITCH, a const char * for OPTION_TEXT (the last one given counts), a
 * struct strings for OPTION_LIST (each adds one). Spellings are GNU's: --name VALUE, --name=VALUE,
 * -f VALUE, -fVALUE, -Av, and `--` ends the options. `-` alone is an operand.
 */
#ifndef PERCH_BASE_OPTIONS_H
#define PERCH_BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

struct strings {
	const char **items;
	size_t count;
};
void strings_add(struct strings *list, const char *item);

enum option_kind { OPTION_SWITCH, OPTION_TEXT, OPTION_LIST };

struct option {
	const char *name; /* NULL ends a table */
	char letter;      /* 0: none */
	enum option_kind kind;
	const char *argument; /* as help calls it; NULL for a switch */
	const char *help;
	size_t offset; /* in the settings */
	const char *words; /* values it can have, with blanks between, for completion; NULL: none, or not known */
};

/* ERR_USAGE names the word that is off and, where one is near, the option that was meant. */
int options_parse(void *settings, struct strings *operands, const struct option *table, int argc,
		  char **argv, struct error *err);

/*
 * Which of the words was given for `what` ("--on-error"), by its place in the list, which ends in NULL; 0 where
 * none was. ERR_USAGE names those that there are.
 */
int options_word(int *out, const char *what, const char *given, const char *const words[], struct error *err);

/* Which of these words is likely meant by `word`? NULL where none is near. */
const char *nearest_word(const char *word, const char *(*at)(const void *arg, size_t i),
			 const void *arg);

#endif
