/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "flagger/hash.h"
#include "flagger/releases.h"
#include "perch-test/command.h"

int test_release(int argc, char **argv)
{
	int code = 0;

	for (int i = 1; i < argc; i++) {
		struct error err = {0};
		struct release r;

		if (release_parse(&r, argv[i], &err)) {
			fflush(stdout);
			code = test_fail(&err);
		} else {
			printf("%s\t%s\tk8s.io/api 0.%d\n", argv[i], release_text(&r), release_k8s(&r));
		}
	}
	return code;
}

int test_hash_format(int argc, char **argv)
{
	static const char *const names[] = {
		[HASH_NONE] = "none", [HASH_SPEW] = "spew", [HASH_V2] = "v2", [HASH_FOREIGN] = "foreign",
	};

	for (int i = 1; i < argc; i++)
		printf("%s\t%s\n", argv[i], names[hash_format(argv[i])]);
	return 0;
}
