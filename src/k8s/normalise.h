/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value as the API server writes it back after typed decoding, before defaults: null and zero left
 * out where Go's `omitempty` leaves them out, structs by value printed, quantities in canonical
 * text, integers plain (kubernetes-diff.md §2.2, §2.3, §2.6). Values are typed as schema_check()
 * wants them; what is not is copied as it is. Source: encoding/json over the types of k8s.io/api.
 */
#ifndef PERCH_K8S_NORMALISE_H
#define PERCH_K8S_NORMALISE_H

#include "base/error.h"
#include "base/notes.h"
#include "k8s/schema.h"

/* Fields that no schema knows (a newer server's) are kept as they are. A new tree. */
struct tree *normalise(const struct tree *value, const struct schema_type *type, int minor);

/* Is it absent, null or the zero of its type, so that a server would not tell it from absent? */
bool normalise_is_zero(const struct tree *value, const struct schema_type *type, int minor);

/* What else becomes of a Git object, by the way it is sent. */
enum sent_flag {
	SENT_WRAPS = 1 << 0,   /* a patch: integers beyond 32 bits lose the upper ones, unseen */
	SENT_REFUSES = 1 << 1, /* an unknown field isn't dropped, the whole object is refused */
};

/*
 * A Git object without the fields that the server doesn't know: each is dropped with a warning. ERR_INPUT,
 * with the path, where a value is of a wrong type. Nulls and spellings stay. A new tree.
 */
struct tree *normalise_sent(const struct tree *object, const struct schema_type *type, int minor,
			    unsigned flags, struct notes *warnings, struct error *err);
/* The same without flags. */
struct tree *normalise_known(const struct tree *object, const struct schema_type *type, int minor,
			     struct notes *warnings, struct error *err);

/* The same question of an object that is only read: ERR_INPUT with the path of the first wrong type. */
int normalise_check(const struct tree *object, const struct schema_type *type, int minor,
		    struct error *err);

#endif
