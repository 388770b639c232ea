/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/image.h"

#include <ctype.h>
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGIT "0123456789"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define PATH_MAX_LENGTH 255
#define TAG_MAX_LENGTH 128

/* A piece of the text; an image is cut up, never copied. */
struct piece {
	const char *text;
	size_t len;
};

static struct piece piece(const char *from, const char *to)
{
	return (struct piece){from, (size_t)(to - from)};
}

static bool all_of(struct piece p, const char *bytes)
{
	for (size_t i = 0; i < p.len; i++)
		if (!strchr(bytes, p.text[i]))
			return false;
	return true;
}

static const char *find(struct piece p, char c)
{
	return p.len ? memchr(p.text, c, p.len) : NULL;
}

static bool is(struct piece p, const char *text)
{
	return p.len == strlen(text) && memcmp(p.text, text, p.len) == 0;
}

/* Between alphanumerics: one of `.` `_`, two `_`, or any number of `-`. */
static size_t separator(const char *s)
{
	if (s[0] == '_')
		return s[1] == '_' ? 2 : 1;
	return s[0] == '.' ? 1 : strspn(s, "-");
}

static bool component_ok(struct piece p)
{
	const char *s = p.text, *end = p.text + p.len;

	for (;;) {
		size_t word = 0, gap;

		while (s + word < end && strchr(LOWER DIGIT, s[word]))
			word++;
		s += word;
		if (!word || s == end)
			return word && s == end;
		gap = separator(s);
		if (!gap)
			return false;
		s += gap;
	}
}

static bool path_ok(struct piece p)
{
	const char *end = p.text + p.len;

	if (p.len > PATH_MAX_LENGTH)
		return false;
	for (const char *s = p.text;;) {
		const char *slash = find(piece(s, end), '/');

		if (!component_ok(piece(s, slash ? slash : end)))
			return false;
		if (!slash)
			return true;
		s = slash + 1;
	}
}

static bool label_ok(struct piece p)
{
	return p.len && all_of(p, LOWER UPPER DIGIT "-") && p.text[0] != '-' && p.text[p.len - 1] != '-';
}

static bool host_ok(struct piece p)
{
	const char *end = p.text + p.len;

	if (p.len > 2 && p.text[0] == '[')
		return p.text[p.len - 1] == ']' &&
		       all_of(piece(p.text + 1, end - 1), DIGIT "abcdefABCDEF:");
	for (const char *s = p.text;;) {
		const char *dot = find(piece(s, end), '.');

		if (!label_ok(piece(s, dot ? dot : end)))
			return false;
		if (!dot)
			return true;
		s = dot + 1;
	}
}

static bool domain_ok(struct piece p)
{
	const char *end = p.text + p.len, *port = end;

	while (port > p.text && isdigit((unsigned char)port[-1]))
		port--;
	if (port > p.text && port < end && port[-1] == ':')
		end = port - 1;
	return host_ok(piece(p.text, end));
}

static bool digest_ok(struct piece p)
{
	static const struct {
		const char *prefix;
		size_t hex;
	} known[] = {{"sha256:", 64}, {"sha384:", 96}, {"sha512:", 128}};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t skip = strlen(known[i].prefix);

		if (p.len == skip + known[i].hex && strncmp(p.text, known[i].prefix, skip) == 0)
			return all_of(piece(p.text + skip, p.text + p.len), DIGIT "abcdef");
	}
	return false;
}

static bool tag_ok(struct piece p)
{
	return p.len && p.len <= TAG_MAX_LENGTH && all_of(p, LOWER UPPER DIGIT "_.-") &&
	       p.text[0] != '.' && p.text[0] != '-';
}

/* The first part is a registry if it looks like a host: else all of it is Docker Hub's. */
static const char *after_domain(const char *image, const char *end, bool *ok)
{
	const char *slash = find(piece(image, end), '/');
	struct piece first;

	*ok = true;
	if (!slash)
		return image;
	first = piece(image, slash);
	if (!is(first, "localhost") && !find(first, '.') && !find(first, ':') &&
	    all_of(first, LOWER DIGIT "_-"))
		return image;
	*ok = domain_ok(first);
	return slash + 1;
}

bool image_is_latest(const char *image)
{
	const char *end = image + strlen(image), *at = strchr(image, '@'), *path, *colon;
	struct piece whole = piece(image, end), tag;
	bool ok;

	if (whole.len == 64 && all_of(whole, DIGIT "abcdef"))
		return false;
	if (at && !digest_ok(piece(at + 1, end)))
		return false;
	end = at ? at : end;
	path = after_domain(image, end, &ok);
	colon = find(piece(path, end), ':');
	if (!ok || !path_ok(piece(path, colon ? colon : end)))
		return false;
	if (!colon)
		return !at;
	tag = piece(colon + 1, end);
	return tag_ok(tag) && is(tag, "latest");
}
