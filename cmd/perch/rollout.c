/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/rollout.h"

#include <string.h>

#include "base/arena.h"
#include "report/talk.h"
#include "value/json.h"

#define POLL_MS 2000

static const struct api_kind pods_kind = {"", "v1", "pods"};

/* One Flagger, and what of it isn't as its Deployment wants it: one line, or "". */
struct rollout {
	const struct tree *deployment;
	struct buffer behind;
};

static const char *join_values(const struct tree *values)
{
	struct buffer b = {0};

	tree_each(v, values)
		buffer_printf(&b, "%s%s", b.len ? "," : "", tree_string_or(v, ""));
	return buffer_text(&b);
}

/* A LabelSelector, as a query spells it. */
static const char *selector_query(const struct tree *selector)
{
	struct buffer b = {0};

	tree_each(l, tree_get(selector, "matchLabels"))
		buffer_printf(&b, "%s%s=%s", b.len ? "," : "", tree_key(l), tree_string_or(l, ""));
	tree_each(e, tree_get(selector, "matchExpressions")) {
		const char *key = tree_string_or(tree_get(e, "key"), "");
		const char *operator = tree_string_or(tree_get(e, "operator"), "");
		const char *values = join_values(tree_get(e, "values"));

		buffer_str(&b, b.len ? "," : "");
		if (strcmp(operator, "In") == 0 || strcmp(operator, "NotIn") == 0)
			buffer_printf(&b, "%s %s (%s)", key, *operator == 'I' ? "in" : "notin", values);
		else
			buffer_printf(&b, "%s%s", strcmp(operator, "Exists") == 0 ? "" : "!", key);
	}
	return buffer_text(&b);
}

static const char *flagger_image(const struct tree *pod_spec)
{
	return tree_string_or(tree_get(running_container(pod_spec), "image"), "");
}

/* Admission may have rewritten a Pod's registry: of two releases the release counts. */
static bool same_image(const char *a, const char *b)
{
	struct release ra, rb;

	if (release_read(&ra, a) == RELEASE_KNOWN && release_read(&rb, b) == RELEASE_KNOWN)
		return release_compare(&ra, &rb) == 0;
	return strcmp(a, b) == 0;
}

static bool runs(const struct tree *pod)
{
	const char *phase = tree_string_or(tree_path(pod, "status", "phase", NULL), "");

	return strcmp(phase, "Succeeded") != 0 && strcmp(phase, "Failed") != 0;
}

static int take_pod(void *arg, const char *text, size_t len, struct error *err)
{
	struct rollout *r = arg;
	const struct tree *pod = json_parse(text, len, "a Pod", err);
	const char *wanted = flagger_image(tree_path(r->deployment, "spec", "template", "spec", NULL));
	struct identity id;

	if (!pod)
		return -1;
	id = object_identity(pod, "default");
	/* An overlay's labels may make the selector fit Pods of others, perch's own among them. */
	if (r->behind.len || !runs(pod) || !running_container(tree_get(pod, "spec")))
		return 0;
	if (tree_get(tree_get(pod, "metadata"), "deletionTimestamp"))
		buffer_printf(&r->behind, "Pod '%s/%s' is being deleted", id.namespace, id.name);
	else if (!same_image(flagger_image(tree_get(pod, "spec")), wanted))
		buffer_printf(&r->behind, "Pod '%s/%s' still runs '%s'", id.namespace, id.name,
			      flagger_image(tree_get(pod, "spec")));
	return 0;
}

static int forget_pods(void *arg, struct error *err)
{
	struct rollout *r = arg;

	(void)err;
	r->behind.len = 0;
	return 0;
}

static int read_pods(struct rollout *r, struct api *api, const char *namespace, struct error *err)
{
	const char *query = selector_query(tree_path(r->deployment, "spec", "selector", NULL));
	struct api_list list = {
		.path = api_query(api_path(&pods_kind, namespace, NULL), "labelSelector", query, NULL),
		.item = take_pod, .restart = forget_pods, .arg = r,
	};

	if (api_lists(api, &(struct api_list *){&list}, 1, err) != 0)
		return -1;
	if (list.status == 403) {
		*err = list.refusal;
		return error_wrap(err, "whether the old Flagger is gone can't be seen");
	}
	return 0;
}

static bool observed(const struct tree *deployment)
{
	int64_t generation = 0, seen = 0;

	tree_int64(tree_path(deployment, "metadata", "generation", NULL), &generation);
	tree_int64(tree_path(deployment, "status", "observedGeneration", NULL), &seen);
	return seen >= generation;
}

/* 1: it isn't over, see behind; 0: it is. */
static int look(struct rollout *r, struct api *api, const char *namespace, const char *name, struct error *err)
{
	struct api_call call = {.http = {
		.method = "GET", .path = api_path(cluster_kind(KIND_DEPLOYMENT), namespace, name),
	}};

	*r = (struct rollout){0};
	if (api_call(api, &call, err) != 0)
		return -1;
	if (call.http.status == 404)
		return 0;
	r->deployment = call.object;
	if (!observed(r->deployment))
		buffer_printf(&r->behind, "Deployment '%s/%s' isn't observed yet", namespace, name);
	else if (read_pods(r, api, namespace, err) != 0)
		return -1;
	return r->behind.len > 0;
}

static int wait_for(const struct live_run *r, const char *where, struct error *err)
{
	const char *slash = strchr(where, '/');
	const char *namespace = arena_strndup(where, (size_t)(slash - where));
	struct rollout now;
	bool said = false;
	int result;

	for (;;) {
		struct arena_mark mark = arena_mark();

		result = look(&now, r->live->api, namespace, slash + 1, err);
		if (result != 1)
			return result;
		if (r->actor.dry != DRY_NONE) {
			talk_warning("Flagger's upgrade is under way: %s", buffer_text(&now.behind));
			return 0;
		}
		if (!said)
			talk_waiting("Flagger's upgrade is under way: %s", buffer_text(&now.behind));
		said = true;
		if (!live_pause(r->live, POLL_MS))
			return error_set(err, ERR_TIMEOUT, "timeout: %s", buffer_text(&now.behind));
		arena_rewind(mark);
	}
}

int rollout_wait(const struct live_run *r, struct error *err)
{
	struct cluster_scope scope = live_scope(r->live, r->s);
	struct inputs in;
	int result = 0;

	scope.canaries_only = true;
	if (live_read(&in, r, &scope, err) != 0)
		return -1;
	for (size_t i = 0; result == 0 && i < in.runnings.count; i++) {
		const struct running *f = &in.runnings.items[i];
		bool acts = !scope.namespace || !*f->watches || strcmp(f->watches, scope.namespace) == 0;

		if (acts)
			result = wait_for(r, f->where, err);
	}
	dump_close(&in.dump);
	return result;
}
