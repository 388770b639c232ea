/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/checksum.h"

#include <stdio.h>

#include "flagger/hash.h"
#include "k8s/object.h"
#include "perch-test/command.h"
#include "value/json.h"

static int checksum(const struct tree *object, struct error *err)
{
	char webhook[HASH_SIZE], config[CHECKSUM_SIZE];
	bool canary = object_kind(object) == KIND_CANARY;

	if (canary ? flagger_webhook_checksum(webhook, tree_get(object, "status"), err)
		   : config_checksum(config, object, err))
		return -1;
	printf("%s\n", canary ? webhook : config);
	return 0;
}

int test_checksum(int argc, char **argv)
{
	struct error err = {0};
	int code = 0;

	for (int i = 1; i < argc; i++) {
		size_t len;
		char *text = test_read(argv[i], &len);
		const struct tree *object = json_parse(text, len, argv[i], &err);

		if (!object || checksum(object, &err)) {
			fflush(stdout);
			code = test_fail(&err);
		}
	}
	return code;
}
