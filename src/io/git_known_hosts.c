/* SPDX-License-Identifier: Apache-2.0 */
#include "io/git_known_hosts.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/glob.h"

#define SHA1_SIZE 20
#define MAX_KEY   8192

/* Base64 of at most `max` bytes; -1 where it is none. */
static int decoded(unsigned char *out, size_t max, const char *text, size_t len)
{
	unsigned char *room = arena_alloc(len + 4);
	size_t padding = 0;
	int n;

	while (padding < len && padding < 2 && text[len - 1 - padding] == '=')
		padding++;
	n = len % 4 == 0 ? EVP_DecodeBlock(room, (const unsigned char *)text, (int)len) : -1;
	if (n < (int)padding || (size_t)n - padding > max)
		return -1;
	memcpy(out, room, (size_t)n - padding);
	return n - (int)padding;
}

/* |1|SALT|HASH, both in base64: HMAC-SHA1 of the host's name. */
static bool hashed_is(const char *pattern, size_t len, const char *host)
{
	unsigned char salt[SHA1_SIZE], hash[SHA1_SIZE], found[EVP_MAX_MD_SIZE];
	const char *bar = memchr(pattern + 3, '|', len - 3);
	unsigned found_len = 0;
	int salt_len;

	if (!bar)
		return false;
	salt_len = decoded(salt, sizeof(salt), pattern + 3, (size_t)(bar - pattern - 3));
	if (salt_len < 0 || decoded(hash, sizeof(hash), bar + 1, len - (size_t)(bar + 1 - pattern)) != SHA1_SIZE)
		return false;
	return HMAC(EVP_sha1(), salt, salt_len, (const unsigned char *)host, strlen(host), found, &found_len) &&
	       found_len == SHA1_SIZE && memcmp(found, hash, SHA1_SIZE) == 0;
}

/* Patterns with commas between; one that begins with ! and matches says no. */
static bool names(const char *patterns, size_t len, const char *host)
{
	bool found = false;

	while (len) {
		const char *comma = memchr(patterns, ',', len);
		size_t one = comma ? (size_t)(comma - patterns) : len;
		const char *pattern = arena_strndup(patterns, one);
		bool hashed = one > 3 && memcmp(pattern, "|1|", 3) == 0, not = *pattern == '!';
		bool same = hashed ? hashed_is(pattern, one, host) : glob_match(pattern + not, host, "");

		if (same && not)
			return false;
		found |= same;
		one += comma != NULL;
		patterns += one;
		len -= one;
	}
	return found;
}

struct fields {
	const char *at, *end;
};

/* The next field of the line; *len is 0 after the last. */
static const char *field(struct fields *f, size_t *len)
{
	const char *start;

	while (f->at < f->end && (*f->at == ' ' || *f->at == '\t'))
		f->at++;
	start = f->at;
	while (f->at < f->end && *f->at != ' ' && *f->at != '\t' && *f->at != '\r')
		f->at++;
	*len = (size_t)(f->at - start);
	return start;
}

enum standing { STANDING_NONE, STANDING_KNOWN, STANDING_REVOKED };

static enum standing of_line(const char *line, const char *end, const char *host, const unsigned char *key,
			     size_t key_len)
{
	struct fields f = {line, end};
	unsigned char stated[MAX_KEY];
	size_t len, type_len;
	const char *first = field(&f, &len), *hosts = first;
	bool revoked = len == 8 && memcmp(first, "@revoked", 8) == 0;

	if (!len || *first == '#' || (*first == '@' && !revoked))
		return STANDING_NONE; /* an authority's is no host's key */
	if (revoked)
		hosts = field(&f, &len);
	if (!len || !names(hosts, len, host))
		return STANDING_NONE;
	field(&f, &type_len);
	hosts = field(&f, &len);
	if (decoded(stated, sizeof(stated), hosts, len) != (int)key_len || memcmp(stated, key, key_len) != 0)
		return STANDING_NONE;
	return revoked ? STANDING_REVOKED : STANDING_KNOWN;
}

bool known_host(const char *text, size_t len, const char *host, const unsigned char *key, size_t key_len)
{
	const char *end = text + len;
	bool known = false;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		struct arena_mark mark = arena_mark();
		enum standing s;

		line_end = line_end ? line_end : end;
		s = of_line(text, line_end, host, key, key_len);
		arena_rewind(mark);
		if (s == STANDING_REVOKED)
			return false;
		known |= s == STANDING_KNOWN;
		text = line_end + 1;
	}
	return known;
}
