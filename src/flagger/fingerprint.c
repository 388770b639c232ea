/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/fingerprint.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

static int by_path(const void *a, const void *b)
{
	const struct change *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

/* One line a difference, unambiguous: JSON, with nothing at all for what is absent. */
static void add_line(struct buffer *text, const struct change *c)
{
	buffer_char(text, '[');
	tree_print_string(text, c->path);
	buffer_char(text, ',');
	if (c->new_value)
		tree_print_canonical(text, c->new_value);
	buffer_char(text, ',');
	if (c->old_value)
		tree_print_canonical(text, c->old_value);
	buffer_str(text, "]\n");
}

void fingerprint(char out[FINGERPRINT_SIZE], const struct changes *difference,
		 const struct tree *primary)
{
	const struct tree *id = tree_path(primary, "spec", "template", "metadata", "annotations",
					  "flagger-id", NULL);
	const struct change **sorted = NEW_ARRAY(const struct change *, difference->count + 1);
	unsigned char digest[EVP_MAX_MD_SIZE];
	struct buffer text = {0};
	size_t n = 0;

	change_each(c, difference)
		sorted[n++] = c;
	qsort(sorted, n, sizeof(*sorted), by_path);
	for (size_t i = 0; i < n; i++)
		add_line(&text, sorted[i]);
	tree_print_string(&text, tree_string_or(id, ""));
	if (EVP_Digest(buffer_text(&text), text.len, digest, NULL, EVP_sha256(), NULL) != 1)
		BUG("SHA-256 is not to be had");
	for (int i = 0; i < (FINGERPRINT_SIZE - 1) / 2; i++) {
		out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
		out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
	}
	out[FINGERPRINT_SIZE - 1] = '\0';
}
