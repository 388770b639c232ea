/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One object of diff: what it would become, compared with what it is, judged by policy and printed.
 * differ.c keeps the sum over all objects for the exit code.
 */
#ifndef PERCH_DIFFER_H
#define PERCH_DIFFER_H

#include "decide/policy.h"
#include "flagger/subject.h"
#include "k8s/apply.h"
#include "report/report.h"
#include "report/talk.h"
#include "source/ask.h"
#include "source/manifests.h"

struct differ {
	struct report report;
	const struct policy *policy;
	const struct applier *applier; /* NULL: found from the live object */
	int server_minor;
	struct asking *asking;       /* the server, to be asked for T′; NULL: there is none */
	int hash_minor;                /* of whose Flagger `triggers` speaks */
	const char *unread;            /* why a live object wasn't read */
	struct talk_some warnings;
	bool changed, unknown;
	size_t objects, with_change;
};

/* The rendered object against a live one. */
int differ_live(struct differ *d, const struct manifest *desired, const struct seen *live,
		struct error *err);
/* Two rendered ones, as if each were created; either may be NULL. */
int differ_rendered(struct differ *d, const struct manifest *before, const struct manifest *after,
		    struct error *err);
/* Two objects as they are, of any kind; either may be NULL. */
void differ_as_is(struct differ *d, const struct manifest *before, const struct manifest *after);

#endif
