/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as YAML: what is read is JSON, and reads the same again as JSON and as YAML. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "value/json.h"
#include "value/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int check_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct buffer out = {0};
	const struct tree *again;

	(void)arg;
	(void)line;
	tree_print_canonical(&out, t);
	again = json_parse(out.data, out.len, "again", err);
	if (!again || !tree_same(t, again))
		abort();
	return 0;
}

static void ignore(void *arg, const char *text)
{
	(void)arg;
	if (!text)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct yaml_documents d = {check_document, ignore, NULL, "fuzz"};
	struct error err;

	tree_init();
	yaml_load(&d, (const char *)data, size, &err);
	locate((const char *)data, size, 0, "/a/0/b~1");
	locate((const char *)data, size, 1, "/a");
	arena_release();
	return 0;
}
