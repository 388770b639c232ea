/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a policy: it loads or says why not, and what loads judges any change. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "decide/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct change change = {.path = "spec.template.spec.containers[app].image", .class = CLASS_IMAGE};
	struct error err = {ERR_NONE, ""};
	const struct policy *policy;
	struct tree *target;

	tree_init();
	change.new_value = tree_new_string("registry.example.com/shop/app:1.2");
	target = tree_new_map();
	if (policy_load(&policy, (const char *)data, size, "fuzz", &err) == 0)
		policy_judge(policy, &change, target);
	arena_release();
	return 0;
}
