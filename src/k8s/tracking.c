/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/tracking.h"

#include <string.h>

#include "base/arena.h"
#include "k8s/object.h"

enum place { PLACE_ANNOTATION, PLACE_LABEL };
enum shape { SHAPE_ID, SHAPE_INSTANCE, SHAPE_PLAIN, SHAPE_COMMON };

static const struct tracker {
	const char *engine;
	enum place place;
	const char *key, *namespace_key;
	enum shape shape;
} trackers[] = {
#define TRACKER(engine, place, key, namespace_key, shape) \
	{engine, PLACE_##place, key, namespace_key, SHAPE_##shape},
#include "k8s/trackers.def"
#undef TRACKER
};

#define TRACKERS (sizeof(trackers) / sizeof(*trackers))
_Static_assert(TRACKERS <= TRACKING_MAX, "an object may carry the marks of all");

static const char *mark(const struct tree *object, enum place place, const char *key)
{
	const char *value = place == PLACE_LABEL ? object_label(object, key) : object_annotation(object, key);

	return value && *value ? value : NULL;
}

/* No name of a namespace or an application has an underscore. */
static void read_instance(struct tracked_app *out, const char *text)
{
	const char *underscore = strchr(text, '_');

	out->text = out->name = text;
	if (!underscore)
		return;
	out->namespace = arena_strndup(text, (size_t)(underscore - text));
	out->name = underscore + 1;
}

/* Copied to another object with all its annotations, an id tells nothing of that one. */
static bool read_id(struct tracked_app *out, const char *text, const struct tree *object)
{
	struct identity id = object_identity(object, "default");
	const char *of = strchr(text, ':');

	if (!of || of == text)
		return false;
	if (strcmp(of + 1, arena_printf("%s/%s:%s/%s", id.group, id.kind, id.namespace, id.name)) != 0)
		return false;
	read_instance(out, arena_strndup(text, (size_t)(of - text)));
	return true;
}

static bool read_mark(struct tracked_app *out, const struct tracker *t, const struct tree *object)
{
	const char *text = mark(object, t->place, t->key), *namespace = NULL;

	*out = (struct tracked_app){.engine = t->engine, .namespace = ""};
	if (!text)
		return false;
	switch (t->shape) {
	case SHAPE_ID:
		return read_id(out, text, object);
	case SHAPE_INSTANCE:
	case SHAPE_COMMON:
		read_instance(out, text);
		return true;
	case SHAPE_PLAIN:
		namespace = mark(object, t->place, t->namespace_key);
		break;
	}
	out->text = out->name = text;
	out->namespace = namespace ? namespace : "";
	return true;
}

size_t tracking_read(struct tracked_app out[TRACKING_MAX], const struct tree *object)
{
	size_t n = 0;

	for (size_t i = 0; i < TRACKERS; i++) {
		if (trackers[i].shape == SHAPE_COMMON && n)
			continue;
		n += read_mark(&out[n], &trackers[i], object);
	}
	return n;
}

bool tracking_is(const struct tracked_app *app, const char *wanted)
{
	const char *slash = strchr(wanted, '/');
	size_t len = slash ? (size_t)(slash - wanted) : 0;

	if (!slash)
		return strcmp(app->text, wanted) == 0;
	return strlen(app->namespace) == len && strncmp(app->namespace, wanted, len) == 0 &&
	       strcmp(app->name, slash + 1) == 0;
}
