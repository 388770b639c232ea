/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "io/http_client.h"

enum words {
	OURS,   /* text says all */
	THEIRS, /* text, then libcurl's detail: which certificate, which name */
	SYSTEM, /* the operating system's word, else text */
};

enum when {
	BEFORE,  /* the server can't have seen the request */
	NEVER,   /* nor will it see the next one */
	AFTER,   /* it may have */
	TOO_BIG, /* it has, and would answer alike */
};

static const struct cause {
	CURLcode code;
	enum when when;
	enum words words;
	const char *text;
} causes[] = {
	{CURLE_COULDNT_RESOLVE_HOST, BEFORE, OURS, "the host's name can't be resolved"},
	{CURLE_COULDNT_RESOLVE_PROXY, BEFORE, OURS, "the proxy's name can't be resolved"},
	{CURLE_COULDNT_CONNECT, BEFORE, SYSTEM, "no connection"},
	{CURLE_PROXY, BEFORE, THEIRS, "the proxy refuses"},
	{CURLE_SSL_CONNECT_ERROR, BEFORE, THEIRS, "no TLS connection"},
	{CURLE_PEER_FAILED_VERIFICATION, NEVER, THEIRS, "the server's certificate is not trusted"},
	{CURLE_SSL_CACERT_BADFILE, NEVER, THEIRS, "the certificate authority can't be read"},
	{CURLE_SSL_CERTPROBLEM, NEVER, THEIRS, "the client certificate can't be used"},
	{CURLE_GOT_NOTHING, AFTER, OURS, "the connection was closed without an answer"},
	{CURLE_SEND_FAIL_REWIND, AFTER, OURS, "the connection was closed without an answer"},
	{CURLE_PARTIAL_FILE, AFTER, OURS, "the answer was cut off"},
	{CURLE_HTTP2_STREAM, AFTER, OURS, "the answer was cut off"},
	{CURLE_BAD_CONTENT_ENCODING, AFTER, OURS, "the answer can't be unpacked"},
	{CURLE_RECV_ERROR, AFTER, SYSTEM, "the connection was lost"},
	{CURLE_SEND_ERROR, AFTER, SYSTEM, "the connection was lost"},
	{CURLE_HTTP2, AFTER, OURS, "the connection was lost"},
	{CURLE_WEIRD_SERVER_REPLY, AFTER, OURS, "the answer is no HTTP"},
	{CURLE_UNSUPPORTED_PROTOCOL, AFTER, OURS, "the answer is no HTTP"},
	{CURLE_WRITE_ERROR, TOO_BIG, OURS, "the answer is too large"},
};

static const struct cause *cause_of(CURLcode code)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		if (causes[i].code == code)
			return &causes[i];
	return NULL;
}

static const char *cause_text(const struct transfer *t, const struct cause *c, CURLcode code)
{
	long number = 0;

	if (!c)
		return curl_easy_strerror(code);
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &number);
	if (c->words == SYSTEM && number)
		return strerror((int)number);
	if (c->words == THEIRS && t->detail[0])
		return arena_printf("%s: %s", c->text, t->detail);
	return c->text;
}

/* Libraries begin their messages as sentences; acronyms stay. */
static const char *lower_first(const char *text)
{
	char *copy = arena_strdup(text);

	if (isupper((unsigned char)copy[0]) && !isupper((unsigned char)copy[1]))
		copy[0] = (char)tolower((unsigned char)copy[0]);
	return copy;
}

/* A connection that was ready may have carried the request. */
static bool may_be_sent(const struct transfer *t, const struct cause *c)
{
	curl_off_t ready = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &ready);
	return ready > 0 && !(c && (c->when == BEFORE || c->when == NEVER));
}

void http_fail(struct transfer *t, CURLcode code)
{
	const struct cause *c = cause_of(code);
	struct http_request *r = t->request;
	const char *origin = t->http->origin;

	r->status = 0;
	r->sent = may_be_sent(t, c);
	r->permanent = c && (c->when == NEVER || c->when == TOO_BIG);
	if (r->failure.kind != ERR_NONE)
		return; /* of the spool */
	if (code == CURLE_OPERATION_TIMEDOUT)
		error_set(&r->failure, ERR_TIMEOUT, "no answer from '%s' in time", origin);
	else if (r->sent)
		error_set(&r->failure, ERR_UNREACHABLE, "no answer from '%s': %s", origin,
			  lower_first(cause_text(t, c, code)));
	else
		error_set(&r->failure, ERR_UNREACHABLE, "can't reach '%s': %s", origin,
			  lower_first(cause_text(t, c, code)));
}
