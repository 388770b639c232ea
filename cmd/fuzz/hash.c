/* SPDX-License-Identifier: Apache-2.0 */
/* Any JSON as a workload: it hashes and dumps in every schema, or says why not. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "flagger/hash.h"
#include "k8s/schema.h"
#include "value/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hash_everywhere(const struct tree *object)
{
	for (int minor = schema_next_minor(0); minor; minor = schema_next_minor(minor)) {
		struct error err = {ERR_NONE, ""};
		struct buffer text = {.max = 16 << 20};
		char hash[HASH_SIZE];
		int hashed = flagger_hash(hash, object, minor, &err);

		if (hashed != flagger_dump(&text, object, minor, &err))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {ERR_NONE, ""};
	const struct tree *object;

	tree_init();
	object = json_parse((const char *)data, size, "fuzz", &err);
	if (object)
		hash_everywhere(object);
	arena_release();
	return 0;
}
