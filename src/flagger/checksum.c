/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/checksum.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "value/base64.h"
#include "k8s/object.h"

static void escape(struct buffer *out, unsigned char c)
{
	static const char short_forms[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = strchr(short_forms, c);

	if (found)
		buffer_printf(out, "\\%c", letters[found - short_forms]);
	else
		buffer_printf(out, "\\u%04x", c);
}

/* A string as Go's json.Marshal writes it: HTML's characters and the line separators escaped too. */
static void go_string(struct buffer *out, const char *s)
{
	const char *run = s;

	buffer_char(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		bool separator = c == 0xe2 && (unsigned char)s[1] == 0x80 && ((unsigned char)s[2] & 0xfe) == 0xa8;

		if (c >= 0x20 && !strchr("\"\\<>&", c) && !separator)
			continue;
		buffer_add(out, run, (size_t)(s - run));
		if (separator) {
			buffer_printf(out, "\\u202%d", (unsigned char)s[2] & 0xf);
			s += 2;
		} else {
			escape(out, c);
		}
		run = s + 1;
	}
	buffer_add(out, run, (size_t)(s - run));
	buffer_char(out, '"');
}

/* The string of an entry; a null one is empty, as a write to the API server makes it. */
static const char *entry_string(const struct tree *entry, const char *map, struct error *err)
{
	if (tree_kind(entry) == TREE_NULL)
		return "";
	if (!tree_string(entry))
		error_set(err, ERR_INPUT, "expected string, got %s: '%s[%s]'",
			  tree_kind_name(tree_kind(entry)), map, tree_key(entry));
	return tree_string(entry);
}

static int go_config_map(struct buffer *out, const struct tree *data, struct error *err)
{
	for (const struct tree **entry = tree_sorted(data); *entry; entry++) {
		const char *text = entry_string(*entry, "data", err);

		if (!text)
			return -1;
		buffer_char(out, out->len > 1 ? ',' : '{');
		go_string(out, tree_key(*entry));
		buffer_char(out, ':');
		go_string(out, text);
	}
	return 0;
}

/* data with stringData over it, all values as canonical base64. */
static const struct tree *folded(const struct tree *secret, struct error *err)
{
	struct tree *all = tree_new_map();

	tree_each(entry, tree_get(secret, "data")) {
		const char *text = entry_string(entry, "data", err);

		if (!text)
			return NULL;
		text = base64_canonical(text);
		if (!text) {
			error_set(err, ERR_INPUT, "not base64: 'data[%s]'", tree_key(entry));
			return NULL;
		}
		tree_put(all, tree_key(entry), tree_new_string(text));
	}
	tree_each(entry, tree_get(secret, "stringData")) {
		const char *text = entry_string(entry, "stringData", err);

		if (!text)
			return NULL;
		tree_put(all, tree_key(entry), tree_new_string(base64_encode(text, strlen(text))));
	}
	return all;
}

static int is_map_or_nothing(const struct tree *object, const char *key, struct error *err)
{
	enum tree_kind kind = tree_kind(tree_get(object, key));

	if (kind == TREE_ABSENT || kind == TREE_NULL || kind == TREE_MAP)
		return 0;
	return error_set(err, ERR_INPUT, "expected map, got %s: '%s'", tree_kind_name(kind), key);
}

int config_checksum(char out[CHECKSUM_SIZE], const struct tree *object, struct error *err)
{
	bool secret = object_kind(object) == KIND_SECRET;
	const struct tree *data = tree_get(object, "data");
	unsigned char digest[EVP_MAX_MD_SIZE];
	struct buffer json = {0};

	if (is_map_or_nothing(object, "data", err) ||
	    (secret && is_map_or_nothing(object, "stringData", err)))
		return -1;
	if (secret) {
		data = folded(object, err);
		if (!data)
			return -1;
	}
	if (go_config_map(&json, data, err))
		return -1;
	buffer_str(&json, tree_empty(data) ? "null" : "}");
	if (json.full)
		return error_set(err, ERR_INPUT, "data too big");
	if (!EVP_Digest(json.data, json.len, digest, NULL, EVP_sha256(), NULL))
		BUG("libcrypto has no SHA-256");
	for (size_t i = 0; i < 8; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
	return 0;
}
