/* SPDX-License-Identifier: Apache-2.0 */
#include "source/surroundings.h"

#include <string.h>

#include "base/arena.h"
#include "value/json.h"

static const struct surroundings_kind kinds[] = {
#define SURROUNDING(group, version, older, plural, kind, how, name) \
	{group, version, older, plural, kind, READ_##how, name},
#include "source/surroundings.def"
#undef SURROUNDING
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))
#define FLAGGERS 2 /* the labels that Flagger's Deployment ships with */
#define MAX_LISTS (KINDS + FLAGGERS)

/* Not a kind: what is missed where Flagger's own Deployment may not be looked for. */
static const struct surroundings_kind flagger = {"apps", "v1", NULL, "deployments", "Flagger", READ_ALL, NULL};

struct listing {
	const struct surroundings *s;
	const struct surroundings_kind *kind;
	const char *version;
	bool part; /* not all of the kind in scope */
	struct buffer text;
	struct api_list list;
};

/* The items of a typed list don't say what they are. */
static void put_typed(struct listing *l, const char *text, size_t len)
{
	l->text.len = 0;
	if (strncmp(text, "{\"apiVersion\":", 14) == 0 || strncmp(text, "{\"kind\":", 8) == 0) {
		buffer_add(&l->text, text, len);
		return;
	}
	buffer_printf(&l->text, "{\"apiVersion\":\"%s%s%s\",\"kind\":\"%s\",", l->kind->group,
		      *l->kind->group ? "/" : "", l->version, l->kind->kind);
	buffer_add(&l->text, text + 1, len - 1);
}

static int on_item(void *arg, const char *text, size_t len, struct error *err)
{
	struct listing *l = arg;
	struct arena_mark mark;
	const struct tree *object;
	int result;

	put_typed(l, text, len);
	l->s->before(l->s->arg);
	mark = arena_mark();
	object = json_parse(buffer_text(&l->text), l->text.len, "answer", err);
	result = object ? l->s->object(l->s->arg, object, err) : -1;
	if (result == 0)
		arena_rewind(mark);
	return result;
}

static struct listing *prepare(struct listing *l, const struct surroundings *s, const struct surroundings_kind *kind,
			       const char *version, const char *namespace)
{
	const struct api_kind k = {kind->group, version, kind->plural};

	*l = (struct listing){.s = s, .kind = kind, .version = version};
	l->list = (struct api_list){.path = api_path(&k, namespace, NULL), .item = on_item};
	return l;
}

/* Flagger may run in another namespace than the one asked for. */
static void prepare_flagger(struct listing *l, const struct surroundings *s, const struct surroundings_kind *kind,
			    const char *labels)
{
	prepare(l, s, kind, kind->version, NULL);
	l->part = true;
	l->list.path = api_query(l->list.path, "labelSelector", labels, "fieldSelector",
				 arena_printf("metadata.namespace!=%s", s->namespace), NULL);
}

static int perform(struct listing *listings, size_t n, struct api *api, struct error *err)
{
	struct api_list *lists[MAX_LISTS];

	for (size_t i = 0; i < n; i++) {
		lists[i] = &listings[i].list;
		lists[i]->arg = &listings[i];
	}
	return n ? api_lists(api, lists, n, err) : 0;
}

static int conclude(const struct listing *l, struct error *err)
{
	if (l->list.status == 403 && strcmp(l->kind->kind, "Canary") == 0) {
		*err = l->list.refusal;
		return -1;
	}
	if (l->list.status == 403)
		l->s->unread(l->s->arg, l->part ? &flagger : l->kind, l->list.refusal.text);
	else if (!l->part)
		l->s->listed(l->s->arg, l->kind);
	return 0;
}

/* Of kinds that the server doesn't know in this version. */
static int read_older(const struct surroundings *s, const struct listing *first, size_t n, struct api *api,
		      struct error *err)
{
	struct listing again[MAX_LISTS];
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (first[i].list.status == 404 && first[i].kind->older)
			prepare(&again[m++], s, first[i].kind, first[i].kind->older, NULL);
	if (perform(again, m, api, err) != 0)
		return -1;
	for (size_t i = 0; i < m; i++)
		if (conclude(&again[i], err) != 0)
			return -1;
	return 0;
}

