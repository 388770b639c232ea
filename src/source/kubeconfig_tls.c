/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_tls.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "value/base64.h"

static bool contains(const struct pem *pem, const char *text)
{
	return memmem(pem->data, pem->len, text, strlen(text)) != NULL;
}

/* Its passphrase would have to be asked for. */
static bool is_encrypted(const struct pem *key)
{
	return contains(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----") || contains(key, "\nProc-Type: 4,ENCRYPTED");
}

/* What `key` names or `key`-data holds; neither is a pem of no bytes, and both are one too many. */
static int read_pem(struct pem *out, const struct kubeconfig_entry *e, const char *key, const char *begin,
		    const char *what, struct error *err)
{
	const char *data_key = arena_printf("%s-data", key), *data = entry_text(e, data_key);
	const char *path = entry_path(e, key);
	struct error cause;
	struct text text;

	*out = (struct pem){.file = path};
	if (data && path)
		return entry_fault(e, data_key, err, "both %s and %s are given", key, data_key);
	if (!data && !path)
		return 0;
	if (path && files_read(&text, path, &cause) != 0)
		return entry_fault(e, key, err, "%s: %s", key, cause.text);
	if (path) {
		out->data = text.data;
		out->len = text.len;
	} else {
		out->data = base64_decode(data, &out->len);
	}
	if (!contains(out, begin))
		return entry_fault(e, path ? key : data_key, err, "%s: there is no %s in it", path ? key : data_key,
				   what);
	return 0;
}

/* --- the server */

static bool is_scheme(const char *url, const char *scheme)
{
	return strncasecmp(url, scheme, strlen(scheme)) == 0 && strncmp(url + strlen(scheme), "://", 3) == 0;
}

static bool is_plain(const char *url)
{
	for (; *url; url++)
		if (!isgraph((unsigned char)*url) || strchr("\"<>\\^`{|}", *url))
			return false;
	return true;
}

static bool has_path(const char *authority)
{
	size_t host = strcspn(authority, "/");

	return authority[host] && authority[host + 1];
}

static int read_origin(const char **origin, bool *secure, const struct kubeconfig_entry *cluster,
		       struct error *err)
{
	const char *server = entry_text(cluster, "server"), *rest = server ? strstr(server, "://") : NULL;
	size_t len;

	if (!server)
		return entry_fault(cluster, NULL, err, "cluster '%s' has no server", cluster->name);
	*secure = is_scheme(server, "https");
	if (rest && !*secure && !is_scheme(server, "http"))
		return entry_fault(cluster, "server", err, "server is neither http:// nor https://");
	rest = rest ? rest + 3 : server;
	len = strcspn(rest, "?#");
	if (!is_plain(rest) || strcspn(rest, "/?#") == 0)
		return entry_fault(cluster, "server", err, "server is no URL");
	if (memchr(rest, '@', strcspn(rest, "/?#")))
		return entry_fault(cluster, "server", err, "server has credentials in its URL: give them to a user");
	if (rest == server && has_path(server))
		return entry_fault(cluster, "server", err, "server has a path, but neither http:// nor https://");
	while (len && rest[len - 1] == '/')
		len--;
	*origin = arena_printf("%s://%.*s", *secure ? "https" : "http", (int)len, rest);
	return 0;
}

static int read_proxy(const char **proxy, const struct kubeconfig_entry *cluster, struct error *err)
{
	const char *url = entry_text(cluster, "proxy-url");

	if (url && !is_scheme(url, "http") && !is_scheme(url, "https") && !is_scheme(url, "socks5"))
		return entry_fault(cluster, "proxy-url", err, "proxy-url is none of http://, https://, socks5://");
	if (url && !is_plain(url))
		return entry_fault(cluster, "proxy-url", err, "proxy-url is no URL");
	*proxy = url;
	return 0;
}

int kubeconfig_server(struct http_options *out, bool *secure, const struct kubeconfig_entry *cluster,
		      struct notes *warnings, struct error *err)
{
	bool insecure = tree_true(tree_get(cluster->value, "insecure-skip-tls-verify"));
	struct pem ca;

	if (read_origin(&out->origin, secure, cluster, err) != 0 ||
	    read_proxy(&out->proxy, cluster, err) != 0 ||
	    read_pem(&ca, cluster, "certificate-authority", "-----BEGIN CERTIFICATE", "certificate", err) != 0)
		return -1;
	if (!*secure)
		return 0;
	if (insecure && ca.len)
		return entry_fault(cluster, "insecure-skip-tls-verify", err,
				   "insecure-skip-tls-verify and a certificate authority exclude each other");
	if (insecure)
		note_add(warnings, "certificate: that of '%s' is not checked (insecure-skip-tls-verify)", out->origin);
	out->insecure = insecure;
	out->ca = ca;
	out->server_name = entry_text(cluster, "tls-server-name");
	return 0;
}

int kubeconfig_certificate(struct http_options *out, const struct kubeconfig_entry *user, struct error *err)
{
	struct pem certificate, key;

	if (!entry_text(user, "client-certificate") && !entry_text(user, "client-certificate-data"))
		return 0;
	if (read_pem(&certificate, user, "client-certificate", "-----BEGIN CERTIFICATE", "certificate", err) != 0 ||
	    read_pem(&key, user, "client-key", "-----BEGIN ", "key", err) != 0)
		return -1;
	if (!key.len)
		return entry_fault(user, NULL, err, "user '%s' has a client certificate but no client key", user->name);
	if (is_encrypted(&key))
		return entry_fault(user, entry_text(user, "client-key") ? "client-key" : "client-key-data", err,
				   "the client key is encrypted");
	out->certificate = certificate;
	out->key = key;
	return 0;
}
