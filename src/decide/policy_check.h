/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is right in form and can't be meant: a rule that an earlier one leaves nothing to decide, a path
 * that no change has, a rule that ignores everything. Warnings, each with its file and line.
 */
#ifndef PERCH_DECIDE_POLICY_CHECK_H
#define PERCH_DECIDE_POLICY_CHECK_H

#include "decide/policy_rule.h"

void policy_check(struct notes *out, const struct policy *p, const char *name);

#endif
