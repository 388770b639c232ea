/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "act/carry.h"
#include "act/via.h"
#include "act/via_write.h"
#include "base/arena.h"
#include "flagger/canary_via.h"
#include "io/clock.h"
#include "value/json.h"

#define FIRST_MANAGER "perch-configmap" /* of the ConfigMap itself */
#define MAX_TRIES 20                    /* against other runs that write it */
#define LET_GO_S (7 * 24 * 3600)        /* how long what was let go is remembered */
#define KEY_MAX 253                     /* of a ConfigMap's data */

/* Carrying one write out. */
struct carry {
	const struct actor *a;
	const struct write *w;
	struct canary *c;
	struct outcome *out;
	const struct tree *map;    /* as it is; NULL: there is none */
	const struct tree *canary; /* as it is */
};

static void set(struct outcome *out, enum outcome_kind kind, const char *text)
{
	out->kind = kind;
	out->text = text;
}

/* Flux puts its Kustomization's name and namespace on whatever it applies. */
static const char *wrong_namespace(const struct canary *c)
{
	const char *reads = object_label(c->object, "kustomize.toolkit.fluxcd.io/namespace");
	const char *namespace = tree_string_or(tree_path(c->via, "configMap", "namespace", NULL), "");
	const char *name = tree_string_or(tree_path(c->via, "configMap", "name", NULL), "");

	if (!reads || strcmp(reads, namespace) == 0)
		return NULL;
	return arena_printf("its Kustomization reads ConfigMaps of its own namespace only: --via configmap=%s/%s", reads,
			    name);
}

static const char *unnamed(const struct canary *c, const char *field, const char *prefix)
{
	return arena_printf("nothing would come of it, its manifest doesn't say `%s: ${%s%s:=false}`", field, prefix,
			    tree_string_or(tree_get(c->via, "variable"), ""));
}

/* Why nothing would come of it. */
static const char *in_vain(const struct write *w, const struct canary *c)
{
	const char *variable = tree_string_or(tree_get(c->via, "variable"), "");
	const char *taken = tree_string(tree_get(c->via, "taken"));

	if (taken)
		return arena_printf("variable " VIA_HOLD "%s is %s's: give one of them a ConfigMap of its own", variable,
				    taken);
	if (strlen(VIA_HOLD) + strlen(variable) > KEY_MAX)
		return "its name is too long for a variable's";
	if (!w->holds && !w->ships)
		return NULL;
	if (wrong_namespace(c))
		return wrong_namespace(c);
	if (w->holds && !canary_names(c->object, "f:suspend"))
		return unnamed(c, "suspend", VIA_HOLD);
	if (w->ships && !canary_names(c->object, "f:skipAnalysis"))
		return unnamed(c, "skipAnalysis", VIA_SHIP);
	return NULL;
}

/* 1: go on; 0: that is the outcome. The ConfigMap and the canary as they are now. */
static int look(struct carry *k, struct error *err)
{
	static const struct api_kind canaries = {"flagger.app", "v1beta1", "canaries"};
	struct api_call map = {.http = {.method = "GET", .path = k->w->path}}, canary = {.http = {.method = "GET"}};
	struct api_call *const calls[] = {&map, &canary};
	const char *uid = tree_string_or(tree_path(k->c->object, "metadata", "uid", NULL), "");
	const char *version = tree_string_or(tree_path(k->c->object, "metadata", "resourceVersion", NULL), "");
	const struct tree *now;

	canary.http.path = api_path(&canaries, k->c->namespace, k->c->name);
	if (api_perform(k->a->api, calls, 2, err) != 0)
		return -1;
	k->map = map.object;
	k->canary = canary.object;
	now = tree_get(canary.object, "metadata");
	if (!now || strcmp(tree_string_or(tree_get(now, "uid"), ""), uid) != 0)
		set(k->out, OUTCOME_GONE, now ? "it has been deleted and created anew" : "it has been deleted");
	else if (strcmp(tree_string_or(tree_get(now, "resourceVersion"), ""), version) != 0)
		set(k->out, OUTCOME_MOVED, "it has changed since it was read");
	else
		return 1;
	return 0;
}

/* What was decided on is what the ConfigMap says of this canary, too. */
static bool is_overtaken(const struct carry *k)
{
	const struct tree *now = tree_get(via_see_in(k->map, k->c, k->canary), CANARY_VIA);

	return !tree_same(tree_get(now, "record"), tree_get(k->c->via, "record")) || tree_get(now, "taken");
}

