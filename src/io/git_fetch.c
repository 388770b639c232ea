/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PERCH_NO_GIT
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "io/git_known_hosts.h"
#include "io/git_reader.h"

const char *git_says(void)
{
	const git_error *e = git2->error_last();
	const char *text = e && e->message ? e->message : "no reason given";
	struct buffer b = {.max = 512};
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		len--;
	terminal_text(&b, arena_strndup(text, len));
	return buffer_text(&b);
}

bool git_is_url(const char *repository)
{
	struct stat st;
	const char *colon = strchr(repository, ':'), *slash = strchr(repository, '/');

	if (strstr(repository, "://"))
		return true;
	return colon && (!slash || colon < slash) && stat(repository, &st) != 0;
}

/* Where user and password of a URL end; NULL where it has none. */
static const char *end_of_user(const char *repository)
{
	const char *scheme = strstr(repository, "://"), *at = NULL;
	size_t authority = scheme ? strcspn(scheme + 3, "/?#") : 0;

	for (size_t i = 0; i < authority; i++)
		if (scheme[3 + i] == '@')
			at = scheme + 3 + i;
	return at;
}

const char *git_shown(const char *repository)
{
	const char *at = end_of_user(repository);

	if (!at)
		return repository;
	return arena_printf("%.*s%s", (int)(strstr(repository, "://") + 3 - repository), repository, at + 1);
}

/* Those of libgit2's transports; one without a scheme (host:path) is ssh. */
static const char *const schemes[] = {"https", "http", "ssh", "git", "file", "ssh+git", "git+ssh"};

static bool has_scheme(const char *url, const char *scheme)
{
	size_t len = strlen(scheme);

	return strncasecmp(url, scheme, len) == 0 && strncmp(url + len, "://", 3) == 0;
}

int git_check_url(const char *url, struct error *err)
{
	const char *end = strstr(url, "://");

	if (*url == '-' || (!end && strstr(url, "::")))
		return error_set(err, ERR_USAGE, "can't fetch '%s': it names no host", url);
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (!end || has_scheme(url, schemes[i]))
			return 0;
	return error_set(err, ERR_USAGE, "can't fetch '%s': the URL schemes for Git are https, http, ssh, git "
					 "and file", git_shown(url));
}

static bool is_loopback(const char *url)
{
	const char *at = end_of_user(url), *host = at ? at + 1 : strstr(url, "://") + 3;
	size_t len = strcspn(host, ":/");

	return (len == 9 && (strncmp(host, "127.0.0.1", 9) == 0 || strncmp(host, "localhost", 9) == 0));
}

/* A token that anybody on the way could read is no secret any more. */
static int check_token(const struct git_source *git, struct error *err)
{
	const char *url = git->repository;

	if (!git->access.token || has_scheme(url, "https") || (has_scheme(url, "http") && is_loopback(url)))
		return 0;
	return error_set(err, ERR_USAGE, "can't fetch '%s': a token is sent over https only", git_shown(url));
}

/* One fetch under way. */
struct fetch {
	const struct git_source *git;
	bool tried;
	const char *refusal; /* why perch said no, where libgit2 only knows that it did */
};

static int on_credentials(git_credential **out, const char *url, const char *user, unsigned allowed, void *arg)
{
	struct fetch *f = arg;
	const struct git_access *access = &f->git->access;

	(void)url;
	if (allowed == GIT_CREDENTIAL_USERNAME)
		return git2->credential_username_new(out, user ? user : "git");
	if (f->tried) {
		f->refusal = access->token ? "the token was refused" :
			     access->ssh_key ? "the key was refused" : "the credentials were refused";
		return GIT_EAUTH;
	}
	f->tried = true;
	if (access->token && (allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT))
		return git2->credential_userpass_plaintext_new(out, user ? user : "x-access-token", access->token);
	if (access->ssh_key && user && (allowed & GIT_CREDENTIAL_SSH_KEY))
		return git2->credential_ssh_key_new(out, user, NULL, access->ssh_key, "");
	if (user && (allowed & GIT_CREDENTIAL_SSH_KEY))
		return git2->credential_ssh_key_from_agent(out, user);
	f->refusal = "it asks for credentials, and none were given";
	return GIT_EAUTH;
}

