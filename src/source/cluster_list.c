/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "source/cluster_reader.h"
#include "source/cluster_use.h"
#include "value/json.h"

/* In the order of a dump: canaries, what may be a target, what belongs to one. */
static const enum object_kind kinds[] = {
	KIND_CANARY, KIND_DEPLOYMENT, KIND_DAEMONSET, KIND_SERVICE, KIND_KNATIVE, KIND_REPLICASET,
	KIND_CONTROLLERREVISION, KIND_CONFIGMAP, KIND_SECRET, KIND_HPA, KIND_SCALEDOBJECT,
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

/* What the objects read so far use: keys, as the dump's index has them, and their kinds. */
struct wanted {
	struct index keys; /* the place tells a target, whose own use counts, from the rest */
	unsigned kinds;
};

enum { PLACE_OTHER, PLACE_TARGET };

struct listing {
	struct cluster_reader *r;
	const struct wanted *wanted; /* sorted; NULL: everything is */
	struct wanted *used;         /* by what comes of it, for the next lists */
	enum object_kind kind;
	uint64_t since;              /* size of the dump before it */
	struct api_list list;
};

static void want(void *arg, enum use use, enum object_kind kind, const char *namespace, const char *name)
{
	struct wanted *w = arg;

	index_add(&w->keys, index_key(kind, namespace, name), use == USE_TARGET ? PLACE_TARGET : PLACE_OTHER);
	w->kinds |= 1u << kind;
}

/* Several names may share a key: then more is read than is used. */
static bool wants(const struct wanted *w, enum object_kind kind, const char *namespace, const char *name,
		  uint64_t least)
{
	uint32_t key = index_key(kind, namespace, name);

	for (size_t i = index_find(&w->keys, key); i < w->keys.count; i++) {
		struct index_entry e = index_at(&w->keys, i);

		if (e.key != key)
			return false;
		if (e.place >= least)
			return true;
	}
	return false;
}

/* Revisions are wanted by the name of what controls them. */
static const char *wanted_name(enum object_kind kind, const struct tree *outline)
{
	if (kind != KIND_REPLICASET && kind != KIND_CONTROLLERREVISION)
		return tree_string_or(tree_path(outline, "metadata", "name", NULL), "");
	tree_each(owner, tree_path(outline, "metadata", "ownerReferences", NULL))
		if (tree_true(tree_get(owner, "controller")))
			return tree_string_or(tree_get(owner, "name"), "");
	return "";
}

static bool is_wanted(void *arg, enum object_kind kind, const struct tree *outline)
{
	const struct listing *l = arg;
	const char *namespace = object_identity(outline, "").namespace;

	return !l->wanted || wants(l->wanted, kind, namespace, wanted_name(kind, outline),
					   PLACE_OTHER);
}

static bool is_wanted_target(const struct wanted *w, const struct tree *object)
{
	struct identity id = object_identity(object, "");

	return wants(w, object_kind(object), id.namespace, id.name, PLACE_TARGET);
}

static int want_what_it_uses(struct listing *l, struct error *err)
{
	struct arena_mark mark = arena_mark();
	const struct buffer *text = &l->r->text;
	const struct tree *object = json_parse(buffer_text(text), text->len, "answer", err);
	size_t chunks = l->used->keys.n_chunks;

	if (!object)
		return -1;
	if (l->kind == KIND_CANARY)
		use_of_canary(object, want, l->used);
	else if (is_wanted_target(l->wanted, object))
		use_of_target(object, want, l->used);
	if (l->used->keys.n_chunks == chunks) /* nothing that stays was made since the mark */
		arena_rewind(mark);
	return 0;
}

static int on_item(void *arg, const char *text, size_t len, struct error *err)
{
	struct listing *l = arg;
	struct dump_filter filter = {is_wanted, l};
	bool taken;

	if (cluster_take(&taken, l->r, l->kind, text, len, &filter, err) != 0)
		return -1;
	if (!taken || !l->used)
		return 0;
	if (l->kind == KIND_CANARY || l->kind == KIND_DEPLOYMENT || l->kind == KIND_DAEMONSET)
		return want_what_it_uses(l, err);
	return 0;
}

static int on_restart(void *arg, struct error *err)
{
	struct listing *l = arg;

	dump_forget(l->r->dump, l->kind, l->since);
	return l->r->scope->whole ? dump_cut(l->r->dump, l->since, err) : 0;
}

static void prepare(struct listing *l, struct cluster_reader *r, enum object_kind kind)
{
	const struct cluster_scope *s = r->scope;
	const char *path = api_path(cluster_kind(kind), s->namespace, NULL);

	*l = (struct listing){.r = r, .kind = kind, .since = r->dump->size};
	if (kind == KIND_CANARY && s->selector)
		path = api_query(path, "labelSelector", s->selector, NULL);
	l->list = (struct api_list){.path = path, .item = on_item, .restart = on_restart,
				    .secret = kind == KIND_SECRET};
}

/* A kind of Kubernetes' own is never missing: a 404 that is taken for none of it would lose every target. */
static bool own_kind(enum object_kind kind)
{
	const char *group = cluster_kind(kind)->group;

	return !*group || strcmp(group, "apps") == 0;
}

static int refuse_missing(const struct listing *l, struct error *err)
{
	return error_set(err, ERR_UNREACHABLE, "no API server: 404 to a list of %s, which every one has: '%s'",
			 cluster_kind(l->kind)->plural, l->list.path);
}

static int conclude(struct listing *l, struct error *err)
{
	struct cluster_reader *r = l->r;

	if (l->list.status == 404 && own_kind(l->kind))
		return refuse_missing(l, err);
	if (l->list.status == 403 && l->kind == KIND_CANARY) {
		*err = l->list.refusal;
		return -1;
	}
	if (l->list.status == 403)
		return cluster_refused(r, l->kind, &l->list.refusal, err);
	dump_tell_listed(r->dump, l->kind, r->scope->namespace);
	r->no_canaries |= l->kind == KIND_CANARY && l->list.status == 404;
	return 0;
}

/* The lists of these kinds, side by side. */
static int list(struct cluster_reader *r, unsigned which, const struct wanted *wanted, struct wanted *used,
		struct error *err)
{
	struct listing listings[KINDS];
	struct api_list *lists[KINDS];
	size_t n = 0;

	for (size_t i = 0; i < KINDS; i++) {
		if (!(which & 1u << kinds[i]) || (kinds[i] == KIND_SECRET && !r->scope->secrets))
			continue;
		prepare(&listings[n], r, kinds[i]);
		listings[n].wanted = wanted;
		listings[n].used = used;
		lists[n] = &listings[n].list;
		lists[n]->arg = &listings[n];
		n++;
	}
	if (n && api_lists(r->api, lists, n, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (conclude(&listings[i], err) != 0)
			return -1;
	return 0;
}

/* One after another: a dump is then the same whenever it is taken. */
static int list_all(struct cluster_reader *r, struct error *err)
{
	for (size_t i = 0; i < KINDS; i++)
		if (list(r, 1u << kinds[i], NULL, NULL, err) != 0)
			return -1;
	return 0;
}

static void want_desired_canaries(struct wanted *used, const struct manifests *desired)
{
	for (size_t i = 0; desired && i < desired->count; i++)
		if (desired->items[i].kind == KIND_CANARY)
			use_of_canary(desired->items[i].object, want, used);
}

static void want_desired_configs(struct wanted *configs, const struct wanted *used, const struct manifests *desired)
{
	for (size_t i = 0; desired && i < desired->count; i++) {
		const struct manifest *m = &desired->items[i];

		if (wants(used, m->kind, m->id.namespace, m->id.name, PLACE_TARGET))
			use_of_target(m->object, want, configs);
	}
}

int cluster_lists(struct cluster_reader *r, struct error *err)
{
	struct wanted used = {.kinds = 1u << KIND_DEPLOYMENT}; /* where Flagger may be */
	struct wanted configs = {0};
	struct gets none = {0};

	if (gets_perform(&none, r, true, err) != 0)
		return -1;
	if (r->scope->whole)
		return list_all(r, err);
	if (list(r, 1u << KIND_CANARY, NULL, &used, err) != 0)
		return -1;
	if (r->no_canaries || r->scope->canaries_only)
		return 0;
	want_desired_canaries(&used, r->scope->desired);
	index_sort(&used.keys);
	if (list(r, used.kinds, &used, &configs, err) != 0)
		return -1;
	want_desired_configs(&configs, &used, r->scope->desired);
	index_sort(&configs.keys);
	return list(r, configs.kinds, &configs, NULL, err);
}

static const char *label_selector(const struct tree *target)
{
	struct buffer out = {0};

	tree_each(label, tree_path(target, "spec", "selector", "matchLabels", NULL))
		buffer_printf(&out, "%s%s=%s", out.len ? "," : "", tree_key(label), tree_string_or(label, ""));
	return buffer_text(&out);
}

int cluster_history(struct cluster_reader *r, enum object_kind kind, const struct tree *target, struct error *err)
{
	struct identity id = object_identity(target, "");
	struct wanted w = {0};
	struct listing l = {.r = r, .wanted = &w, .kind = kind, .since = r->dump->size};
	struct api_list *list = &l.list;

	want(&w, USE_HISTORY, kind, id.namespace, id.name);
	l.list = (struct api_list){
		.path = api_query(api_path(cluster_kind(kind), id.namespace, NULL), "labelSelector",
				  label_selector(target), NULL),
		.item = on_item, .restart = on_restart, .arg = &l,
	};
	if (api_lists(r->api, &list, 1, err) != 0)
		return -1;
	if (l.list.status == 404 && own_kind(kind))
		return refuse_missing(&l, err);
	if (l.list.status == 403)
		return cluster_refused(r, kind, &l.list.refusal, err);
	dump_tell_listed(r->dump, kind, id.namespace);
	return 0;
}
