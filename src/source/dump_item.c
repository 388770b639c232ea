/* SPDX-License-Identifier: Apache-2.0 */
#include "source/dump_item.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "flagger/releases.h"
#include "value/json.h"
#include "value/json_outline.h"

static bool runs_flagger(const struct tree *deployment)
{
	tree_each(c, tree_path(deployment, "spec", "template", "spec", "containers", NULL))
		if (release_is_flagger(tree_string_or(tree_get(c, "image"), "")))
			return true;
	return false;
}

static const char *controller_uid(const struct tree *object)
{
	tree_each(owner, tree_path(object, "metadata", "ownerReferences", NULL))
		if (tree_true(tree_get(owner, "controller")))
			return tree_string(tree_get(owner, "uid"));
	return NULL;
}

enum object_kind dump_kind_named(const char *name)
{
	for (int kind = KIND_OTHER + 1; kind <= KIND_CLUSTERINFO; kind++)
		if (kind != KIND_KNATIVE && strcmp(object_kind_name((enum object_kind)kind), name) == 0)
			return (enum object_kind)kind;
	return KIND_OTHER;
}

int dump_minor(const char *version)
{
	char *end;
	long n;

	version += *version == 'v';
	if (strncmp(version, "1.", 2) != 0 || !strchr("123456789", version[2]))
		return 0;
	n = strtol(version + 2, &end, 10);
	return strchr(".+-", *end) && n < 1000 ? (int)n : 0;
}

/* False where its version is none. */
static bool take_cluster_info(struct dump *d, const struct tree *info)
{
	const struct tree *version = tree_get(info, "serverVersion");
	const char *namespace = tree_string(tree_get(info, "namespace"));

	tree_each(kind, tree_get(info, "lists"))
		dump_tell_listed(d, dump_kind_named(tree_string_or(kind, "")), namespace);
	d->lists_told |= namespace != NULL;
	if (!version || tree_kind(version) == TREE_NULL)
		return true;
	d->server_minor = dump_minor(tree_string_or(version, ""));
	return d->server_minor > 0;
}

/* What is kept of an object. */
struct found {
	enum object_kind kind;
	uint32_t key; /* 0: never looked up */
	uint32_t listed;
	uint32_t aim; /* of a canary: its target, whatever its kind */
	bool runs_flagger, has_owners;
	size_t namespace_width, name_width;
};

static struct found look_at(const struct tree *t)
{
	enum object_kind kind = object_kind(t);
	struct identity id = object_identity(t, "default");
	struct found f = {.kind = kind, .listed = index_key(kind, id.namespace, "")};
	bool revision = kind == KIND_REPLICASET || kind == KIND_CONTROLLERREVISION;
	const char *name = revision ? controller_uid(t) : id.name;

	if (kind != KIND_OTHER && name && *name)
		f.key = index_key(kind, id.namespace, name);
	f.has_owners = object_is_target(kind) && tree_path(t, "metadata", "managedFields", NULL);
	f.runs_flagger = kind == KIND_DEPLOYMENT && runs_flagger(t);
	f.namespace_width = terminal_width(id.namespace);
	f.name_width = terminal_width(id.name);
	return f;
}

/* Canaries are small, and most of one is its analysis. */
static uint32_t aim_of(const struct dump_item *item, const struct tree *canary)
{
	static const char *const wanted[] = {"spec", NULL}, *const unread[] = {"analysis", "service", NULL};
	struct identity id = object_identity(canary, "default");
	struct buffer outline = {.max = TREE_MAX_BYTES};
	const struct tree *t = NULL;
	struct error ignored;

	if (json_outline(&outline, item->text, item->len, wanted, unread))
		t = json_parse(buffer_text(&outline), outline.len, item->name, &ignored);
	return index_key(KIND_CANARY, id.namespace, dump_target_name(t));
}

static void note_listed(struct dump *d, uint32_t key)
{
	if (d->lists_told || d->listed_everywhere & 1u << index_kind(key))
		return;
	/* Objects of one kind and namespace come together: the last few entries tell. */
	for (size_t i = d->listed.count; i > 0 && d->listed.count - i < 8; i--)
		if (index_at(&d->listed, i - 1).key == key)
			return;
	index_add(&d->listed, key, 0);
}

static void widen(size_t *width, size_t to)
{
	if (*width < to)
		*width = to;
}

static void keep(struct dump *d, const struct found *f, uint64_t place)
{
	if (!f->key)
		return;
	note_listed(d, f->listed);
	index_add(&d->index, f->key, place);
	d->has_owners |= f->has_owners;
	d->targets += object_is_target(f->kind);
	if (f->runs_flagger)
		index_add(&d->flaggers, f->kind, place);
	if (f->kind == KIND_CANARY) {
		index_add(&d->canaries, f->kind, place);
		index_add(&d->aims, f->aim, place);
		widen(&d->namespace_width, f->namespace_width);
		widen(&d->name_width, f->name_width);
	}
}

/* Can runs_flagger() be true of this text? An image that ends in /flagger, or flagger with a tag. */
static bool may_run_flagger(const struct dump_item *item)
{
	static const char word[] = "flagger";
	const char *p = item->text, *end = p + item->len;

	while ((p = memmem(p, (size_t)(end - p), word, strlen(word)))) {
		const char *next = p + strlen(word);

		if (p > item->text && next < end && memchr("/\"", p[-1], 2) &&
		    (memchr(":@", *next, 2) || (p[-1] == '/' && *next == '"')))
			return true;
		p = next;
	}
	return false;
}