/* As known_hosts spells it: with the port where the URL has one. */
static const char *host_with_port(const char *url, const char *host)
{
	const char *at = end_of_user(url), *scheme = strstr(url, "://"), *start, *colon;
	size_t len;

	if (!scheme)
		return host;
	start = at ? at + 1 : scheme + 3;
	len = strcspn(start, "/");
	colon = memchr(start, ':', len);
	if (*start == '[' || !colon || strncmp(colon, ":22/", 4) == 0)
		return host;
	return arena_printf("[%s]:%.*s", host, (int)(start + len - colon - 1), colon + 1);
}

/* libgit2 knows whether an X.509 certificate holds, and asks the user's own known hosts for ssh. */
static int on_certificate(git_cert *cert, int valid, const char *host, void *arg)
{
	struct fetch *f = arg;
	const git_cert_hostkey *key = (const git_cert_hostkey *)cert;
	const char *file = f->git->access.known_hosts;
	struct text text;
	struct error err;

	if (cert->cert_type != GIT_CERT_HOSTKEY_LIBSSH2 || !file) {
		if (!valid)
			f->refusal = cert->cert_type == GIT_CERT_HOSTKEY_LIBSSH2 ?
				"the host's key isn't known, say --git-known-hosts" : "its certificate isn't trusted";
		return valid ? 0 : GIT_ECERTIFICATE;
	}
	if (files_read(&text, file, &err) != 0)
		f->refusal = arena_strdup(err.text);
	else if (!(key->type & GIT_CERT_SSH_RAW) ||
		 !known_host(text.data, text.len, host_with_port(f->git->repository, host),
			     (const unsigned char *)key->hostkey, key->hostkey_len))
		f->refusal = arena_printf("the host's key isn't in '%s'", file);
	return f->refusal ? GIT_ECERTIFICATE : 0;
}

static int on_progress(const git_indexer_progress *p, void *arg)
{
	struct fetch *f = arg;

	if (p->received_bytes <= GIT_MAX_FETCHED)
		return 0;
	f->refusal = "it is larger than 2 GiB";
	return GIT_EUSER;
}

/*
 * What the other side wrote, or libgit2 on its behalf, may hold what was sent to it. A user alone may be
 * a token over http; over ssh it is a name, and as a rule `git`, which errors are full of.
 */
static const char *without_secrets(const char *text, const struct git_source *git)
{
	const char *url = git->repository, *at = end_of_user(url), *user = at ? strstr(url, "://") + 3 : NULL;
	const char *colon = user ? memchr(user, ':', (size_t)(at - user)) : NULL;
	bool token = user && (has_scheme(url, "https") || has_scheme(url, "http"));
	const char *const secrets[] = {git->access.token, token ? arena_strndup(user, (size_t)(at - user)) : NULL,
				       colon ? arena_strndup(colon + 1, (size_t)(at - colon - 1)) : NULL};

	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		if (secrets[i] && *secrets[i] && strstr(text, secrets[i]))
			return "it repeats the credentials";
	return text;
}

static int cannot(struct fetch *f, int code, struct error *err)
{
	const char *why = f->refusal ? f->refusal : without_secrets(git_says(), f->git);

	if (!f->refusal && (strstr(why, "redirect") || strstr(why, "status code: 30")))
		why = "it redirects elsewhere, which perch doesn't follow: say that URL";
	if (!f->refusal && code == GIT_ECERTIFICATE)
		why = "its certificate or key isn't trusted";
	return error_set(err, ERR_UNREACHABLE, "can't fetch '%s': %s", git_shown(f->git->repository), why);
}

int git_fetch(git_repository **out, const struct git_source *git, const char *folder, struct error *err)
{
	git_clone_options options = GIT_CLONE_OPTIONS_INIT;
	struct fetch fetch = {.git = git};
	int code;

	if (git_check_url(git->repository, err) != 0 || check_token(git, err) != 0)
		return -1;
	if (git2->repository_open(out, folder) == 0)
		return 0;
	options.bare = 1;
	options.local = GIT_CLONE_NO_LOCAL; /* a copy, so that nothing of it changes under way */
	options.fetch_opts.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_ALL;
	options.fetch_opts.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
	options.fetch_opts.callbacks.credentials = on_credentials;
	options.fetch_opts.callbacks.certificate_check = on_certificate;
	options.fetch_opts.callbacks.transfer_progress = on_progress;
	options.fetch_opts.callbacks.payload = &fetch;
	code = git2->clone(out, git->repository, folder, &options);
	return code == 0 ? 0 : cannot(&fetch, code, err);
}
#endif
