/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who last wrote a place of the primary's template, from its managedFields. Flagger writes all of it
 * at each promotion; what another manager owns alone came after, what nobody owns came from a
 * webhook. The API server takes a place from its owners when another manager changes it.
 */
#ifndef PERCH_FLAGGER_WRITERS_H
#define PERCH_FLAGGER_WRITERS_H

#include "k8s/owners.h"

enum writer {
	WRITER_UNKNOWN, /* managedFields are not in the input */
	WRITER_FLAGGER,
	WRITER_OTHER,
	WRITER_NOBODY,
};

bool writer_is_flagger(const struct owner *owner);

/* pointer: RFC 6901, into the primary. `manager` is set for WRITER_OTHER. */
enum writer writer_of(const char **manager, const struct owner *owners, const struct tree *primary,
		      const char *pointer);

/* Each owned place below spec.template that is there, and that others than Flagger own alone. */
typedef void writers_visit(void *arg, const char *path, const char *pointer, const char *manager);
void writers_foreign(const struct owner *owners, const struct tree *primary, writers_visit *visit,
		     void *arg);

#endif
