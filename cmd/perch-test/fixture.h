/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects from one file (JSON or YAML, Lists or documents) and the settings of the Flagger that they
 * are judged for, for the commands that show one part of src/flagger each. What the file doesn't
 * have is absent; kinds named by --unread are unread. Exits 2 where anything can't be read.
 */
#ifndef PERCH_TEST_FIXTURE_H
#define PERCH_TEST_FIXTURE_H

#include "base/notes.h"
#include "base/options.h"
#include "decide/policy.h"
#include "flagger/canary.h"
#include "flagger/subject.h"
#include "k8s/change.h"

struct fixture {
	const struct tree **objects;
	size_t count;
	struct flagger flagger;
	const struct policy *policy; /* NULL: none */
	/* options */
	const char *release, *k8s, *selector_labels, *unread, *policy_file;
	bool no_tracking;
	struct strings operands; /* FILE [NAME…]: the canaries, else all */
};

/* Calls `show` for each canary asked for, in the file's order; gives the exit code. */
typedef void fixture_show(const struct fixture *f, const struct canary *c, const struct subject *s);
int fixture_run(int argc, char **argv, fixture_show *show);

/* A value as one line of JSON; "-" for an absent one. */
const char *fixture_json(const struct tree *t);
void fixture_print_changes(const char *title, const struct changes *list);
void fixture_print_notes(const struct notes *notes);

#endif
