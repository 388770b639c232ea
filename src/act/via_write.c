/* SPDX-License-Identifier: Apache-2.0 */
#include "act/via_write.h"

#include <string.h>

#include "act/via.h"
#include "base/arena.h"
#include "io/clock.h"
#include "value/pointer.h"

#define WATCH "reconcile.fluxcd.io/watch"

static const char *variable_of(const struct canary *c)
{
	return tree_string_or(tree_get(c->via, "variable"), "");
}

static const char *key_of(const char *prefix, const struct canary *c)
{
	return arena_printf("%s%s", prefix, variable_of(c));
}

static void put(struct tree *map, const char *key, const char *value)
{
	if (value)
		tree_put(map, key, tree_new_string(value));
}

static const char *undo(const struct canary *c)
{
	const struct tree *place = tree_get(c->via, "configMap");
	struct tree *patch = tree_new_map(), *data = tree_new_map();
	struct buffer text = {0};

	tree_put(data, key_of(VIA_HOLD, c), tree_new_null());
	tree_put(data, key_of(VIA_SHIP, c), tree_new_null());
	tree_put(data, key_of(VIA_RECORD, c), tree_new_null());
	tree_put(patch, "data", data);
	buffer_printf(&text, "kubectl -n %s patch configmap %s --type=merge -p '",
		      tree_string_or(tree_get(place, "namespace"), ""), tree_string_or(tree_get(place, "name"), ""));
	tree_print(&text, patch, 0);
	buffer_printf(&text, "' && echo 'once Flux has applied it Flagger looks at %s/%s again, and analyses it if its "
			     "hash has moved'", c->namespace, c->name);
	return buffer_text(&text);
}

static void put_terms(struct tree *record, const struct hold_terms *terms, const struct canary *c)
{
	put(record, "held-for", terms->held_for);
	put(record, "held-by", terms->by);
	put(record, "held-at", terms->at);
	put(record, "held-until", terms->until);
	put(record, "held-reason", hold_bounded(terms->reason));
	put(record, "undo", undo(c));
}

/* A variable: "true", or "false" where it was "true" before; and its record, null there. */
static void put_variable(struct tree *data, struct tree *record, const struct canary *c, const char *prefix,
			 const char *what, bool is)
{
	if (is)
		put(data, key_of(prefix, c), "true");
	else if (tree_get(tree_get(c->via, "record"), what)) {
		put(data, key_of(prefix, c), "false");
		tree_put(record, what, tree_new_null());
	}
}

static struct tree *data_of(const struct canary *c, const struct owned *owned)
{
	struct tree *data = tree_new_map(), *record = tree_new_map();
	struct buffer text = {0};

	put(data, VIA_ALWAYS, "1");
	put(record, "canary", arena_printf("%s/%s", c->namespace, c->name));
	put_variable(data, record, c, VIA_HOLD, "held-for", owned->hold);
	if (owned->hold)
		put_terms(record, owned->hold, c);
	put_variable(data, record, c, VIA_SHIP, "ship", owned->ship);
	put(record, "ship", owned->ship);
	put(record, "ended", owned->ended);
	if (!owned->hold && !owned->ship)
		put(record, "let-go-at", clock_text(clock_now()));
	tree_print(&text, record, 0);
	put(data, key_of(VIA_RECORD, c), buffer_text(&text));
	return data;
}

static struct tree *map_of(const struct canary *c, struct tree *data)
{
	const struct tree *place = tree_get(c->via, "configMap");
	struct tree *map = tree_new_map(), *metadata = tree_new_map(), *labels = tree_new_map();

	put(map, "apiVersion", "v1");
	put(map, "kind", "ConfigMap");
	put(metadata, "name", tree_string(tree_get(place, "name")));
	put(metadata, "namespace", tree_string(tree_get(place, "namespace")));
	put(labels, WATCH, "Enabled");
	tree_put(metadata, "labels", labels);
	tree_put(map, "metadata", metadata);
	tree_put(map, "data", data);
	return map;
}

static void must_hold(struct write *w)
{
	struct buffer watch = {0};

	tree_each(value, tree_get(w->body, "data"))
		w->musts[w->n_musts++] = (struct must){arena_printf("/data/%s", tree_key(value)), value};
	buffer_str(&watch, "/metadata/labels");
	pointer_add(&watch, WATCH);
	w->musts[w->n_musts++] = (struct must){buffer_text(&watch),
					       tree_path(w->body, "metadata", "labels", WATCH, NULL)};
}

static void write_map(struct write *out, const struct canary *c, struct tree *data)
{
	const struct tree *place = tree_get(c->via, "configMap");

	*out = (struct write){.done = "kept", .would = "keep", .what = "what perch owns", .apply = true, .via = true,
			      .content_type = "application/apply-patch+yaml", .body = map_of(c, data)};
	out->path = api_path(&via_kind, tree_string_or(tree_get(place, "namespace"), ""),
			     tree_string_or(tree_get(place, "name"), ""));
	must_hold(out);
}

void via_write(struct write *out, const struct canary *c, const struct owned *owned)
{
	write_map(out, c, data_of(c, owned));
	out->holds = owned->hold;
	out->ships = owned->ship;
}

void via_write_first(struct write *out, const struct canary *c)
{
	struct tree *data = tree_new_map();

	put(data, VIA_ALWAYS, "1");
	write_map(out, c, data);
}
