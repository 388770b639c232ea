/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/guarded.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "io/clock.h"
#include "k8s/schema.h"

#define BEGUN "begun-"
#define BEGUN_SECONDS (30 * 60)

struct guarded guarded_of(const struct running *r, const char *at)
{
	bool known = r->flagger.k8s != 0;

	return (struct guarded){
		.image = r->image,
		.release = known && r->flagger.release.major ? release_text(&r->flagger.release) : "",
		.k8s = r->flagger.k8s,
		.config_tracking = r->flagger.config_tracking,
		.watches = r->watches,
		.at = at,
	};
}

static const char *value_of(const struct tree *data, const char *prefix, const char *key)
{
	return tree_string_or(tree_get(data, arena_printf("%s%s", prefix, key)), "");
}

static const char *at_key(const char *prefix)
{
	return *prefix ? "at" : "guarded-at";
}

static bool read_one(struct guarded *out, const struct tree *data, const char *prefix)
{
	const char *k8s = value_of(data, prefix, "k8s");

	*out = (struct guarded){
		.image = value_of(data, prefix, "image"),
		.release = value_of(data, prefix, "release"),
		.k8s = strncmp(k8s, "0.", 2) == 0 ? (int)strtol(k8s + 2, NULL, 10) : 0,
		.config_tracking = strcmp(value_of(data, prefix, "config-tracking"), "false") != 0,
		.watches = value_of(data, prefix, "namespace"),
		.at = value_of(data, prefix, at_key(prefix)),
	};
	return *out->image;
}

bool guarded_read(struct guarded *out, const struct tree *configmap)
{
	const struct tree *data = tree_get(configmap, "data");
	struct guarded begun;

	if (!read_one(out, data, ""))
		return false;
	if (read_one(&begun, data, BEGUN)) {
		struct guarded *kept = NEW(struct guarded);

		*kept = begun;
		out->begun = kept;
	}
	return true;
}

const struct guarded *guarded_next(const struct guarded *g, int64_t now)
{
	int64_t at;

	return g->begun && clock_read(&at, g->begun->at) && now - at < BEGUN_SECONDS ? g->begun : g;
}

/* Does the command line say otherwise? */
static const char *contradiction(const struct running *r, const struct guarded *g, const char *where)
{
	const struct flagger *f = &r->flagger;

	if (f->evidence != EVIDENCE_FLAG || !g->k8s || f->k8s == g->k8s)
		return NULL;
	return arena_printf("the command line says Flagger %s, %s says %s",
			    f->release.major ? release_text(&f->release) : arena_printf("with k8s.io/api 0.%d", f->k8s),
			    where, *g->release ? g->release : arena_printf("k8s.io/api 0.%d", g->k8s));
}

void guarded_running(struct running *r, const struct guarded *record, int64_t now, const char *where)
{
	const struct guarded *g = guarded_next(record, now);
	const char *problem = contradiction(r, g, where);
	struct flagger *f = &r->flagger;

	r->where = where;
	r->image = g->image;
	r->watches = g->watches;
	f->begun = g != record;
	f->config_tracking = g->config_tracking;
	if (problem) {
		r->contradicts = true;
		f->evidence = EVIDENCE_NONE;
		f->k8s = 0;
		f->problem = problem;
	} else if (schema_minor_known(g->k8s)) {
		f->evidence = EVIDENCE_CONFIGMAP;
		f->k8s = g->k8s;
		release_read(&f->release, g->release);
		f->problem = NULL;
	} else if (f->evidence == EVIDENCE_NONE) {
		f->problem = arena_printf("%s says '%s', which is none that perch knows, upgrade perch or pass --flagger",
					  where, g->image);
	}
}

static void put(struct tree *data, const char *prefix, const char *key, const char *value)
{
	tree_put(data, arena_printf("%s%s", prefix, key), tree_new_string(value));
}

static void put_one(struct tree *data, const struct guarded *g, const char *prefix)
{
	put(data, prefix, "release", g->release);
	put(data, prefix, "k8s", g->k8s ? arena_printf("0.%d", g->k8s) : "");
	put(data, prefix, "image", g->image);
	put(data, prefix, "config-tracking", g->config_tracking ? "true" : "false");
	put(data, prefix, "namespace", g->watches);
	put(data, prefix, at_key(prefix), g->at);
}

static struct tree *data_of(const struct guarded *g)
{
	struct tree *data = tree_new_map();

	put_one(data, g, "");
	if (g->begun)
		put_one(data, g->begun, BEGUN);
	return data;
}

const struct tree *guarded_object(const struct guarded *g, const char *namespace)
{
	struct tree *object = tree_new_map(), *metadata = tree_new_map();

	tree_put(metadata, "name", tree_new_string(GUARDED_NAME));
	tree_put(metadata, "namespace", tree_new_string(namespace));
	tree_put(object, "apiVersion", tree_new_string("v1"));
	tree_put(object, "kind", tree_new_string("ConfigMap"));
	tree_put(object, "metadata", metadata);
	tree_put(object, "data", data_of(g));
	return object;
}

bool guarded_alike(const struct guarded *a, const struct guarded *b)
{
	if (a->config_tracking != b->config_tracking || strcmp(a->watches, b->watches) != 0)
		return false;
	return a->k8s && b->k8s ? a->k8s == b->k8s : strcmp(a->image, b->image) == 0;
}

bool guarded_same(const struct guarded *a, const struct guarded *b)
{
	if (!a->begun != !b->begun || (a->begun && !guarded_same(a->begun, b->begun)))
		return false;
	return guarded_alike(a, b) && a->k8s == b->k8s && strcmp(a->image, b->image) == 0 &&
	       strcmp(a->release, b->release) == 0;
}
