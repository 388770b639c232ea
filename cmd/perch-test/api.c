/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls to an API server, one after another or --together. A CALL is one word of the command line:
 * "GET /path", "LIST /path", "PATCH /path TYPE BODY" (any method) or, which asks nobody, "PATH
 * GROUP/VERSION/PLURAL [NAMESPACE [NAME]]". The server is the recorded one
 * of `perch-test serve`, by its stable name, unless --server names another. --token may be given
 * several times: each time the credentials are asked for, the next one is handed out.
 */
#include "io/api.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/options.h"
#include "io/clock.h"
#include "perch-test/command.h"
#include "value/json.h"

struct settings {
	const char *server, *proxy, *ca, *cert, *key, *server_name, *as, *as_uid, *user, *password;
	const char *retries, *timeout, *request_timeout;
	struct strings tokens, as_groups;
	bool data, direct, insecure, expire, trace, together, repeatable, restart, secret;
};

#define AT(field) offsetof(struct settings, field)
static const struct option options[] = {
	{"server", 0, OPTION_TEXT, "URL", "", AT(server)},
	{"direct", 0, OPTION_SWITCH, NULL, "the recorded server without its name", AT(direct)},
	{"proxy", 0, OPTION_TEXT, "URL", "", AT(proxy)},
	{"ca", 0, OPTION_TEXT, "FILE", "", AT(ca)},
	{"cert", 0, OPTION_TEXT, "FILE", "", AT(cert)},
	{"key", 0, OPTION_TEXT, "FILE", "", AT(key)},
	{"data", 0, OPTION_SWITCH, NULL, "PEM files are read here and handed on as bytes", AT(data)},
	{"server-name", 0, OPTION_TEXT, "NAME", "", AT(server_name)},
	{"insecure", 0, OPTION_SWITCH, NULL, "", AT(insecure)},
	{"token", 0, OPTION_LIST, "TOKEN", "", AT(tokens)},
	{"user", 0, OPTION_TEXT, "NAME", "", AT(user)},
	{"password", 0, OPTION_TEXT, "TEXT", "", AT(password)},
	{"expire", 0, OPTION_SWITCH, NULL, "credentials have expired when they are given", AT(expire)},
	{"as", 0, OPTION_TEXT, "USER", "", AT(as)},
	{"as-group", 0, OPTION_LIST, "GROUP", "", AT(as_groups)},
	{"as-uid", 0, OPTION_TEXT, "UID", "", AT(as_uid)},
	{"retries", 0, OPTION_TEXT, "N", "", AT(retries)},
	{"timeout", 0, OPTION_TEXT, "DURATION", "", AT(timeout)},
	{"request-timeout", 0, OPTION_TEXT, "DURATION", "", AT(request_timeout)},
	{"trace", 0, OPTION_SWITCH, NULL, "to stderr", AT(trace)},
	{"together", 0, OPTION_SWITCH, NULL, "side by side", AT(together)},
	{"repeatable", 0, OPTION_SWITCH, NULL, "writes may be done twice", AT(repeatable)},
	{"restart", 0, OPTION_SWITCH, NULL, "a list that expired may begin anew", AT(restart)},
	{"secret", 0, OPTION_SWITCH, NULL, "lists stay in memory", AT(secret)},
	{0},
};

struct giver {
	const struct settings *o;
	size_t given;
};

static int give_credentials(void *arg, struct credentials *out, bool refused, struct error *err)
{
	struct giver *g = arg;
	const struct strings *tokens = &g->o->tokens;

	printf("credentials%s\n", refused ? ", the last were refused" : "");
	if (tokens->count && g->given == tokens->count)
		return error_set(err, ERR_REFUSED, "there are no more tokens");
	out->token = tokens->count ? tokens->items[g->given++] : NULL;
	out->user = g->o->user;
	out->password = g->o->password;
	out->expires = g->o->expire ? clock_now() : 0;
	return 0;
}

static void trace(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "%s\n", line);
}

static struct pem pem(const struct settings *o, const char *path)
{
	struct pem pem = {.file = path};

	if (path && o->data)
		pem.data = test_read(path, &pem.len);
	return pem;
}

static int fill_in(struct api_options *out, struct giver *giver, const struct settings *o, struct error *err)
{
	const char *recorded = getenv("PERCH_TEST_SERVER");
	struct strings groups = o->as_groups;
	struct http_options *http = &out->http;
	int64_t ms = 0;

	*out = (struct api_options){.credentials = give_credentials, .arg = giver, .as = o->as, .as_uid = o->as_uid};
	out->retries = o->retries ? (int)strtol(o->retries, NULL, 10) : 3;
	if (groups.count) {
		strings_add(&groups, NULL);
		out->as_groups = groups.items;
	}
	http->origin = o->server ? o->server : o->direct ? recorded : "http://cluster.example";
	http->proxy = o->proxy || o->server || o->direct ? o->proxy : recorded;
	http->ca = pem(o, o->ca);
	http->certificate = pem(o, o->cert);
	http->key = pem(o, o->key);
	http->server_name = o->server_name;
	http->insecure = o->insecure;
	http->trace = o->trace ? trace : NULL;
	if (o->timeout && clock_duration(&ms, o->timeout, err))
		return -1;
	http->deadline = clock_deadline(ms);
	return o->request_timeout ? clock_duration(&http->request_ms, o->request_timeout, err) : 0;
}

