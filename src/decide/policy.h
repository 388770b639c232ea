/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy: ordered rules `match: {paths, classes, images, namespaces, labels}` → ignore | run | hold |
 * ship, from `.perch.yaml` or a ConfigMap. The first matching rule of a change decides; without one
 * every change is `run`. Globs: `*` within a path segment, `**` across. Parse errors are ERR_INPUT
 * with file:line. Read-only after load.
 */
#ifndef PERCH_DECIDE_POLICY_H
#define PERCH_DECIDE_POLICY_H

#include <stdbool.h>

#include "base/error.h"
#include "base/notes.h"
#include "k8s/change.h"

enum policy_effect { POLICY_IGNORE, POLICY_SHIP, POLICY_RUN, POLICY_HOLD }; /* in rising strictness */

struct policy; /* NULL is the empty policy */

int policy_load(const struct policy **out, const char *text, size_t len, const char *name,
		struct error *err);
/* What can't be meant, with its file and line: rules that never decide, paths that nothing has. */
const struct notes *policy_warnings(const struct policy *p);

struct ruling {
	enum policy_effect effect;
	unsigned line;   /* of the rule; 0: no rule, so it is run */
	bool gates_open; /* of `ship`: in spite of the canary's gates */
};
/* What decides a change of a target (its object, for namespace and labels). */
struct ruling policy_judge(const struct policy *p, const struct change *change, const struct tree *target);
const char *policy_effect_name(enum policy_effect effect);

#endif
