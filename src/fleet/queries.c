/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/queries.h"

#include <stdlib.h>

#define DEFAULT_INTERVAL 60
#define LEAST_INTERVAL 10

/* "30s", "1m", "1m30s", in seconds; 0 where it is none. */
static long seconds_of(const char *text)
{
	long total = 0;

	while (*text) {
		char *end;
		long n = strtol(text, &end, 10);

		if (end == text || n < 0 || n > 86400 || (*end != 's' && *end != 'm' && *end != 'h'))
			return 0;
		total += n * (*end == 's' ? 1 : *end == 'm' ? 60 : 3600);
		text = end + 1;
	}
	return total;
}

size_t queries_per_hour(const struct tree *canary)
{
	const struct tree *analysis = tree_path(canary, "spec", "analysis", NULL);
	long interval = seconds_of(tree_string_or(tree_get(analysis, "interval"), ""));

	if (interval == 0)
		interval = DEFAULT_INTERVAL;
	if (interval < LEAST_INTERVAL)
		interval = LEAST_INTERVAL;
	return tree_len(tree_get(analysis, "metrics")) * 3600 / (size_t)interval;
}
