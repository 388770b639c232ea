/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/releases.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"

struct row {
	struct release release;
	int k8s;
};

#define RELEASE(major, minor, patch, k8s) {{major, minor, patch}, k8s},
static const struct row rows[] = {
#include "flagger/releases.def"
};
#define N_ROWS (sizeof(rows) / sizeof(*rows))

int release_compare(const struct release *a, const struct release *b)
{
	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return a->patch == b->patch ? 0 : a->patch < b->patch ? -1 : 1;
}

int release_k8s(const struct release *r)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (release_compare(&rows[i].release, r) == 0)
			return rows[i].k8s;
	return 0;
}

const char *release_text(const struct release *r)
{
	return arena_printf("%d.%d.%d", r->major, r->minor, r->patch);
}

struct release release_newest(void)
{
	return rows[N_ROWS - 1].release;
}

int release_first_with(struct release *out, int k8s)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		if (rows[i].k8s == k8s) {
			*out = rows[i].release;
			return 0;
		}
	}
	return -1;
}

int release_last_with(struct release *out, int k8s)
{
	for (size_t i = N_ROWS; i > 0; i--) {
		if (rows[i - 1].k8s == k8s) {
			*out = rows[i - 1].release;
			return 0;
		}
	}
	return -1;
}

/* The newest patch of a minor, if all its patches have one schema. */
static enum release_reading newest_patch(struct release *out)
{
	enum release_reading reading = RELEASE_UNLISTED;
	int k8s = 0;

	for (size_t i = 0; i < N_ROWS; i++) {
		const struct row *row = &rows[i];

		if (row->release.major != out->major || row->release.minor != out->minor)
			continue;
		reading = k8s && row->k8s != k8s ? RELEASE_AMBIGUOUS : RELEASE_KNOWN;
		k8s = row->k8s;
		out->patch = row->release.patch;
	}
	return reading;
}

bool release_is_flagger(const char *image)
{
	const char *slash = strrchr(image, '/'), *name = slash ? slash + 1 : image;

	return strncmp(name, "flagger", 7) == 0 && (!name[7] || strchr(":@", name[7]));
}

/* The tag of an image, or the text itself; empty for an image that has none. */
static const char *tag_of(const char *text, const char **end)
{
	const char *digest = strchr(text, '@');
	const char *name = text;

	*end = digest ? digest : text + strlen(text);
	for (const char *p = text; p < *end; p++)
		if (*p == '/')
			name = p + 1;
	for (const char *p = name; p < *end; p++)
		if (*p == ':')
			return p + 1;
	return name == text && !digest ? text : *end;
}

static const char *read_number(int *out, const char *p, const char *end)
{
	const char *start = p;
	int n = 0;

	for (; p < end && isdigit((unsigned char)*p) && p - start < 6; p++)
		n = n * 10 + (*p - '0');
	if (p == start || (*start == '0' && p - start > 1))
		return NULL;
	*out = n;
	return p;
}

enum release_reading release_read(struct release *out, const char *text)
{
	struct release r = {0};
	const char *end, *p = tag_of(text, &end);

	if (p < end && *p == 'v')
		p++;
	p = read_number(&r.major, p, end);
	if (!p || p == end || *p != '.')
		return RELEASE_NONE;
	p = read_number(&r.minor, p + 1, end);
	if (p == end) {
		*out = r;
		return newest_patch(out);
	}
	if (!p || *p != '.')
		return RELEASE_NONE;
	p = read_number(&r.patch, p + 1, end);
	if (p != end)
		return RELEASE_NONE;
	*out = r;
	return release_k8s(&r) ? RELEASE_KNOWN : RELEASE_UNLISTED;
}

int release_parse(struct release *out, const char *text, struct error *err)
{
	struct release newest = release_newest();

	switch (release_read(out, text)) {
	case RELEASE_KNOWN:
		return 0;
	case RELEASE_AMBIGUOUS:
		return error_set(err, ERR_USAGE,
				 "the releases of this minor differ in schema, give the patch too: '%s'", text);
	case RELEASE_UNLISTED:
		return error_set(err, ERR_USAGE, "not a Flagger release that perch knows (newest %s): '%s'",
				 release_text(&newest), text);
	default:
		return error_set(err, ERR_USAGE, "not a Flagger release: '%s'", text);
	}
}
