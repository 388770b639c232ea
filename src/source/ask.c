/* SPDX-License-Identifier: Apache-2.0 */
#include "source/ask.h"

#include <string.h>

#include "k8s/flux.h"
#include "k8s/object.h"
#include "source/cluster.h"

#define KUBECTL "kubectl" /* its name when it applies server-side */

static const struct tree *as_applied(const struct tree *desired)
{
	static const char *const not_gits[] = {"uid", "resourceVersion", "generation", "managedFields"};
	struct tree *copy = tree_copy(desired), *meta = tree_get_mutable(copy, "metadata");

	tree_remove(copy, "status");
	for (size_t i = 0; i < sizeof(not_gits) / sizeof(*not_gits); i++)
		tree_remove(meta, not_gits[i]);
	return copy;
}

/* The server reads an apply as YAML, to which U+2028 and U+2029 are line breaks: Go's JSON escapes them. */
static void put_escaped(struct buffer *out, const char *json)
{
	for (const char *p; (p = strstr(json, "\xe2\x80")); json = p) {
		bool separator = p[2] == '\xa8' || p[2] == '\xa9';

		buffer_add(out, json, (size_t)(p - json));
		buffer_str(out, !separator ? "\xe2\x80" : p[2] == '\xa8' ? "\\u2028" : "\\u2029");
		p += separator ? 3 : 2;
	}
	buffer_str(out, json);
}

static void set_body(struct api_call *call, const struct tree *object, const char *type)
{
	struct buffer json = {0}, body = {0};

	tree_print(&json, object, 0);
	put_escaped(&body, buffer_text(&json));
	call->http.content_type = type;
	call->http.body = buffer_text(&body);
	call->http.body_len = body.len;
}

static const char *path_of(const struct tree *object)
{
	struct identity id = object_identity(object, "default");

	return api_path(cluster_kind(object_kind(object)), id.namespace, id.name);
}

static bool ask_by_patch(struct api_call *call, const struct tree *desired, const struct tree *live,
			 const struct applier *applier)
{
	const char *manager = applier->manager ? applier->manager : KUBECTL;

	if (flux_applies(manager) && flux_skips(desired, live))
		return false;
	call->http.method = "PATCH";
	call->http.path = api_query(path_of(live), "dryRun", "All", "fieldManager", manager, "force", "true", NULL);
	set_body(call, as_applied(desired), "application/apply-patch+yaml");
	return true;
}

static bool ask_by_put(struct api_call *call, const struct tree *desired, const struct tree *live,
		       const struct applier *applier, int server_minor)
{
	struct notes said_later = {0};
	struct error ignored;
	const struct tree *made = apply(desired, live, applier, server_minor, &said_later, &ignored);

	if (!made)
		return false;
	call->http.method = "PUT";
	call->http.path = api_query(path_of(live), "dryRun", "All", "fieldManager", "perch", NULL);
	set_body(call, made, "application/json");
	return true;
}

static void refused(struct asking *d, const struct api_call *call, struct notes *warnings)
{
	if (call->http.status == 403 && call->refusal.kind == ERR_FORBIDDEN) {
		d->forbidden = true;
		if (!d->unsaid)
			note_add(warnings, "dry-run: the server can't be asked what it would make of the manifests, so "
					   "perch computes it: %s", call->refusal.text);
	} else if (call->http.status != 404 && call->http.status != 409) { /* those have gone on since */
		note_add(warnings, "refused: the server would not take it: %s",
			 *call->message ? call->message : call->refusal.text);
	}
}

int ask_for_applied(const struct tree **out, struct asking *d, const struct tree *desired, const struct tree *live,
		const struct applier *applier, struct notes *warnings, struct error *err)
{
	struct api_call call = {.repeatable = true, .optional = true};
	bool asked;

	*out = NULL;
	if (d->forbidden || !live)
		return 0;
	asked = applier->kind == APPLIER_SERVER_SIDE ? ask_by_patch(&call, desired, live, applier)
						     : ask_by_put(&call, desired, live, applier, d->server_minor);
	if (!asked)
		return 0; /* nothing would be sent, and apply() says why */
	if (api_call(d->api, &call, err) != 0)
		return -1;
	if (call.http.status == 200)
		*out = call.object;
	else
		refused(d, &call, warnings);
	return 0;
}
