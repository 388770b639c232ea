/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "source/cluster_reader.h"
#include "source/cluster_use.h"

#define AT_ONCE 64

/* What the first round asks besides: the server's version, and Flagger by the labels it ships with. */
enum { VERSION, BY_CHART, BY_KUSTOMIZE, BESIDES };

struct get *gets_add(struct gets *gets, enum object_kind kind, const char *namespace, const char *name)
{
	struct get *g;

	if (!gets->end)
		gets->end = &gets->first;
	for (g = gets->first; g; g = g->next)
		if (g->kind == kind && strcmp(g->name, name) == 0 && strcmp(g->namespace, namespace) == 0)
			return g;
	g = NEW(struct get);
	g->kind = kind;
	g->namespace = arena_strdup(namespace);
	g->name = arena_strdup(name);
	g->call.http.method = "GET";
	g->call.http.path = *namespace ? api_path(cluster_kind(kind), namespace, name)
				       : api_query(api_path(cluster_kind(kind), NULL, NULL), "fieldSelector",
						   arena_printf("metadata.name=%s", name), NULL);
	g->call.optional = kind != KIND_CANARY;
	*gets->end = g;
	gets->end = &g->next;
	gets->count++;
	return g;
}

/* All Deployments are listed where no namespace is named, and those of the namespace where one is. */
static bool flaggers_are_at_hand(const struct cluster_reader *r)
{
	const struct cluster_scope *s = r->scope;

	return s->release_known || (!s->namespace && !s->names->count && !s->canaries_only && !s->desired_only);
}

static const char *flagger_path(const struct cluster_reader *r, const char *labels)
{
	const struct cluster_scope *s = r->scope;
	bool listed = !s->names->count && !s->canaries_only && !s->desired_only;
	const char *path = api_path(cluster_kind(KIND_DEPLOYMENT), NULL, NULL);

	if (!listed)
		return api_query(path, "labelSelector", labels, NULL);
	return api_query(path, "labelSelector", labels, "fieldSelector",
			 arena_printf("metadata.namespace!=%s", s->namespace), NULL);
}

static void ask_besides(struct api_call besides[BESIDES], const struct cluster_reader *r)
{
	besides[VERSION].http.path = "/version";
	besides[BY_CHART].http.path = flagger_path(r, "app.kubernetes.io/name=flagger");
	besides[BY_KUSTOMIZE].http.path = flagger_path(r, "app=flagger,app.kubernetes.io/name!=flagger");
	for (size_t i = 0; i < BESIDES; i++) {
		besides[i].http.method = "GET";
		besides[i].optional = true;
	}
}

/* What answers 404 to everything would read as a cluster without canaries, or without Flagger. */
static int no_api_server(const struct api_call *call, struct error *err)
{
	if (call->http.status == 200 || call->http.status == 403)
		return 0;
	return error_set(err, ERR_UNREACHABLE, "no API server: %s", call->refusal.text);
}

static int take_version(struct cluster_reader *r, const struct api_call *call, struct error *err)
{
	const char *version = tree_string_or(tree_get(call->object, "gitVersion"), "");

	if (no_api_server(call, err))
		return -1;
	r->dump->server_minor = dump_minor(version);
	if (!r->dump->server_minor)
		note_add(r->warnings, "server: its version isn't known%s%s", *version ? ": " : "", version);
	return 0;
}

/* A small list, as a call has it. */
static int take_items(struct cluster_reader *r, enum object_kind kind, const struct tree *list, struct error *err)
{
	tree_each(item, tree_get(list, "items")) {
		struct buffer text = {0};
		bool taken;

		tree_print(&text, item, 0);
		if (cluster_take(&taken, r, kind, buffer_text(&text), text.len, NULL, err) != 0)
			return -1;
	}
	return 0;
}

static int take_flaggers(struct cluster_reader *r, const struct api_call *call, struct error *err)
{
	bool asked = call->http.status != 0;

	if (asked && no_api_server(call, err))
		return -1;
	if (call->http.status == 403)
		note_add(r->warnings, "flagger: which release runs can't be looked up: %s", call->refusal.text);
	return take_items(r, KIND_DEPLOYMENT, call->object, err);
}