/* Makes the ConfigMap: 1 where it then is there. */
static int make(struct carry *k, struct error *err)
{
	struct write first;
	const char *path;

	via_write_first(&first, k->c);
	path = api_query(first.path, "fieldManager", FIRST_MANAGER, "force", "false", NULL);
	if (carry_send(&k->map, k->out, k->a, &first, path, err) != 0)
		return error_wrap(err, "ConfigMap %s", first.path);
	if (k->out->kind == OUTCOME_GONE)
		set(k->out, OUTCOME_REFUSED, arena_printf("there is no namespace '%s'",
							  tree_string_or(tree_path(k->c->via, "configMap", "namespace", NULL), "")));
	return k->out->kind == OUTCOME_DONE;
}

/* A canary that was let go long ago, and may be gone itself. */
static bool is_over(const struct tree *data, const char *variable)
{
	const char *json = tree_string_or(tree_get(data, arena_printf(VIA_RECORD "%s", variable)), "");
	const struct tree *record;
	struct error bad;
	int64_t at;

	record = *json ? json_parse(json, strlen(json), "a record", &bad) : NULL;
	return clock_read(&at, tree_string_or(tree_get(record, "let-go-at"), "")) && clock_now() - at > LET_GO_S;
}

static const char *variable_in(const char *key)
{
	static const char *const prefixes[] = {VIA_HOLD, VIA_SHIP, VIA_RECORD};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(key, prefixes[i], strlen(prefixes[i])) == 0)
			return key + strlen(prefixes[i]);
	return NULL;
}

/* Into the body goes what perch has there of other canaries. */
static void keep_others(struct tree *body, const struct carry *k)
{
	const struct tree *data = tree_get(k->map, "data"), *own = tree_path(hold_entry(k->map), "fieldsV1", "f:data", NULL);
	const char *mine = tree_string_or(tree_get(k->c->via, "variable"), "");
	struct tree *to = tree_get_mutable(body, "data");

	tree_each(value, data) {
		const char *variable = variable_in(tree_key(value));

		if (variable && strcmp(variable, mine) != 0 && tree_get(own, arena_printf("f:%s", tree_key(value))) &&
		    !is_over(data, variable))
			tree_put(to, tree_key(value), tree_copy(value));
	}
}

static struct write whole(const struct carry *k)
{
	static const char *const which[] = {"uid", "resourceVersion"};
	struct tree *body = tree_copy(k->w->body), *metadata = tree_get_mutable(body, "metadata");
	struct write w = *k->w;

	for (size_t i = 0; k->map && i < sizeof(which) / sizeof(*which); i++)
		tree_put(metadata, which[i], tree_copy(tree_path(k->map, "metadata", which[i], NULL)));
	keep_others(body, k);
	w.body = body;
	return w;
}

/* 1: overtaken, try again; 0: that is the outcome. */
static int try(struct carry *k, struct error *err)
{
	bool dry = k->a->dry == DRY_SERVER;
	const struct tree *answer;
	struct write w;
	int go = look(k, err);

	if (go == 1 && is_overtaken(k)) {
		set(k->out, OUTCOME_MOVED, "another run wrote its hold meanwhile");
		return 0;
	}
	if (go == 1 && !k->map && !dry)
		go = make(k, err);
	if (go != 1)
		return go;
	w = whole(k);
	if (carry_send(&answer, k->out, k->a, &w, write_path(&w, dry), err) != 0)
		return error_wrap(err, "ConfigMap %s", w.path);
	if (k->out->kind == OUTCOME_MOVED || k->out->kind == OUTCOME_GONE)
		return 1;
	if (k->out->kind != OUTCOME_DONE || dry)
		return 0;
	return canary_read(k->c, via_see_in(answer, k->c, k->canary), err);
}

int via_carry(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c, struct error *err)
{
	struct carry k = {.a = a, .w = w, .c = c, .out = out};
	const char *vain = in_vain(w, c);
	int result;

	out->kind = OUTCOME_DONE;
	if (vain)
		set(out, OUTCOME_REFUSED, vain);
	if (vain || a->dry == DRY_CLIENT)
		return 0;
	for (int i = 0; (result = try(&k, err)) == 1 && i < MAX_TRIES; i++)
		clock_sleep(20 + clock_ms() % 80); /* so that two don't meet for ever */
	return result < 0 ? -1 : 0;
}
