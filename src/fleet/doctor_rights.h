/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an account may not do of what perch's flows need (rights.def), by the API server's own answer: the
 * status of a SelfSubjectRulesReview. An authorizer that gives no full list says `incomplete`; then what
 * isn't on it is asked for by itself, and the caller takes out of the list what is allowed after all.
 */
#ifndef PERCH_FLEET_DOCTOR_RIGHTS_H
#define PERCH_FLEET_DOCTOR_RIGHTS_H

#include "fleet/doctor.h"

enum rights_where { RIGHTS_FLEET, RIGHTS_HOME, RIGHTS_RELEASE };

struct right {
	enum rights_where where;
	const char *group, *resource, *name, *verbs;
	bool needed;
};

/* One verb of a right. */
struct right_asked {
	const struct right *right;
	const char *verb;
	bool allowed;
};

/* No object can have this name: of it a review says what holds in every namespace. */
#define RIGHTS_EVERYWHERE "*"

/* Those that the review doesn't allow, on the arena. */
size_t rights_refused(struct right_asked **out, const struct tree *status, enum rights_where where);
/* What is still refused becomes a finding; `namespace` is RIGHTS_EVERYWHERE, or one. */
void doctor_refused(struct doctor *d, const char *namespace, const struct right_asked *asked, size_t n);

#endif
