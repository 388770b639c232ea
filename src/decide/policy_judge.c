/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/glob.h"
#include "decide/policy_rule.h"
#include "k8s/object.h"

/* An absent condition asks nothing; an absent text fits no pattern. */
static bool any_glob(const struct tree *patterns, const char *text, const char *separators)
{
	if (!patterns)
		return true;
	tree_each(p, patterns)
		if (text && glob_match(tree_string(p), text, separators))
			return true;
	return false;
}

/* The image that a change brings: only a changed image, or a container that comes whole, has one. */
static const char *image_of(const struct change *c)
{
	if (c->class != CLASS_IMAGE)
		return tree_string(tree_get(c->new_value, "image"));
	return tree_string(c->new_value);
}

static bool rule_fits(const struct policy_rule *r, const struct change *c, const struct tree *target)
{
	struct identity id = object_identity(target, "default");

	return any_glob(r->paths, c->path, ".") &&
	       any_glob(r->classes, change_class_name(c->class), "") &&
	       any_glob(r->images, image_of(c), "/") &&
	       any_glob(r->namespaces, id.namespace, "") &&
	       selector_match(r->labels, tree_path(target, "metadata", "labels", NULL));
}

struct ruling policy_judge(const struct policy *p, const struct change *change, const struct tree *target)
{
	for (size_t i = 0; p && i < p->count; i++)
		if (rule_fits(&p->rules[i], change, target))
			return p->rules[i].ruling;
	return (struct ruling){.effect = POLICY_RUN};
}
