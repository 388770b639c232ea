/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/configs.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/checksum.h"
#include "flagger/refs.h"

#define OPT_OUT "flagger.app/config-tracking"
#define DUMPED "perch.dev/data-checksum"

/* One ConfigMap or Secret, however often it is referred to. */
struct config {
	enum object_kind kind;
	const char *name, *key;
	bool optional; /* as the last ref has it */
	enum { CONFIG_UNREAD, CONFIG_MISSING, CONFIG_LEFT_OUT, CONFIG_COUNTED } state;
	char checksum[CHECKSUM_SIZE];
	struct config *next;
};

struct config_list {
	struct config *first, **end;
	size_t count;
};

static void collect(void *arg, const struct ref *ref)
{
	struct config_list *list = arg;
	struct config *c;

	for (c = list->first; c; c = c->next)
		if (c->kind == ref->kind && strcmp(c->name, ref->name) == 0)
			break;
	if (!c) {
		c = NEW(struct config);
		c->kind = ref->kind;
		c->name = ref->name;
		c->key = ref_key(ref->kind, ref->name);
		*list->end = c;
		list->end = &c->next;
		list->count++;
	}
	c->optional = ref->optional;
}

static bool type_is_tracked(const struct tree *secret)
{
	static const char *const types[] = {
		"Opaque", "kubernetes.io/basic-auth", "kubernetes.io/ssh-auth", "kubernetes.io/tls",
	};
	const char *type = tree_string_or(tree_get(secret, "type"), "Opaque");

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static bool opts_out(const struct tree *object)
{
	const char *value = object_annotation(object, OPT_OUT);

	return value && strncmp(value, "disable", strlen("disable")) == 0;
}

static bool is_checksum(const char *text)
{
	return text && strlen(text) == CHECKSUM_SIZE - 1 &&
	       strspn(text, "0123456789abcdef") == CHECKSUM_SIZE - 1;
}

static int checksum_of(struct config *c, const struct tree *object, struct error *err)
{
	const char *dumped = object_annotation(object, DUMPED);

	if (!dumped || tree_get(object, "data") || tree_get(object, "stringData"))
		return config_checksum(c->checksum, object, err);
	if (!is_checksum(dumped))
		return error_set(err, ERR_INPUT, "annotation '" DUMPED "' is no checksum");
	memcpy(c->checksum, dumped, CHECKSUM_SIZE);
	return 0;
}

static void read_present(struct config *c, const struct tree *object, struct notes *notes)
{
	struct error err = {0};

	if (c->kind == KIND_SECRET && !type_is_tracked(object)) {
		note_add(notes, "config: %s is of type %s, which Flagger does not track", c->key,
			 tree_string_or(tree_get(object, "type"), ""));
		c->state = CONFIG_LEFT_OUT;
	} else if (opts_out(object)) {
		note_add(notes, "config: %s opts out of tracking", c->key);
		c->state = CONFIG_LEFT_OUT;
	} else if (checksum_of(c, object, &err) < 0) {
		note_add(notes, "config: %s can't be used: %s", c->key, err.text);
	} else {
		c->state = CONFIG_COUNTED;
	}
	if (c->state == CONFIG_COUNTED && !tree_empty(tree_get(object, "binaryData")))
		note_add(notes, "config: %s has binaryData, which Flagger neither compares nor copies: a change "
			 "there starts no run and never reaches the primary", c->key);
}

static void read_config(struct config *c, const char *namespace, const struct lookup *lookup,
			struct notes *notes)
{
	struct seen seen = {.reading = READ_UNREAD};

	if (lookup->find)
		seen = lookup->find(lookup->arg, c->kind, namespace, c->name);
	switch (seen.reading) {
	case READ_UNREAD:
		break;
	case READ_BAD:
		note_add(notes, "config: %s can't be used: %s", c->key, seen.problem);
		break;
	case READ_ABSENT:
		c->state = c->optional ? CONFIG_LEFT_OUT : CONFIG_MISSING;
		break;
	case READ_PRESENT:
		read_present(c, seen.object, notes);
		break;
	}
}

/* Nobody reads a Secret here, though what is shown is but its checksum. */
static const struct tree *shown(enum object_kind kind, const char *checksum)
{
	return tree_new_string(kind == KIND_SECRET ? "***" : checksum);
}

static void add_change(struct changes *list, const char *key, enum object_kind kind,
		       const char *old_checksum, const char *new_checksum)
{
	struct change *c = NEW(struct change);

	c->path = key;
	c->class = CLASS_CONFIG;
	c->op = !old_checksum ? CHANGE_ADD : !new_checksum ? CHANGE_REMOVE : CHANGE_REPLACE;
	c->old_value = old_checksum ? shown(kind, old_checksum) : NULL;
	c->new_value = new_checksum ? shown(kind, new_checksum) : NULL;
	changes_add(list, c);
}

static void compare_counted(struct configs *out, const struct config_list *list,
			    const struct tree *tracked)
{
	for (const struct config *c = list->first; c; c = c->next) {
		const char *old = tree_string(tree_get(tracked, c->key));

		if (c->state == CONFIG_COUNTED && (!old || strcmp(old, c->checksum) != 0))
			add_change(&out->changes, c->key, c->kind, old, c->checksum);
	}
}

/* What is tracked and no more counted. */
static void compare_tracked(struct configs *out, const struct config_list *list,
			    const struct tree *tracked)
{
	tree_each(entry, tracked) {
		const char *key = tree_key(entry);
		bool secret = strncmp(key, "secret/", strlen("secret/")) == 0;
		const struct config *c = list->first;

		while (c && strcmp(c->key, key) != 0)
			c = c->next;
		if (!c || c->state == CONFIG_LEFT_OUT)
			add_change(&out->changes, key, secret ? KIND_SECRET : KIND_CONFIGMAP,
				   tree_string_or(entry, ""), NULL);
	}
}

static void note_unread(const struct configs *out, const struct config_list *list, struct notes *notes)
{
	const struct config *c = list->first;

	while (c && c->state != CONFIG_UNREAD)
		c = c->next;
	if (c)
		note_add(notes, "config: %zu of %zu not read (%s%s): a change there is left to Flagger",
			 out->unread, out->refs, c->key, out->unread > 1 ? ", …" : "");
}

static void answer(struct configs *out, const struct canary *c, const struct config_list *list,
		   size_t counted, struct notes *notes)
{
	enum answer quiet = out->unread ? ANSWER_UNKNOWN : ANSWER_NO;

	if (c->tracked) {
		compare_counted(out, list, c->tracked);
		compare_tracked(out, list, c->tracked);
		out->fires = out->changed = out->changes.count ? ANSWER_YES : quiet;
	} else {
		/* Nothing was tracked before, so nothing can be said to differ; Flagger runs all the same. */
		out->fires = counted ? ANSWER_YES : quiet;
		out->changed = quiet;
		if (counted)
			note_add(notes, "config: nothing is tracked yet and %zu of %zu refs count: Flagger "
				 "runs, which cannot be absorbed", counted, out->refs);
	}
	if (out->missing) {
		out->fires = ANSWER_NO;
		note_add(notes, "config: %s does not exist: Flagger's check of this canary ends there",
			 out->missing);
	}
}

void configs_compare(struct configs *out, const struct canary *c, const struct tree *target,
		     const struct flagger *flagger, const struct lookup *lookup, struct notes *notes)
{
	struct config_list list = {.end = &list.first};
	size_t counted = 0;

	*out = (struct configs){0};
	if (c->target_kind != KIND_DEPLOYMENT && c->target_kind != KIND_DAEMONSET)
		return;
	refs_each(tree_path(target, "spec", "template", "spec", NULL), collect, &list);
	out->refs = list.count;
	if (!flagger->config_tracking) {
		if (list.count)
			note_add(notes, "config: tracking is off in Flagger: no change there starts a run");
		return;
	}
	for (struct config *config = list.first; config; config = config->next) {
		read_config(config, c->namespace, lookup, notes);
		out->unread += config->state == CONFIG_UNREAD;
		counted += config->state == CONFIG_COUNTED;
		if (config->state == CONFIG_MISSING && !out->missing)
			out->missing = config->key;
	}
	note_unread(out, &list, notes);
	answer(out, c, &list, counted, notes);
}