/* "METHOD /path [TYPE BODY]" */
static const char *word(const char **p)
{
	size_t len = strcspn(*p, " ");
	const char *word = len ? arena_strndup(*p, len) : NULL;

	*p += len;
	*p += strspn(*p, " ");
	return word;
}

static struct api_call *make_call(const struct settings *o, const char *text)
{
	struct api_call *call = NEW(struct api_call);

	call->http.method = word(&text);
	call->http.path = word(&text);
	call->http.content_type = word(&text);
	call->http.body = text;
	call->http.body_len = strlen(text);
	call->repeatable = o->repeatable;
	return call;
}

static void show_call(const struct api_call *call)
{
	struct buffer out = {0};

	printf("%s %s: %d", call->http.method, call->http.path, call->http.status);
	if (call->object)
		tree_print(&out, call->object, 0);
	if (call->object)
		printf(" %s\n", buffer_text(&out));
	else
		printf(" %s: %s\n", call->reason, call->message);
}

static int show_item(void *arg, const char *text, size_t len, struct error *err)
{
	const struct tree *t = json_parse(text, len, "item", err);

	(void)arg;
	if (!t)
		return -1;
	printf("  %s\n", tree_string_or(tree_path(t, "metadata", "name", NULL), "?"));
	return 0;
}

static int show_restart(void *arg, struct error *err)
{
	(void)arg, (void)err;
	puts("  (from the start)");
	return 0;
}

static void show_list(const struct api_list *list)
{
	if (list->status == 200)
		printf("LIST %s: %zu items at %s\n", list->path, list->items, list->resource_version);
	else
		printf("LIST %s: %d %s\n", list->path, list->status, list->refusal.text);
}

static struct api_list *make_list(const struct settings *o, const char *text)
{
	struct api_list *list = NEW(struct api_list);

	word(&text);
	list->path = text;
	list->item = show_item;
	list->restart = o->restart ? show_restart : NULL;
	list->secret = o->secret;
	return list;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* What a path is made of; "-" is an absent namespace. */
static void show_path(const char *text)
{
	const char *all = arena_strdup(text), *group, *version, *namespace, *name;
	char *kind;

	word(&text);
	kind = arena_strdup(word(&text));
	group = strsep(&kind, "/");
	version = strsep(&kind, "/");
	namespace = word(&text);
	name = word(&text);
	if (namespace && strcmp(namespace, "-") == 0)
		namespace = NULL;
	printf("%s: %s\n", all, api_path(&(struct api_kind){group, version, kind}, namespace, name));
}

/* The lists among these side by side, then the other calls. */
static int carry_out(struct api *api, const struct settings *o, const char **texts, size_t n, struct error *err)
{
	struct api_list **lists = NEW_ARRAY(struct api_list *, n);
	struct api_call **calls = NEW_ARRAY(struct api_call *, n);
	size_t n_lists = 0, n_calls = 0;

	for (size_t i = 0; i < n; i++) {
		if (begins(texts[i], "PATH "))
			show_path(texts[i]);
		else if (begins(texts[i], "LIST "))
			lists[n_lists++] = make_list(o, texts[i]);
		else
			calls[n_calls++] = make_call(o, texts[i]);
	}
	if (n_lists && api_lists(api, lists, n_lists, err))
		return -1;
	for (size_t i = 0; i < n_lists; i++)
		show_list(lists[i]);
	if (n_calls && api_perform(api, calls, n_calls, err))
		return -1;
	for (size_t i = 0; i < n_calls; i++)
		show_call(calls[i]);
	return 0;
}

static int run(struct api *api, const struct settings *o, struct strings calls, struct error *err)
{
	if (o->together)
		return carry_out(api, o, calls.items, calls.count, err);
	for (size_t i = 0; i < calls.count; i++)
		if (carry_out(api, o, &calls.items[i], 1, err))
			return -1;
	return 0;
}

int test_api(int argc, char **argv)
{
	struct settings o = {0};
	struct giver giver = {.o = &o};
	struct strings calls = {0};
	struct error err = {0};
	struct api_options how;
	struct api *api = NULL;
	int failed;

	failed = options_parse(&o, &calls, options, argc, argv, &err) || fill_in(&how, &giver, &o, &err) ||
		 api_open(&api, &how, &err) || run(api, &o, calls, &err);
	if (api)
		printf("%zu requests\n", api_requests(api));
	fflush(stdout);
	api_close(api);
	return failed ? test_fail(&err) : 0;
}
