/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/queries.h"

#include "fleet/interval.h"

#define HOUR_MS (3600 * 1000)

size_t queries_per_hour(const struct tree *canary)
{
	size_t metrics = tree_len(tree_path(canary, "spec", "analysis", "metrics", NULL));

	return metrics * HOUR_MS / (size_t)interval_ms(canary);
}
