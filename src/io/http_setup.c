/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "io/http_client.h"
#include "io/standalone.h"

#define CONNECT_MS 15000L

static const char *part(CURLU *url, CURLUPart which, const char *missing)
{
	char *text = NULL;
	const char *copy = missing;

	if (curl_url_get(url, which, &text, 0) == CURLUE_OK)
		copy = arena_strdup(text);
	curl_free(text);
	return copy;
}

/* tls-server-name takes the host's place in the URL, and the connection goes where the host is. */
static void rename_host(struct http *h, CURLU *url)
{
	const char *host = part(url, CURLUPART_HOST, ""), *port = part(url, CURLUPART_PORT, NULL);
	bool https = strcmp(part(url, CURLUPART_SCHEME, ""), "https") == 0;
	const char *number = port ? port : https ? "443" : "80";

	h->host_header = port ? arena_printf("Host: %s:%s", host, port) : arena_printf("Host: %s", host);
	h->connect_to = curl_slist_append(NULL, arena_printf("%s:%s:%s:%s", h->o.server_name, number,
							     host, number));
	curl_url_set(url, CURLUPART_HOST, h->o.server_name, 0);
}

int http_origin(struct http *h, struct error *err)
{
	CURLU *url = curl_url();
	bool ok = url && curl_url_set(url, CURLUPART_URL, h->origin, 0) == CURLUE_OK;
	const char *scheme = ok ? part(url, CURLUPART_SCHEME, "") : "";
	bool secret = ok && part(url, CURLUPART_USER, NULL);
	size_t len;

	if (ok && h->o.server_name)
		rename_host(h, url);
	h->url = ok ? part(url, CURLUPART_URL, "") : "";
	curl_url_cleanup(url);
	if (secret)
		return error_set(err, ERR_USAGE, "the server's URL has a user in it, which is not supported");
	if (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0)
		return error_set(err, ERR_USAGE, "'%s' is not an http or https URL", h->origin);
	for (len = strlen(h->url); len > 0 && h->url[len - 1] == '/'; len--)
		;
	h->url = arena_strndup(h->url, len);
	return 0;
}

static const char *environment(const char *upper, const char *lower)
{
	const char *value = getenv(upper);

	if (!value || !*value)
		value = getenv(lower);
	return value && *value ? value : NULL;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* As Go has it: the environment's proxy is never asked for this machine. */
static bool is_loopback(const char *origin)
{
	const char *host = strstr(origin, "://");

	host = host ? host + 3 : origin;
	return begins(host, "127.") || begins(host, "[::1]") ||
	       (begins(host, "localhost") && strchr(":/", host[strlen("localhost")]));
}

/* As Go has it: socks5 lets the proxy resolve names, which libcurl calls socks5h. */
const char *http_proxy(const struct http_options *o)
{
	static const char *const known[] = {"http://", "https://", "socks5h://"};
	const char *proxy = o->proxy;

	if (!proxy && is_loopback(o->origin))
		return "";
	if (!proxy)
		proxy = begins(o->origin, "https:") ? environment("HTTPS_PROXY", "https_proxy") :
						      environment("HTTP_PROXY", "http_proxy");
	if (!proxy || !*proxy)
		return "";
	if (begins(proxy, "socks5://"))
		return arena_printf("socks5h%s", proxy + strlen("socks5"));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (begins(proxy, known[i]))
			return proxy;
	return strstr(proxy, "://") ? NULL : proxy;
}

static int set_proxy(CURL *easy, const struct http_options *o, struct error *err)
{
	const char *proxy = http_proxy(o), *none = environment("NO_PROXY", "no_proxy");

	if (!proxy)
		return error_set(err, ERR_USAGE, "the proxy's URL is not an http, https or socks5 one");
	curl_easy_setopt(easy, CURLOPT_PROXY, proxy);
	curl_easy_setopt(easy, CURLOPT_NOPROXY, o->proxy || !none ? "" : none);
	return 0;
}

/* Bytes are copied by libcurl. */
static CURLcode set_pem(CURL *easy, const struct pem *pem, CURLoption file, CURLoption blob)
{
	struct curl_blob bytes = {(void *)pem->data, pem->len, CURL_BLOB_COPY};

	if (pem->data)
		return curl_easy_setopt(easy, blob, &bytes);
	return pem->file ? curl_easy_setopt(easy, file, pem->file) : CURLE_OK;
}

static CURLcode set_client_certificate(CURL *easy, const struct pem *certificate, const struct pem *key)
{
	CURLcode code = set_pem(easy, certificate, CURLOPT_SSLCERT, CURLOPT_SSLCERT_BLOB);

	curl_easy_setopt(easy, CURLOPT_KEYPASSWD, ""); /* or OpenSSL asks on the terminal */
	return code ? code : set_pem(easy, key, CURLOPT_SSLKEY, CURLOPT_SSLKEY_BLOB);
}

int http_certificate(struct http *h, const struct pem *certificate, const struct pem *key,
		     struct error *err)
{
	for (size_t i = 0; i < HTTP_PARALLEL; i++) {
		if (set_client_certificate(h->transfers[i].easy, certificate, key))
			return error_set(err, ERR_INPUT, "libcurl can't take the client certificate");
	}
	return 0;
}

/*
 * A CA that was given is the only one: what the system trusts is left out. As Go has it, a proxy
 * over TLS is trusted as the server is.
 */
static CURLcode set_tls(CURL *easy, const struct http_options *o)
{
	long check_peer = !o->insecure, check_name = o->insecure ? 0 : 2;
	bool given = o->ca.data || o->ca.file;
	struct pem ca = given ? o->ca : (struct pem){.file = standalone_roots()};
	CURLcode code = CURLE_OK;

	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, check_peer);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYPEER, check_peer);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, check_name);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSL_VERIFYHOST, check_name);
	if (ca.data || ca.file) {
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
		curl_easy_setopt(easy, CURLOPT_PROXY_CAPATH, NULL);
		code = set_pem(easy, &ca, CURLOPT_CAINFO, CURLOPT_CAINFO_BLOB);
		if (!code)
			code = set_pem(easy, &ca, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAINFO_BLOB);
	}
	return code ? code : set_client_certificate(easy, &o->certificate, &o->key);
}

int http_set_up(struct transfer *t, struct error *err)
{
	const struct http *h = t->http;
	CURL *easy = t->easy = curl_easy_init();

	if (!easy || set_tls(easy, &h->o))
		return error_set(err, ERR_INPUT, "libcurl can't take the certificates");
	if (set_proxy(easy, &h->o, err))
		return -1;
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip"); /* the API server packs long lists */
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
	curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->detail);
	curl_easy_setopt(easy, CURLOPT_CONNECT_TO, h->connect_to);
	return 0;
}
