/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `access`: how a cluster would be reached, and as whom; of secrets only what they hash to. Operands
 * ask for credentials as a run does: `ask`, `refuse` (after a 401); `!COMMAND` happens in between.
 * `whoami`: what the server says to that, once for each `ask`; `wait` lets a second pass.
 */
#include <openssl/evp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/options.h"
#include "io/clock.h"
#include "perch-test/command.h"
#include "source/kubeconfig.h"

static const struct option options[] = {
	{"kubeconfig", 0, OPTION_TEXT, "FILE", "", offsetof(struct kubeconfig_options, kubeconfig)},
	{"context", 0, OPTION_TEXT, "NAME", "", offsetof(struct kubeconfig_options, context)},
	{"as", 0, OPTION_TEXT, "USER", "", offsetof(struct kubeconfig_options, as)},
	{"as-group", 0, OPTION_LIST, "GROUP", "", offsetof(struct kubeconfig_options, as_groups)},
	{"pod", 0, OPTION_TEXT, "FOLDER", "", offsetof(struct kubeconfig_options, pod_folder)},
	{NULL, 0, OPTION_SWITCH, NULL, NULL, 0},
};

static void print_text(const char *what, const char *text)
{
	if (text)
		printf("%s: %s\n", what, text);
}

static void print_secret(const char *what, const char *data, size_t len)
{
	unsigned char hash[EVP_MAX_MD_SIZE];

	if (!data || !len)
		return;
	EVP_Digest(data, len, hash, NULL, EVP_sha256(), NULL);
	printf("%s: sha256:", what);
	for (int i = 0; i < 6; i++)
		printf("%02x", hash[i]);
	printf("\n");
}

static void print_credentials(const struct credentials *c)
{
	print_secret("token", c->token, c->token ? strlen(c->token) : 0);
	print_text("basic", c->user);
	print_secret("password", c->password, c->password ? strlen(c->password) : 0);
	print_secret("certificate", c->certificate.data, c->certificate.len);
	print_secret("key", c->key.data, c->key.len);
	print_text("expires", c->expires == 0 ? NULL : c->expires > clock_now() ? "yes" : "already");
}

static void print_access(const struct access *a)
{
	const struct http_options *http = &a->api.http;

	printf("cluster: %s%s\n", a->cluster, a->in_cluster ? " (a Pod's)" : "");
	printf("server: %s\n", http->origin);
	printf("namespace: %s\n", a->namespace);
	print_text("server name", http->server_name);
	print_text("proxy", http->proxy);
	print_text("insecure", http->insecure ? "yes" : NULL);
	print_secret("authority", http->ca.data, http->ca.len);
	print_secret("client certificate", http->certificate.data, http->certificate.len);
	print_secret("client key", http->key.data, http->key.len);
	print_text("as", a->api.as);
	print_text("as uid", a->api.as_uid);
	for (const char *const *g = a->api.as_groups; g && *g; g++)
		print_text("as group", *g);
	for (size_t i = 0; i < a->api.as_extra_count; i++)
		printf("as extra: %s=%s\n", a->api.as_extra[i].name, a->api.as_extra[i].value);
}

static int ask(const struct access *a, const char *how, struct error *err)
{
	struct credentials c = {0};

	if (*how == '!')
		return system(how + 1) == 0 ? 0 : error_set(err, ERR_USAGE, "'%s' failed", how + 1);
	if (!a->api.credentials) {
		puts("nobody is asked");
		return 0;
	}
	if (a->api.credentials(a->api.arg, &c, strcmp(how, "refuse") == 0, err) != 0)
		return -1;
	print_credentials(&c);
	return 0;
}

/* Reads the command line and what it names; 0, or the exit code. */
static int open_access(struct access *out, struct strings *operands, int argc, char **argv)
{
	struct kubeconfig_options o = {0};
	struct notes warnings = {0};
	struct error err = {0};
	int failed;

	if (options_parse(&o, operands, options, argc, argv, &err) != 0)
		return test_fail(&err);
	failed = kubeconfig_access(out, &o, &warnings, &err);
	note_each(n, &warnings)
		fprintf(stderr, "⚠ %s\n", n->text);
	return failed ? test_fail(&err) : 0;
}

int test_access(int argc, char **argv)
{
	struct strings operands = {0};
	struct error err = {0};
	struct access a;
	int code = open_access(&a, &operands, argc, argv);

	if (code)
		return code;
	print_access(&a);
	for (size_t i = 0; i < operands.count; i++) {
		fflush(stdout);
		if (ask(&a, operands.items[i], &err) != 0)
			return test_fail(&err);
	}
	return 0;
}

static int print_self(struct api *api, struct error *err)
{
	static const char body[] = "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";
	struct api_call call = {.http = {.method = "POST",
					 .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
					 .content_type = "application/json",
					 .body = body,
					 .body_len = sizeof(body) - 1}};
	struct buffer b = {0};

	if (api_call(api, &call, err) != 0)
		return -1;
	if (call.http.status / 100 != 2)
		return error_set(err, ERR_PARTIAL, "%d %s", call.http.status, call.message);
	tree_print_canonical(&b, tree_path(call.object, "status", "userInfo", NULL));
	puts(buffer_text(&b));
	fflush(stdout);
	return 0;
}

int test_whoami(int argc, char **argv)
{
	struct strings operands = {0};
	struct error err = {0};
	struct api *api = NULL;
	struct access a;
	int code = open_access(&a, &operands, argc, argv), failed;

	if (code)
		return code;
	kubeconfig_deadline(&a, clock_deadline(20000));
	failed = api_open(&api, &a.api, &err) != 0;
	for (size_t i = 0; !failed && i < operands.count; i++) {
		if (strcmp(operands.items[i], "wait") == 0)
			clock_sleep(1100);
		else
			failed = print_self(api, &err) != 0;
	}
	api_close(api);
	return failed ? test_fail(&err) : 0;
}