const struct tree *dump_outline(const char *text, size_t len, const char *name, struct error *err)
{
	static const char *const wanted[] = {"apiVersion", "kind", "metadata", NULL};
	static const char *const unread[] = {"managedFields", "annotations", "labels", NULL};
	struct buffer outline = {.max = TREE_MAX_BYTES};

	if (!json_outline(&outline, text, len, wanted, unread))
		return NULL;
	return json_parse(buffer_text(&outline), outline.len, name, err);
}

const char *dump_typed(const char *text, size_t len)
{
	struct error ignored;
	const struct tree *list = json_parse(text, len, "list", &ignored);
	const char *kind = object_list_of(list), *version = tree_string(tree_get(list, "apiVersion"));
	struct buffer typed = {0};

	if (!kind || !*kind || !version)
		return NULL;
	buffer_str(&typed, "{\"apiVersion\":");
	tree_print_string(&typed, version);
	buffer_str(&typed, ",\"kind\":");
	tree_print_string(&typed, kind);
	return buffer_text(&typed);
}

const char *dump_typed_text(size_t *out_len, const char *typed, const char *text, size_t len)
{
	struct buffer whole = {0};
	size_t at = 1;

	while (at < len && strchr(" \t\r\n", text[at]))
		at++;
	buffer_str(&whole, typed);
	if (text[at] != '}')
		buffer_char(&whole, ',');
	buffer_add(&whole, text + 1, len - 1);
	*out_len = whole.len;
	return buffer_text(&whole);
}

/* The identity of a known kind is all that the index needs, and much cheaper to read than the object. */
static const struct tree *read_item(const struct dump_item *item, struct error *err)
{
	const struct tree *t = dump_outline(item->text, item->len, item->name, err), *whole;
	enum object_kind kind = object_kind(t);
	bool identified = t && tree_string(tree_get(t, "apiVersion")) && tree_string(tree_get(t, "kind"));

	if (t && kind != KIND_OTHER && kind != KIND_CLUSTERINFO &&
	    (kind != KIND_DEPLOYMENT || !may_run_flagger(item)))
		return t;
	whole = json_parse_at(item->text, item->len, item->name, item->line, err);
	/* What is bad beyond its outline is so when it is asked for, and ends no run before. */
	return whole || !identified || kind == KIND_CLUSTERINFO ? whole : t;
}

/* What can't be told apart, or is no object, must not read as a fleet without canaries. */
const char *dump_no_object(const struct tree *t)
{
	const char *kind = tree_string_or(tree_get(t, "kind"), "");
	const char *name = tree_string_or(tree_path(t, "metadata", "name", NULL), "");
	enum tree_kind items = tree_kind(tree_get(t, "items"));
	enum object_kind known = object_kind(t);

	if (!*kind || !tree_string(tree_get(t, "apiVersion")))
		return "not a Kubernetes object: no apiVersion or kind (kubectl get -o json writes both)";
	if (strcmp(kind, "Status") == 0)
		return "a Status, which the API server gives instead of what was asked for";
	if (object_list_of(t) && items != TREE_ABSENT && items != TREE_NULL)
		return "'items' of a List is not a list";
	if (known != KIND_OTHER && known != KIND_CLUSTERINFO && !*name)
		return "object has no metadata.name";
	return NULL;
}

/* What comes of a command that failed before a pipe must not read as a quiet fleet. */
int dump_nothing(const struct strings *paths, struct error *err)
{
	return error_set(err, ERR_INPUT, "nothing in the dump: '%s' holds no object", paths->items[0]);
}

static int check(const struct dump_item *item, const struct tree *t, struct error *err)
{
	const char *wrong = dump_no_object(t);

	if (wrong)
		return error_set(err, ERR_INPUT, "%s:%u: %s", item->name, item->line, wrong);
	if (item->len >= INDEX_MAX_LENGTH)
		return error_set(err, ERR_INPUT, "%s:%u: an object is larger than 16 MiB", item->name, item->line);
	if (item->offset >= INDEX_MAX_OFFSET)
		return error_set(err, ERR_INPUT, "%s:%u: the dump is larger than 1 TiB", item->name, item->line);
	return 0;
}

int dump_take(bool *taken, struct dump *d, const struct dump_item *item, const struct dump_filter *filter,
	      struct error *err)
{
	struct arena_mark mark = arena_mark();
	struct dump_item whole = *item;
	const struct tree *t;
	struct found f;

	if (item->typed)
		whole.text = dump_typed_text(&whole.len, item->typed, item->text, item->len);
	t = read_item(&whole, err);
	if (!t || check(item, t, err) != 0)
		return -1;
	f = look_at(t);
	if (f.kind == KIND_CANARY)
		f.aim = aim_of(&whole, t);
	*taken = f.runs_flagger || !filter || filter->wanted(filter->arg, f.kind, t);
	d->values++;
	if (f.kind == KIND_CLUSTERINFO) /* what it tells stays */
		return take_cluster_info(d, t) ? 0 : error_set(err, ERR_INPUT, "%s:%u: 'serverVersion' is no version "
								"like 1.34", item->name, item->line);
	arena_rewind(mark);
	if (*taken)
		keep(d, &f, index_place(item->offset, item->len));
	return 0;
}
