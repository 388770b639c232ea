/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `perch __complete WORD…`: what the last word, which may be empty, can become. The protocol is that
 * of Cobra, which kubectl, flux and the scripts of `perch completion` speak: a line for each candidate,
 * a tab and its description after it, then `:N`, the sum of what a shell is to do (COMPLETE_…). A
 * value of --option=VALUE comes without the option. Only tables are looked at: no file, no cluster.
 */
#ifndef PERCH_COMPLETE_H
#define PERCH_COMPLETE_H

#include <stdbool.h>

enum complete_directive {
	COMPLETE_FILES = 0,      /* where there is no candidate, files */
	COMPLETE_NO_SPACE = 2,   /* after the candidate */
	COMPLETE_NO_FILES = 4,
	COMPLETE_FOLDERS = 16,   /* where there is no candidate */
	COMPLETE_KEEP_ORDER = 32,
};

/* argv: the words after the program, the last one being completed. NULL ends it. */
void complete_print(int argc, char **argv, bool describe);

#endif
