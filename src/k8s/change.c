/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/change.h"

#include <string.h>

#include "base/arena.h"
#include "base/glob.h"

static const struct {
	const char *pattern, *holds;
	enum change_class class;
} classes[] = {
#define CLASS(pattern, holds, class) {pattern, holds, CLASS_##class},
#include "k8s/classes.def"
#undef CLASS
};

static const char *const class_names[] = {
	[CLASS_IMAGE] = "image",           [CLASS_COMMAND] = "command",
	[CLASS_ENV] = "env",               [CLASS_CONFIG] = "config",
	[CLASS_RESOURCES] = "resources",   [CLASS_PROBE] = "probe",
	[CLASS_PORT] = "port",             [CLASS_VOLUME] = "volume",
	[CLASS_SECURITY] = "security",     [CLASS_SCHEDULING] = "scheduling",
	[CLASS_METADATA] = "metadata",     [CLASS_RESTART] = "restart",
	[CLASS_OTHER] = "other",
};

static const char *const op_names[] = {
	[CHANGE_ADD] = "add", [CHANGE_REMOVE] = "remove", [CHANGE_REPLACE] = "replace",
};

const char *change_class_name(enum change_class class)
{
	return class_names[class];
}

/* What a class is called in a sentence. */
static const char *subject_of(enum change_class class, const struct changes *list)
{
	static const char prefix[] = "spec.template.spec.";

	if (class != CLASS_OTHER)
		return change_class_name(class);
	change_each(c, list)
		if (c->class == class)
			return strncmp(c->path, prefix, strlen(prefix)) ? c->path : c->path + strlen(prefix);
	return change_class_name(class);
}

const char *changes_classes(const struct changes *list, size_t *count)
{
	const char *text = "";
	unsigned seen = 0;
	size_t n = 0;

	change_each(c, list)
		seen |= 1u << c->class;
	for (int class = CLASS_IMAGE; class <= CLASS_OTHER; class++) {
		if (!(seen & 1u << class))
			continue;
		seen &= ~(1u << class);
		text = arena_printf("%s%s%s", text, !n++ ? "" : seen ? ", " : " and ",
				    subject_of((enum change_class)class, list));
	}
	if (count)
		*count = n;
	return text;
}

const char *change_op_name(enum change_op op)
{
	return op_names[op];
}

void changes_add(struct changes *list, struct change *c)
{
	c->next = NULL;
	if (list->last)
		list->last->next = c;
	else
		list->first = c;
	list->last = c;
	list->count++;
}

static bool has(const struct tree *value, const char *place)
{
	while (value && place) {
		const char *dot = strchr(place, '.');

		value = tree_get(value, dot ? arena_strndup(place, (size_t)(dot - place)) : place);
		place = dot ? dot + 1 : NULL;
	}
	return value != NULL;
}

enum change_class change_classify(const struct change *c)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		const char *pattern = classes[i].pattern;

		if (strncmp(pattern, c->path, strcspn(pattern, "*")) != 0 || !glob_match(pattern, c->path, "."))
			continue;
		if (!classes[i].holds || has(c->old_value, classes[i].holds) ||
		    has(c->new_value, classes[i].holds))
			return classes[i].class;
	}
	return CLASS_OTHER;
}
