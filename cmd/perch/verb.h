/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verbs. Each is a row in verbs.def, and in NAME.c its function verb_NAME(), its option table
 * NAME_options and what help says of it, NAME_about. The function gets the settings, puts data on
 * standard output, and returns its exit code, or -1 with err filled in: only main prints errors.
 */
#ifndef PERCH_VERB_H
#define PERCH_VERB_H

#include "base/error.h"
#include "perch/settings.h"

#define VERB(name, operands, summary) \
	int verb_##name(const struct settings *s, struct error *err); \
	extern const struct option name##_options[]; \
	extern const char name##_about[];
#include "perch/verbs.def"
#undef VERB

struct verb {
	const char *name;
	const char *operands; /* as usage shows them; "" takes none */
	const char *summary;
	const struct option *options;
	const char *about;
	int (*run)(const struct settings *s, struct error *err);
};
extern const struct verb verbs[]; /* ends with a NULL name */

/* ERR_USAGE where there is none of this name, with the one that was likely meant. */
const struct verb *verb_find(const char *name, struct error *err);
/* What `perch help VERB` prints, and the manual page of them all. */
void help_print(const struct verb *v);
void man_print(void);

#endif
