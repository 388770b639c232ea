/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "perch/verb.h"

int verb_version(int argc, char **argv, struct error *err)
{
	if (argc > 1)
		return error_set(err, ERR_USAGE, "unexpected argument '%s'", argv[1]);
	puts("perch " PERCH_VERSION);
	return 0;
}