static int take_besides(struct cluster_reader *r, const struct api_call besides[BESIDES], struct error *err)
{
	if (take_version(r, &besides[VERSION], err) != 0)
		return -1;
	return take_flaggers(r, &besides[BY_CHART], err) || take_flaggers(r, &besides[BY_KUSTOMIZE], err) ? -1
													  : 0;
}

/* A server without the kind doesn't even name what was asked for. */
static bool kind_is_missing(const struct api_call *call)
{
	return !tree_path(call->status, "details", "name", NULL);
}

static int take_get(struct cluster_reader *r, const struct get *g, struct error *err)
{
	const struct buffer *text = &g->call.http.answer;
	bool taken;

	if (g->call.http.status == 200 && !*g->namespace)
		return take_items(r, g->kind, g->call.object, err);
	if (g->call.http.status == 200)
		return cluster_take(&taken, r, g->kind, buffer_text(text), text->len, NULL, err);
	if (g->call.http.status == 404)
		r->no_canaries |= g->kind == KIND_CANARY && kind_is_missing(&g->call);
	else
		return cluster_refused(r, g->kind, &g->call.refusal, err);
	return 0;
}

static int take_gets(struct cluster_reader *r, const struct gets *gets, struct error *err)
{
	for (struct get *g = gets->first; g; g = g->next) {
		if (!g->used || g->taken)
			continue;
		if (take_get(r, g, err) != 0)
			return -1;
		g->taken = true;
	}
	/* Of what was asked for, the rest is known to be absent. */
	for (const struct get *g = gets->first; g; g = g->next)
		if (*g->namespace && g->used && !(r->unread & 1u << g->kind))
			dump_tell_listed(r->dump, g->kind, g->namespace);
	return 0;
}

int gets_perform(struct gets *gets, struct cluster_reader *r, bool first, struct error *err)
{
	struct api_call **calls = NEW_ARRAY(struct api_call *, gets->count + BESIDES);
	struct api_call *besides = NEW_ARRAY(struct api_call, BESIDES);
	size_t n = 0;

	ask_besides(besides, r);
	if (first)
		while (n < (flaggers_are_at_hand(r) ? VERSION + 1 : BESIDES)) {
			calls[n] = &besides[n];
			n++;
		}
	for (struct get *g = gets->first; g; g = g->next)
		if (g->call.http.status == 0)
			calls[n++] = &g->call;
	for (size_t i = 0; i < n; i += AT_ONCE)
		if (api_perform(r->api, calls + i, n - i < AT_ONCE ? n - i : AT_ONCE, err) != 0)
			return -1;
	if (first && take_besides(r, besides, err) != 0)
		return -1;
	return take_gets(r, gets, err);
}

/* What the objects of one round use is got in the next. */
struct following {
	struct cluster_reader *r;
	struct gets *gets;
	bool guess; /* before it is known */
};

static void get_used(void *arg, enum use use, enum object_kind kind, const char *namespace, const char *name)
{
	struct following *f = arg;
	struct get *g;

	if (use == USE_HISTORY || (kind == KIND_SECRET && !f->r->scope->secrets))
		return;
	g = gets_add(f->gets, kind, namespace, name);
	g->used |= !f->guess;
	g->target |= use == USE_TARGET && !f->guess;
}

static bool named(const struct cluster_scope *s, const struct identity *id)
{
	for (size_t i = 0; i < s->names->count; i++) {
		const char *operand = s->names->items[i], *slash = strchr(operand, '/');
		const char *namespace = slash ? arena_strndup(operand, (size_t)(slash - operand)) : s->namespace;

		if (strcmp(slash ? slash + 1 : operand, id->name) == 0 &&
		    (!namespace || strcmp(namespace, id->namespace) == 0))
			return true;
	}
	return s->names->count == 0 && (!s->namespace || strcmp(s->namespace, id->namespace) == 0);
}

static void add_named(struct gets *gets, const struct cluster_scope *s)
{
	for (size_t i = 0; i < s->names->count; i++) {
		const char *operand = s->names->items[i], *slash = strchr(operand, '/');
		struct get *g;

		if (slash)
			g = gets_add(gets, KIND_CANARY, arena_strndup(operand, (size_t)(slash - operand)), slash + 1);
		else
			g = gets_add(gets, KIND_CANARY, s->namespace ? s->namespace : "", operand);
		g->used = true;
	}
}

