/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/api_client.h"

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

#define SERVICE_ACCOUNT "system:serviceaccount:"

/* Whom one may be: users, groups and uids anywhere, a service account where it lives. */
static const char *impersonation(const char *group, const char *resource, const char *name, bool namespaced)
{
	return arena_printf("add to its %s: {apiGroups: [%s], resources: [%s], resourceNames: ['%s'], "
			    "verbs: [impersonate]}", namespaced ? "Role" : "ClusterRole",
			    *group ? group : "\"\"", resource, name);
}

/*
 * A 403 to an impersonated request may be about the impersonation. Which resource lacks the verb is
 * said only by servers before constrained impersonation, whose words are "impersonate-on:…".
 */
static const char *impersonation_rule(const char *as, const char *message)
{
	const char *account = strncmp(as, SERVICE_ACCOUNT, strlen(SERVICE_ACCOUNT)) == 0 ? strrchr(as, ':') : NULL;
	const char *subject = strchr(message, '"'), *name;

	if (!strstr(message, " cannot impersonate"))
		return NULL;
	name = subject ? arena_strndup(subject + 1, strcspn(subject + 1, "\"")) : "";
	if (strstr(message, "resource \"groups\""))
		return impersonation("", "groups", name, false);
	if (strstr(message, "resource \"uids\""))
		return impersonation("authentication.k8s.io", "uids", name, false);
	return account ? impersonation("", "serviceaccounts", account + 1, true) :
			 impersonation("", "users", as, false);
}

const char *api_missing_rule(const struct api *api, const struct api_call *call)
{
	const struct http_request *r = &call->http;
	const char *rule = api->o.as ? impersonation_rule(api->o.as, call->message) : NULL;
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
