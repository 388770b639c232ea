/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "io/api_client.h"
#include "value/json.h"

#define EXCERPT 160

/* The words of a page that a proxy or load balancer sent: markup left out, blanks folded. */
static const char *excerpt(const char *text, size_t len)
{
	struct buffer out = {.max = EXCERPT};
	bool markup = false, blank = false;

	for (size_t i = 0; i < len && !out.full; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '<' || c == '>') {
			markup = c == '<';
			blank = true;
		} else if (c <= 0x20 || c == 0x7f) {
			blank = true;
		} else if (!markup) {
			if (blank && out.len)
				buffer_char(&out, ' ');
			blank = false;
			buffer_char(&out, (char)c);
		}
	}
	return buffer_text(&out);
}

void api_read_status(struct api_call *call)
{
	const struct buffer *answer = &call->http.answer;
	struct error ignored;
	const struct tree *t = json_parse(buffer_text(answer), answer->len, "answer", &ignored);

	if (strcmp(tree_string_or(tree_get(t, "kind"), ""), "Status") == 0) {
		call->status = t;
		call->message = tree_string_or(tree_get(t, "message"), "");
		call->reason = tree_string_or(tree_get(t, "reason"), "");
	} else {
		call->message = excerpt(buffer_text(answer), answer->len);
	}
}

/* What a path names: /apis/GROUP/VERSION/[namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]]. */
struct place {
	const char *group, *namespace, *resource, *name, *subresource;
};

static const char *next_segment(const char **path)
{
	const char *segment;
	size_t len;

	*path += strspn(*path, "/");
	len = strcspn(*path, "/");
	if (len == 0)
		return NULL;
	segment = arena_strndup(*path, len);
	*path += len;
	return segment;
}

static bool find_place(struct place *out, const char *path)
{
	const char *rest = arena_strndup(path, strcspn(path, "?"));
	const char *root = next_segment(&rest);

	*out = (struct place){.group = ""};
	if (!root || (strcmp(root, "api") != 0 && strcmp(root, "apis") != 0))
		return false;
	if (strcmp(root, "apis") == 0)
		out->group = next_segment(&rest);
	if (!out->group || !next_segment(&rest))
		return false;
	out->resource = next_segment(&rest);
	out->name = next_segment(&rest);
	out->subresource = next_segment(&rest);
	if (out->resource && strcmp(out->resource, "namespaces") == 0 && out->subresource) {
		out->namespace = out->name;
		out->resource = out->subresource;
		out->name = next_segment(&rest);
		out->subresource = next_segment(&rest);
	}
	return out->resource;
}

static const char *verb(const struct http_request *r, const struct place *place)
{
	static const struct {
		const char *method, *one, *many;
	} verbs[] = {
		{"GET", "get", "list"},         {"POST", "create", "create"},
		{"PUT", "update", "update"},    {"PATCH", "patch", "patch"},
		{"DELETE", "delete", "deletecollection"},
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(r->method, verbs[i].method) == 0)
			return place->name ? verbs[i].one : verbs[i].many;
	return r->method;
}

/* The text between `before` and the next quote. */
static const char *quoted_after(const char *text, const char *before)
{
	const char *at = strstr(text, before);

	if (!at)
		return NULL;
	at += strlen(before);
	return arena_strndup(at, strcspn(at, "\""));
}

/* Whom one may be is a rule about another resource than the request's. */
static const char *impersonation_rule(const char *message)
{
	const char *resource = quoted_after(message, "cannot impersonate resource \"");
	const char *group = quoted_after(message, "in API group \"");
	const char *namespace = quoted_after(message, "in the namespace \"");
	const char *name = quoted_after(message, "\"");

	if (!resource)
		return NULL;
	return arena_printf("add to its %s: {apiGroups: [%s], resources: [%s], resourceNames: ['%s'], "
			    "verbs: [impersonate]}", namespace ? "Role" : "ClusterRole",
			    group && *group ? group : "\"\"", resource, name ? name : "");
}

const char *api_missing_rule(const struct http_request *r, const char *message)
{
	const char *rule = impersonation_rule(message);
	struct place place;

	if (rule)
		return rule;
	if (!find_place(&place, r->path))
		return arena_printf("add to its ClusterRole: {nonResourceURLs: [%.*s], verbs: [get]}",
				    (int)strcspn(r->path, "?"), r->path);
	return arena_printf("add to its %s: {apiGroups: [%s], resources: [%s%s%s], verbs: [%s]}",
			    place.namespace ? "Role" : "ClusterRole", *place.group ? place.group : "\"\"",
			    place.resource, place.subresource ? "/" : "",
			    place.subresource ? place.subresource : "", verb(r, &place));
}

/* RBAC says who cannot do what; anything else that forbids is admission: a policy, a quota. */
static bool by_admission(const char *message)
{
	const char *why = strstr(message, "is forbidden: ");

	return why && strncmp(why + strlen("is forbidden: "), "User \"", strlen("User \"")) != 0;
}

static int forbidden(const struct api_call *call, struct error *err)
{
	if (by_admission(call->message))
		return error_set(err, ERR_REFUSED, "%.700s", call->message);
	return error_set(err, ERR_FORBIDDEN, "%.500s; %.400s",
			 *call->message ? call->message : "forbidden",
			 api_missing_rule(&call->http, call->message));
}

int api_refusal(const struct api *api, const struct api_call *call, struct error *err)
{
	const struct http_request *r = &call->http;
	const char *server = api_server(api);
	int path = (int)strcspn(r->path, "?");

	if (r->status / 100 == 3)
		return error_set(err, ERR_REFUSED, "'%s' redirects %s '%.*s' to '%.300s', which is not "
				 "followed: is that the API server's address?", server, r->method, path,
				 r->path, r->location ? r->location : "");
	if (r->status == 401)
		return error_set(err, ERR_REFUSED, "'%s' doesn't accept the credentials (401%s%.300s): log in "
				 "again, or see the user of the kubeconfig's context", server,
				 *call->message ? " " : "", call->message);
	if (r->status == 403)
		return forbidden(call, err);
	return error_set(err, r->status >= 500 || r->status == 429 ? ERR_UNREACHABLE : ERR_REFUSED,
			 "'%s' answers %d to %s '%.*s'%s%.500s", server, r->status, r->method, path, r->path,
			 *call->message ? ": " : "", call->message);
}
