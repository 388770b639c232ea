/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/git_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"

#define MAX_TOKEN 8192

/* One line: what else stands there would end a header. */
static int check_token(const char *token, size_t len, const char *where, struct error *err)
{
	if (!len || len > MAX_TOKEN)
		return error_set(err, ERR_INPUT, "%s: %s", where, len ? "too long for a token" : "no token there");
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)token[i] <= ' ' || token[i] == 0x7f)
			return error_set(err, ERR_INPUT, "%s: more than a token on one line", where);
	return 0;
}

static int read_token(const char **out, const struct settings *s, struct error *err)
{
	const char *env = getenv("PERCH_GIT_TOKEN");
	struct text text;

	if (!s->git_token_file) {
		*out = env && *env ? env : NULL;
		return *out ? check_token(env, strlen(env), "PERCH_GIT_TOKEN", err) : 0;
	}
	if (files_read(&text, s->git_token_file, err) != 0)
		return error_wrap(err, "--git-token-file");
	while (text.len && strchr("\r\n", text.data[text.len - 1]) && text.data[text.len - 1])
		text.len--;
	*out = arena_strndup(text.data, text.len);
	return check_token(text.data, text.len, s->git_token_file, err);
}

int git_options(struct git_source *out, const struct settings *s, struct error *err)
{
	int64_t ms = 0;

	if (!s->git && (s->git_token_file || s->git_ssh_key || s->git_known_hosts))
		return error_set(err, ERR_USAGE, "--git-token-file, --git-ssh-key and --git-known-hosts need --git");
	*out = (struct git_source){.repository = s->git, .rev = s->rev, .path = s->path};
	if (s->timeout && clock_duration(&ms, s->timeout, err) != 0)
		return error_wrap(err, "--timeout");
	out->access.ssh_key = s->git_ssh_key;
	out->access.known_hosts = s->git_known_hosts;
	out->access.deadline = clock_deadline(ms);
	return s->git ? read_token(&out->access.token, s, err) : 0;
}
