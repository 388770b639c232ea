/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/clock.h"
#include "perch-test/command.h"

static int show(const char *how, const char *text)
{
	struct error err = {0};
	int64_t n = strtoll(text, NULL, 10);

	if (strcmp(how, "text") == 0)
		printf("%s → %s\n", text, clock_text(n));
	else if (strcmp(how, "spell") == 0)
		printf("%s → %s\n", text, clock_duration_text(n));
	else if (strcmp(how, "read") == 0 && clock_read(&n, text))
		printf("%s → %lld = %s\n", text, (long long)n, clock_text(n));
	else if (strcmp(how, "read") == 0)
		printf("%s → no\n", text);
	else if (strcmp(how, "duration") != 0)
		return 2;
	else if (clock_duration(&n, text, &err))
		printf("%s → %s\n", text, err.text);
	else
		printf("%s → %lld ms\n", text, (long long)n);
	return 0;
}

int test_clock(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (show(argv[1], argv[i]) != 0)
			return 2;
	return 0;
}
