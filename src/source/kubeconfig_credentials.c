/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_credentials.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "io/files.h"

#define ROOM ((size_t)64 << 10)
#define KEPT_S 50 /* client-go's minute, less its leeway */

static bool fits_header(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

/* Puts a text into the room at *used; false where it is full. */
static bool keep(struct renewable *r, size_t *used, const char **out, const char *text, size_t len)
{
	if (!text)
		return true;
	if (len >= ROOM - *used)
		return false;
	memcpy(r->room + *used, text, len);
	r->room[*used + len] = '\0';
	*out = r->room + *used;
	*used += len + 1;
	return true;
}

static int keep_all(struct renewable *r, const struct credentials *fresh, struct error *err)
{
	const char *token = fresh->token;
	size_t used = 0;

	if (token && !fits_header(token))
		return error_set(err, ERR_INPUT, "the token of %s has characters that no header may have", r->who);
	r->now = *fresh;
	r->known = false;
	if (!keep(r, &used, &r->now.token, token, token ? strlen(token) : 0) ||
	    !keep(r, &used, &r->now.certificate.data, fresh->certificate.data, fresh->certificate.len) ||
	    !keep(r, &used, &r->now.key.data, fresh->key.data, fresh->key.len))
		return error_set(err, ERR_INPUT, "the credentials of %s are larger than %zu KiB", r->who, ROOM >> 10);
	r->known = true;
	return 0;
}

static int read_file(struct renewable *r, struct error *err)
{
	struct credentials fresh = r->fixed;
	const char *start, *end;
	struct text text;

	if (files_read(&text, r->token_file, err) != 0)
		return error_wrap(err, "no token for %s", r->who);
	for (start = text.data, end = start + text.len; start < end && isspace((unsigned char)*start);)
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	if (start == end)
		return error_set(err, ERR_INPUT, "no token for %s: '%s' is empty", r->who, r->token_file);
	fresh.token = arena_strndup(start, (size_t)(end - start));
	fresh.expires = clock_now() + KEPT_S;
	return keep_all(r, &fresh, err);
}

/* A file that can't be read for once leaves the token that it gave, or the one beside it. */
static int renew_file(struct renewable *r, struct error *err)
{
	struct credentials spare = r->known ? r->now : r->fixed;

	if (read_file(r, err) == 0)
		return 0;
	if (!spare.token)
		return -1;
	spare.expires = clock_now() + KEPT_S;
	r->now = spare;
	return 0;
}

static int renew_plugin(struct renewable *r, struct error *err)
{
	struct credentials fresh;

	if (plugin_run(&fresh, r->plugin, r->deadline, err) != 0)
		return -1;
	return keep_all(r, &fresh, err);
}

int credentials_open(struct renewable *r, struct error *err)
{
	r->now = r->fixed;
	if (r->fixed.token && !fits_header(r->fixed.token))
		return error_set(err, ERR_INPUT, "the token of %s has characters that no header may have", r->who);
	if (r->token_file || r->plugin)
		r->room = arena_alloc(ROOM);
	return r->token_file ? renew_file(r, err) : 0;
}

int credentials_get(void *arg, struct credentials *out, bool refused, struct error *err)
{
	struct renewable *r = arg;
	bool stale = refused || !r->known || (r->now.expires && clock_now() >= r->now.expires);
	struct arena_mark mark = arena_mark();
	int failed = 0;

	if (refused && !r->token_file && !r->plugin)
		return error_set(err, ERR_REFUSED, "the server doesn't accept the %s of %s (401)",
				 r->fixed.token ? "token" : "password", r->who);
	if (stale && (r->token_file || r->plugin))
		failed = r->plugin ? renew_plugin(r, err) : renew_file(r, err);
	arena_rewind(mark);
	*out = r->now;
	return failed;
}
