/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/live_via.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "report/talk.h"

#define WAIT_MS (5 * 60 * 1000)
#define FIRST_POLL_MS 500
#define LAST_POLL_MS 5000
#define AT_ONCE 64

struct awaited {
	char namespace[64], name[254];
	char why[600]; /* what to look at, as of the last look */
};

struct awaiting {
	const struct via *via;
	struct awaited *items;
	size_t count, most;
};

static void add_namespace(struct strings *to, const char *namespace)
{
	for (size_t i = 0; i < to->count; i++)
		if (strcmp(to->items[i], namespace) == 0)
			return;
	strings_add(to, namespace);
}

/* Those of the canaries in scope; none where that is all. */
static struct strings namespaces_of(const struct cluster_scope *scope)
{
	struct strings namespaces = {0};

	for (size_t i = 0; scope->namespace && scope->names && i < scope->names->count; i++) {
		const char *operand = scope->names->items[i], *slash = strchr(operand, '/');

		if (slash)
			add_namespace(&namespaces, arena_strndup(operand, (size_t)(slash - operand)));
	}
	if (scope->namespace)
		add_namespace(&namespaces, scope->namespace);
	return namespaces;
}

static const struct tree *see(const void *arg, const struct tree *canary)
{
	return via_see(arg, canary);
}

int live_via_read(struct inputs *in, const struct live_run *r, const struct cluster_scope *scope, struct error *err)
{
	struct strings namespaces = namespaces_of(scope);
	const struct via *via;

	in->via = NULL;
	if (via_parse(&via, r->s->via, err) != 0)
		return -1;
	if (!via)
		return 0;
	if (via_load(&in->via, via, r->live->api, &namespaces, err) != 0)
		return -1;
	in->dump.see = see;
	in->dump.see_arg = in->via;
	return 0;
}

void live_via_begin(struct live_run *r, const struct inputs *in, size_t most)
{
	struct awaiting *a = NEW(struct awaiting);

	r->awaiting = NULL;
	if (!in->via || r->actor.dry != DRY_NONE || r->unawaited)
		return;
	*a = (struct awaiting){in->via, NEW_ARRAY(struct awaited, most + 1), 0, most};
	r->awaiting = a;
}

void live_via_expect(struct live_run *r, const struct canary *c, const struct outcome *o)
{
	bool written = o && (o->held || o->ended || o->shipped || o->unshipped);
	struct awaiting *a = r->awaiting;

	if (!a || !c->via || (!c->pending && !written) || a->count == a->most)
		return;
	snprintf(a->items[a->count].namespace, sizeof(a->items->namespace), "%s", c->namespace);
	snprintf(a->items[a->count++].name, sizeof(a->items->name), "%s", c->name);
}

static const char *place_of(const struct canary *c, const char *key)
{
	return tree_string_or(tree_path(c->via, "configMap", key, NULL), "");
}

/* What a person is to look at, of all that lies between the ConfigMap and the Canary. */
static const char *what_to_look_at(const struct canary *c)
{
	const char *of = object_label(c->object, "kustomize.toolkit.fluxcd.io/namespace");
	const char *name = object_label(c->object, "kustomize.toolkit.fluxcd.io/name");
	const char *variable = tree_string_or(tree_get(c->via, "variable"), "");
	bool suspended = tree_true(tree_path(c->object, "spec", "suspend", NULL));
	const char *says = suspended == c->suspended
				   ? arena_printf("skipAnalysis: ${" VIA_SHIP "%s:=false}", variable)
				   : arena_printf("suspend: ${" VIA_HOLD "%s:=false}", variable);

	if (!of || !name)
		return arena_printf("Flux hasn't applied what ConfigMap %s/%s says, and no label on the Canary names a "
				    "Kustomization: its manifest must say `%s`", place_of(c, "namespace"),
				    place_of(c, "name"), says);
	return arena_printf("Kustomization %s/%s hasn't applied what ConfigMap %s/%s says: see whether it is suspended or "
			    "failing, has the ConfigMap in postBuild.substituteFrom, and the manifest says `%s`", of, name,
			    place_of(c, "namespace"), place_of(c, "name"), says);
}

/* false: nothing is left to wait for. */
static bool still(struct awaited *one, const struct via *via, const struct tree *object)
{
	struct canary c;
	struct error bad;

	if (!object || canary_read(&c, via_see(via, object), &bad) != 0 || c.deleting || !c.pending)
		return false;
	snprintf(one->why, sizeof(one->why), "%s", what_to_look_at(&c));
	return true;
}

static int look_at(bool *waits, struct awaited *const items, size_t n, const struct via *via, struct api *api,
		   struct error *err)
{
	static const struct api_kind canaries = {"flagger.app", "v1beta1", "canaries"};
	struct api_call calls[AT_ONCE], *which[AT_ONCE];

	for (size_t i = 0; i < n; i++) {
		calls[i] = (struct api_call){.http = {.method = "GET"}};
		calls[i].http.path = api_path(&canaries, items[i].namespace, items[i].name);
		which[i] = &calls[i];
	}
	if (api_perform(api, which, n, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		waits[i] = still(&items[i], via, calls[i].object);
	return 0;
}

/* Leaves those that are still to be waited for. */
static int look(struct awaiting *a, struct api *api, struct error *err)
{
	struct strings namespaces = {0};
	const struct via *via;
	size_t left = 0;

	for (size_t i = 0; i < a->count; i++)
		add_namespace(&namespaces, a->items[i].namespace);
	if (via_load(&via, a->via, api, &namespaces, err) != 0)
		return -1;
	for (size_t i = 0; i < a->count; i += AT_ONCE) {
		size_t n = a->count - i < AT_ONCE ? a->count - i : AT_ONCE;
		bool waits[AT_ONCE];

		if (look_at(waits, a->items + i, n, via, api, err) != 0)
			return -1;
		for (size_t k = 0; k < n; k++)
			if (waits[k])
				a->items[left++] = a->items[i + k];
	}
	a->count = left;
	return 0;
}

static void give_up(struct live_run *r)
{
	const struct awaiting *a = r->awaiting;

	for (size_t i = 0; i < a->count; i++)
		talk_canary_warning(a->items[i].namespace, a->items[i].name, a->items[i].why);
	if (r->unapplied.kind == ERR_NONE)
		error_set(&r->unapplied, ERR_TIMEOUT, "timeout: %zu canar%s not what the ConfigMap says yet, %s/%s: %s",
			  a->count, a->count == 1 ? "y is" : "ies are", a->items[0].namespace, a->items[0].name,
			  a->items[0].why);
}

int live_via_wait(struct live_run *r, struct error *err)
{
	int64_t until = clock_deadline(WAIT_MS), pause = FIRST_POLL_MS;
	struct awaiting *a = r->awaiting;
	bool told = false;

	while (a && a->count) {
		struct arena_mark mark = arena_mark();
		int result = look(a, r->live->api, err);

		if (result != 0)
			return -1;
		arena_rewind(mark);
		if (!a->count)
			break;
		if (!told)
			talk_waiting("%zu until Flux has applied it", a->count);
		told = true;
		if (clock_passed(until) || !live_pause(r->live, pause)) {
			give_up(r);
			break;
		}
		pause = pause * 3 / 2 < LAST_POLL_MS ? pause * 3 / 2 : LAST_POLL_MS;
	}
	r->awaiting = NULL;
	return 0;
}
