/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs. Each is one file, verb_NAME() in NAME.c and a row in verbs.def; it gets argc and argv
 * from its own name on, puts data on stdout, and returns its exit code, or -1 with err filled in:
 * only main prints errors.
 */
#ifndef PERCH_VERB_H
#define PERCH_VERB_H

#include "base/error.h"

#define VERB(name, summary) int verb_##name(int argc, char **argv, struct error *err);
#include "perch/verbs.def"
#undef VERB

struct verb {
	const char *name, *summary;
	int (*run)(int argc, char **argv, struct error *err);
};
extern const struct verb verbs[]; /* ends with a NULL name */

#endif
