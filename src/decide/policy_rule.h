/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy as loaded: rules in order, each condition NULL where the rule doesn't name it. Lists are
 * trees of strings, checked at load. Within a condition any value fits, all conditions must.
 */
#ifndef PERCH_DECIDE_POLICY_RULE_H
#define PERCH_DECIDE_POLICY_RULE_H

#include "decide/policy.h"
#include "k8s/selector.h"

struct policy_rule {
	const struct tree *paths, *classes, *images, *namespaces;
	const struct selector *labels;
	const char *labels_text; /* as written; NULL: no labels */
	struct ruling ruling;
};

struct policy {
	struct policy_rule *rules;
	size_t count;
	struct notes warnings;
};

#endif
