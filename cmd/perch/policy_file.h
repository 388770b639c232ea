/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy of a command line: --policy FILE (a folder's .perch.yaml), else .perch.yaml beside what -f
 * or --git names; none is no error. Beside two of -f there must not be two. What can't be meant of it
 * is a warning.
 */
#ifndef PERCH_POLICY_FILE_H
#define PERCH_POLICY_FILE_H

#include "base/notes.h"
#include "decide/policy.h"
#include "perch/settings.h"

/* NULL where there is none. */
int policy_file_load(const struct policy **out, const struct settings *s, struct notes *warnings,
		     struct error *err);

#endif