/*
 * A canary nearly always has its target's name, and what Git says refers to the configs that the live
 * target does: asked for along with the Canary, they save rounds.
 */
static void guess_used(const struct following *f, const struct gets *canaries)
{
	const struct manifests *desired = f->r->scope->desired;

	for (const struct get *g = canaries->first; g; g = g->next) {
		const struct manifest *m = NULL;

		if (g->kind != KIND_CANARY || !*g->namespace)
			continue;
		get_used((void *)f, USE_OBJECT, KIND_DEPLOYMENT, g->namespace, g->name);
		get_used((void *)f, USE_OBJECT, KIND_DEPLOYMENT, g->namespace, arena_printf("%s-primary", g->name));
		if (desired)
			m = manifests_find(desired, KIND_DEPLOYMENT, g->namespace, g->name);
		if (m)
			use_of_target(m->object, get_used, (void *)f);
	}
}

static void each_canary(const struct get *g, use_visit *visit, void *arg)
{
	if (g->kind != KIND_CANARY)
		return;
	if (*g->namespace)
		use_of_canary(g->call.object, visit, arg);
	tree_each(item, *g->namespace ? NULL : tree_get(g->call.object, "items"))
		use_of_canary(item, visit, arg);
}

static void follow_canaries(const struct following *f, const struct gets *canaries)
{
	const struct manifests *desired = f->r->scope->desired;

	for (const struct get *g = canaries->first; g; g = g->next)
		each_canary(g, get_used, (void *)f);
	for (size_t i = 0; desired && i < desired->count; i++)
		if (desired->items[i].kind == KIND_CANARY && named(f->r->scope, &desired->items[i].id))
			use_of_canary(desired->items[i].object, get_used, (void *)f);
}

static void follow_targets(const struct following *f, const struct gets *used)
{
	const struct manifests *desired = f->r->scope->desired;

	for (const struct get *g = used->first; g; g = g->next) {
		const struct manifest *m = NULL;

		if (!g->target)
			continue;
		use_of_target(g->call.object, get_used, (void *)f);
		if (desired)
			m = manifests_find(desired, g->kind, g->namespace, g->name);
		if (m)
			use_of_target(m->object, get_used, (void *)f);
	}
}

struct histories {
	struct cluster_reader *r;
	const struct gets *used;
	struct error *err;
	int result;
};

static void read_history(void *arg, enum use use, enum object_kind kind, const char *namespace, const char *name)
{
	struct histories *h = arg;

	if (use != USE_HISTORY || h->result != 0)
		return;
	for (const struct get *g = h->used->first; g; g = g->next)
		if (g->target && g->call.object && strcmp(g->name, name) == 0 &&
		    strcmp(g->namespace, namespace) == 0)
			h->result = cluster_history(h->r, kind, g->call.object, h->err);
}

static int read_histories(struct cluster_reader *r, const struct gets *gets, struct error *err)
{
	struct histories h = {r, gets, err, 0};

	for (const struct get *g = gets->first; g; g = g->next)
		each_canary(g, read_history, &h);
	return h.result;
}

int cluster_by_name(struct cluster_reader *r, struct error *err)
{
	struct gets gets = {0};

	add_named(&gets, r->scope);
	if (!r->scope->canaries_only)
		guess_used(&(struct following){r, &gets, true}, &gets);
	if (gets_perform(&gets, r, true, err) != 0)
		return -1;
	if (r->no_canaries || r->scope->canaries_only)
		return 0;
	follow_canaries(&(struct following){r, &gets, false}, &gets);
	if (gets_perform(&gets, r, false, err) != 0)
		return -1;
	follow_targets(&(struct following){r, &gets, false}, &gets);
	return gets_perform(&gets, r, false, err) || read_histories(r, &gets, err) ? -1 : 0;
}

/* What diff compares with. */
int cluster_desired(struct cluster_reader *r, struct error *err)
{
	const struct manifests *desired = r->scope->desired;
	struct gets gets = {0};

	for (size_t i = 0; i < desired->count; i++) {
		const struct manifest *m = &desired->items[i];
		bool compared = object_is_target(m->kind) || m->kind == KIND_CONFIGMAP;

		if (compared && named(r->scope, &m->id))
			gets_add(&gets, m->kind, m->id.namespace, m->id.name)->used = true;
	}
	return gets_perform(&gets, r, true, err);
}
