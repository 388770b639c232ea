/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a quantity: what the server writes back is one too. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "value/quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = arena_strndup((const char *)data, size), *written;

	if (quantity_valid(text)) {
		written = quantity_canonical(text);
		if (!quantity_valid(written) || !quantity_valid(quantity_canonical_milli(text)) ||
		    !quantity_same(text, text))
			abort();
	}
	arena_release();
	return 0;
}
