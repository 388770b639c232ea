/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/guard_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "report/talk.h"

static const struct api_kind configmaps = {"", "v1", "configmaps"};

int guard_record_read(struct guarded *out, bool *found, const struct live *l, const char *namespace,
		      struct error *err)
{
	struct api_call call = {.http = {.method = "GET"}};

	call.http.path = api_path(&configmaps, namespace, GUARDED_NAME);
	if (api_call(l->api, &call, err) != 0)
		return error_wrap(err, "ConfigMap %s/%s", namespace, GUARDED_NAME);
	*found = call.object && guarded_read(out, call.object);
	return 0;
}

static void forget_deployments(struct notes *warnings)
{
	static const char prefix[] = "flagger: ";
	struct notes kept = {0};

	note_each(n, warnings)
		if (strncmp(n->text, prefix, strlen(prefix)) != 0)
			note_add(&kept, "%s", n->text);
	*warnings = kept;
}

const char *guard_record_namespace(const char *given)
{
	const char *env = getenv("PERCH_FLAGGER_NAMESPACE");

	return given ? given : env && *env ? env : "flagger-system";
}

static const char *why_unread(const struct api_call *call)
{
	if (call->object)
		return "isn't guard's";
	return call->http.status == 404 ? "isn't there" : "may not be read";
}

int guard_record_running(struct runnings *all, const struct live *l, const char *namespace,
			 struct notes *warnings, struct error *err)
{
	const char *where = arena_printf("ConfigMap %s/%s", namespace, GUARDED_NAME);
	struct api_call call = {.http = {.method = "GET"}, .optional = true};
	struct guarded g;

	call.http.path = api_path(&configmaps, namespace, GUARDED_NAME);
	if (api_call(l->api, &call, err) != 0)
		return error_wrap(err, "%s", where);
	if (call.object && guarded_read(&g, call.object)) {
		forget_deployments(warnings);
		all->items = NEW(struct running);
		all->items[0] = all->none;
		all->count = 1;
		guarded_running(&all->items[0], &g, clock_now(), where);
	} else if (all->none.flagger.evidence == EVIDENCE_NONE) {
		all->none.flagger.problem = arena_printf("no Deployment of Flagger's is seen, and %s %s: pass --flagger",
							 where, why_unread(&call));
	} else {
		forget_deployments(warnings); /* --flagger has said it */
	}
	return 0;
}

int guard_record_overtook(bool *overtook, const struct flagger *f, const struct live *l, const char *namespace,
			  struct error *err)
{
	const struct guarded *next;
	struct guarded g;
	bool found;

	if (guard_record_read(&g, &found, l, namespace, err) != 0)
		return -1;
	next = guarded_next(&g, clock_now());
	*overtook = found && (next->k8s != f->k8s || next->config_tracking != f->config_tracking);
	return 0;
}

/* call->object is NULL where others own it. */
static int write_record(struct api_call *call, const struct guarded *g, const struct live *l, const char *namespace,
			enum dry_run dry, struct error *err)
{
	struct buffer body = {0};

	*call = (struct api_call){
		.http = {.method = "PATCH", .content_type = "application/apply-patch+yaml"},
		.repeatable = true,
	};
	tree_print(&body, guarded_object(g, namespace), 0);
	call->http.path = api_query(api_path(&configmaps, namespace, GUARDED_NAME), "fieldManager", FIELD_MANAGER,
				    dry == DRY_SERVER ? "dryRun" : NULL, "All", NULL);
	call->http.body = buffer_text(&body);
	call->http.body_len = body.len;
	return api_call(l->api, call, err) == 0 ? 0 : error_wrap(err, "ConfigMap %s/%s", namespace, GUARDED_NAME);
}

int guard_record_begin(const struct guarded *last, const struct guarded *now, const struct live *l,
		       const char *namespace, enum dry_run dry, struct error *err)
{
	struct guarded both = *last;
	struct api_call call;

	both.begun = now;
	return dry == DRY_CLIENT ? 0 : write_record(&call, &both, l, namespace, dry, err);
}

int guard_record_publish(const struct guarded *g, const struct live *l, const char *namespace,
			 enum dry_run dry, struct error *err)
{
	struct guarded read;
	struct api_call call;

	if (dry == DRY_CLIENT)
		return 0;
	if (write_record(&call, g, l, namespace, dry, err) != 0)
		return -1;
	if (!call.object)
		talk_warning("ConfigMap %s/%s isn't written, the next guard looks at the whole fleet again: %s",
			     namespace, GUARDED_NAME, call.message);
	else if (dry == DRY_NONE && !(guarded_read(&read, call.object) && guarded_same(&read, g)))
		talk_warning("ConfigMap %s/%s isn't as it was written, something changes it", namespace, GUARDED_NAME);
	return 0;
}