static int read_lists(const struct surroundings *s, struct api *api, struct error *err)
{
	static const char *const labels[FLAGGERS] = {"app.kubernetes.io/name=flagger",
						     "app=flagger,app.kubernetes.io/name!=flagger"};
	struct listing listings[MAX_LISTS];
	size_t n = 0;

	for (size_t i = 0; i < KINDS; i++) {
		if (kinds[i].how == READ_ONE)
			continue;
		prepare(&listings[n++], s, &kinds[i], kinds[i].version, kinds[i].how == READ_ALL ? NULL : s->namespace);
		for (size_t f = 0; s->namespace && strcmp(kinds[i].plural, "deployments") == 0 && f < FLAGGERS; f++)
			prepare_flagger(&listings[n++], s, &kinds[i], labels[f]);
	}
	if (perform(listings, n, api, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!(listings[i].list.status == 404 && listings[i].kind->older) && conclude(&listings[i], err) != 0)
			return -1;
	return read_older(s, listings, n, api, err);
}

/* A server without the kind doesn't even name what was asked for. */
static bool kind_is_missing(const struct api_call *call)
{
	return !tree_path(call->status, "details", "name", NULL);
}

static int take_one(const struct surroundings *s, const struct surroundings_kind *kind, const struct api_call *call,
		    struct error *err)
{
	if (call->http.status == 404 && !kind_is_missing(call))
		s->listed(s->arg, kind);
	if (call->http.status == 404)
		return 0;
	if (call->http.status != 200) {
		s->unread(s->arg, kind, call->refusal.text);
		return 0;
	}
	s->before(s->arg);
	s->listed(s->arg, kind);
	return s->object(s->arg, call->object, err);
}

static int read_ones(const struct surroundings *s, struct api *api, struct error *err)
{
	struct api_call calls[KINDS] = {0}, *all[KINDS];
	size_t n = 0;

	for (size_t i = 0; i < KINDS; i++) {
		const struct api_kind k = {kinds[i].group, kinds[i].version, kinds[i].plural};

		if (kinds[i].how != READ_ONE)
			continue;
		calls[i].http.method = "GET";
		calls[i].http.path = api_path(&k, NULL, kinds[i].name);
		calls[i].optional = true;
		all[n++] = &calls[i];
	}
	if (api_perform(api, all, n, err) != 0)
		return -1;
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].how == READ_ONE && take_one(s, &kinds[i], &calls[i], err) != 0)
			return -1;
	return 0;
}

int surroundings_read(const struct surroundings *s, struct api *api, struct error *err)
{
	return read_lists(s, api, err) || read_ones(s, api, err) ? -1 : 0;
}

static int read_home(const struct surroundings *s, struct api *api, const char *namespace, struct error *err)
{
	struct listing listings[KINDS];
	size_t n = 0;

	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].how == READ_HOME_TOO)
			prepare(&listings[n++], s, &kinds[i], kinds[i].version, namespace);
	if (perform(listings, n, api, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (conclude(&listings[i], err) != 0)
			return -1;
	return 0;
}

int surroundings_read_homes(const struct surroundings *s, struct api *api, const char *const *namespaces,
			    struct error *err)
{
	for (; s->namespace && *namespaces; namespaces++)
		if (strcmp(*namespaces, s->namespace) != 0 && read_home(s, api, *namespaces, err) != 0)
			return -1;
	return 0;
}

static struct tree *review(const char *kind, const char *part, struct tree *spec)
{
	struct tree *t = tree_new_map(), *inner = part ? tree_new_map() : spec;

	if (part)
		tree_put(inner, part, spec);
	tree_put(t, "apiVersion", tree_new_string("authorization.k8s.io/v1"));
	tree_put(t, "kind", tree_new_string(kind));
	tree_put(t, "spec", inner);
	return t;
}

/* A POST that stores nothing: asking twice does no harm. */
static int ask(struct api_call *call, struct api *api, const char *plural, const struct tree *body, struct error *err)
{
	const struct api_kind k = {"authorization.k8s.io", "v1", plural};
	struct buffer text = {0};

	tree_print(&text, body, 0);
	*call = (struct api_call){.repeatable = true, .optional = true};
	call->http.method = "POST";
	call->http.path = api_path(&k, NULL, NULL);
	call->http.content_type = "application/json";
	call->http.body = buffer_text(&text);
	call->http.body_len = text.len;
	return api_call(api, call, err);
}

int surroundings_rights(const struct tree **out, const char **why, struct api *api, const char *namespace,
			struct error *err)
{
	struct tree *spec = tree_new_map();
	struct api_call call;

	tree_put(spec, "namespace", tree_new_string(namespace));
	if (ask(&call, api, "selfsubjectrulesreviews", review("SelfSubjectRulesReview", NULL, spec), err) != 0)
		return -1;
	*out = tree_get(call.object, "status");
	*why = *out ? NULL : arena_strdup(call.refusal.text);
	return 0;
}

int surroundings_may(bool *out, struct api *api, const char *namespace, const char *verb, const char *group,
		     const char *resource, const char *name, struct error *err)
{
	const char *slash = strchr(resource, '/');
	struct tree *spec = tree_new_map();
	struct api_call call;

	tree_put(spec, "namespace", tree_new_string(namespace));
	tree_put(spec, "verb", tree_new_string(verb));
	tree_put(spec, "group", tree_new_string(group));
	tree_put(spec, "resource", tree_new_string(slash ? arena_strndup(resource, (size_t)(slash - resource)) : resource));
	if (slash)
		tree_put(spec, "subresource", tree_new_string(slash + 1));
	if (*name)
		tree_put(spec, "name", tree_new_string(name));
	if (ask(&call, api, "selfsubjectaccessreviews",
		review("SelfSubjectAccessReview", "resourceAttributes", spec), err) != 0)
		return -1;
	*out = tree_true(tree_path(call.object, "status", "allowed", NULL));
	return 0;
}
