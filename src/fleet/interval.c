/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/interval.h"

#include "io/clock.h"

#define DEFAULT_MS (60 * 1000)
#define LEAST_MS (10 * 1000)

int64_t interval_ms(const struct tree *canary)
{
	const char *text = tree_string_or(tree_path(canary, "spec", "analysis", "interval", NULL), "");
	struct error bad;
	int64_t ms;

	if (clock_duration(&ms, text, &bad) != 0)
		return DEFAULT_MS;
	return ms < LEAST_MS ? LEAST_MS : ms;
}
