/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/guarded.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/schema.h"

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

bool guarded_read(struct guarded *out, const struct tree *configmap)
{
	const struct tree *data = tree_get(configmap, "data");
	const char *k8s = tree_string_or(tree_get(data, "k8s"), "");

	*out = (struct guarded){
		.image = tree_string(tree_get(data, "image")),
		.release = tree_string_or(tree_get(data, "release"), ""),
		.k8s = strncmp(k8s, "0.", 2) == 0 ? (int)strtol(k8s + 2, NULL, 10) : 0,
		.config_tracking = strcmp(tree_string_or(tree_get(data, "config-tracking"), "true"), "true") == 0,
		.watches = tree_string_or(tree_get(data, "namespace"), ""),
		.at = tree_string_or(tree_get(data, "guarded-at"), ""),
	};
	return out->image && *out->image;
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

void guarded_running(struct running *r, const struct guarded *g, const char *where)
{
	const char *problem = contradiction(r, g, where);
	struct flagger *f = &r->flagger;

	r->where = where;
	r->image = g->image;
	r->watches = g->watches;
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

static struct tree *data_of(const struct guarded *g)
{
	struct tree *data = tree_new_map();

	tree_put(data, "release", tree_new_string(g->release));
	tree_put(data, "k8s", tree_new_string(g->k8s ? arena_printf("0.%d", g->k8s) : ""));
	tree_put(data, "image", tree_new_string(g->image));
	tree_put(data, "config-tracking", tree_new_string(g->config_tracking ? "true" : "false"));
	tree_put(data, "namespace", tree_new_string(g->watches));
	tree_put(data, "guarded-at", tree_new_string(g->at));
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
	return guarded_alike(a, b) && a->k8s == b->k8s && strcmp(a->image, b->image) == 0 &&
	       strcmp(a->release, b->release) == 0;
}
