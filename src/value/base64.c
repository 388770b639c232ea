/* SPDX-License-Identifier: Apache-2.0 */
#include "value/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const char *bytes, size_t len)
{
	char *text = arena_alloc_raw((len + 2) / 3 * 4 + 1), *p = text;

	for (size_t i = 0; i < len; i += 3) {
		size_t rest = len - i;
		uint32_t group = (uint32_t)(unsigned char)bytes[i] << 16;

		if (rest > 1)
			group |= (uint32_t)(unsigned char)bytes[i + 1] << 8;
		if (rest > 2)
			group |= (unsigned char)bytes[i + 2];
		*p++ = alphabet[group >> 18];
		*p++ = alphabet[group >> 12 & 63];
		*p++ = rest > 1 ? alphabet[group >> 6 & 63] : '=';
		*p++ = rest > 2 ? alphabet[group & 63] : '=';
	}
	*p = '\0';
	return text;
}

static const char *skip_newlines(const char *p)
{
	return p + strspn(p, "\r\n");
}

char *base64_decode(const char *text, size_t *len)
{
	char *bytes = arena_alloc(strlen(text) / 4 * 3 + 4);
	const char *p = skip_newlines(text);

	*len = 0;
	while (*p) {
		uint32_t group = 0;
		size_t letters = 0;

		for (; letters < 4 && *p && *p != '='; letters++, p = skip_newlines(p + 1)) {
			const char *found = strchr(alphabet, *p);

			if (!found)
				return NULL;
			group |= (uint32_t)(found - alphabet) << (18 - 6 * letters);
		}
		if (letters < 2)
			return NULL;
		for (size_t i = 0; i + 1 < letters; i++)
			bytes[(*len)++] = (char)(group >> (16 - 8 * i));
		for (size_t i = letters; i < 4; i++, p = skip_newlines(p + 1))
			if (*p != '=')
				return NULL;
		if (letters < 4 && *p)
			return NULL; /* something after the padding */
	}
	return bytes;
}

char *base64_canonical(const char *text)
{
	size_t len;
	char *bytes = base64_decode(text, &len);

	return bytes ? base64_encode(bytes, len) : NULL;
}
