/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/verb.h"

#include <string.h>

#include "perch/program.h"

const struct verb verbs[] = {
#define VERB(name, operands, summary) {#name, operands, summary, name##_options, name##_about, verb_##name},
#include "perch/verbs.def"
#undef VERB
	{NULL, NULL, NULL, NULL, NULL, NULL},
};

static const char *verb_at(const void *arg, size_t i)
{
	return ((const struct verb *)arg)[i].name;
}

const struct verb *verb_find(const char *name, struct error *err)
{
	const char *near;

	for (const struct verb *v = verbs; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	near = nearest_word(name, verb_at, verbs);
	error_set(err, ERR_USAGE, near ? "unknown verb '%s', did you mean '%s'?" :
					 "unknown verb '%s', see '%s help'", name, near ? near : program_name());
	return NULL;
}
