/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "source/dump_item.h"
#include "value/json.h"
#include "value/json_outline.h"
#include "value/yaml.h"

/* Reading one dump: the file at hand, and how far it was read. */
struct reader {
	struct dump *d;
	const char *name;
	struct dump_file *file;
	int fd;
	uint64_t at;
	const char *typed; /* of the List at hand */
	size_t items;      /* of it so far */
};

static void begin_list(void *arg, const char *text, size_t len)
{
	struct reader *r = arg;

	r->typed = dump_typed(text, len);
	r->items = 0;
}

static bool says_its_kind(const struct json_item *item)
{
	static const char *const wanted[] = {"apiVersion", "kind", NULL}, *const emptied[] = {NULL};
	struct arena_mark mark = arena_mark();
	struct buffer outline = {.max = TREE_MAX_BYTES};
	bool plain = json_outline(&outline, item->text, item->len, wanted, emptied);

	arena_rewind(mark);
	return !plain || outline.len > strlen("{}");
}

static void note_typed(struct dump *d, uint64_t offset, const char *text)
{
	const char *before = d->n_typed ? d->typed[d->n_typed - 1].text : NULL;

	if (before == text)
		return;
	if (d->n_typed == d->cap_typed) {
		size_t cap = d->cap_typed ? d->cap_typed * 2 : 16;

		d->typed = arena_grow(d->typed, d->cap_typed * sizeof(*d->typed), cap * sizeof(*d->typed));
		d->cap_typed = cap;
	}
	d->typed[d->n_typed++] = (struct dump_typed){offset, text};
}

static int take_item(void *arg, const struct json_item *item, struct error *err)
{
	struct reader *r = arg;
	struct dump_item object = {item->text, item->len, r->file->start + item->offset, r->name, item->line,
				   r->typed && !says_its_kind(item) ? r->typed : NULL};
	bool taken;

	r->items++;
	note_typed(r->d, object.offset, object.typed);
	return dump_take(&taken, r->d, &object, NULL, err);
}

/* An empty typed List says that there is none of its kind. */
static int take_list(void *arg, const struct json_item *envelope, struct error *err)
{
	struct reader *r = arg;
	struct arena_mark mark = arena_mark();
	const struct tree *t = json_parse_at(envelope->text, envelope->len, r->name, envelope->line, err);
	const char *kind = object_list_of(t);

	if (!t)
		return -1;
	r->d->values++;
	if (kind && *kind && !r->items)
		r->d->listed_everywhere |= 1u << dump_kind_named(kind);
	arena_rewind(mark);
	r->typed = NULL;
	r->items = 0;
	return 0;
}

static long read_on(void *arg, char *buf, size_t size, struct error *err)
{
	struct reader *r = arg;

	return files_read_on(r->fd, &r->at, buf, size, r->name, err);
}

static struct dump_file *add_file(struct dump *d, const char *name)
{
	if (d->n_files == d->cap_files) {
		size_t cap = d->cap_files ? d->cap_files * 2 : 16;

		d->files = arena_grow(d->files, d->cap_files * sizeof(*d->files), cap * sizeof(*d->files));
		d->cap_files = cap;
	}
	d->files[d->n_files] = (struct dump_file){.name = name, .fd = -1, .start = d->size};
	return &d->files[d->n_files++];
}

static int read_json(struct reader *r, struct error *err)
{
	struct json_split split = {read_on, take_item, take_list, r, r->name, begin_list};

	if (json_split(&split, err) != 0)
		return -1;
	r->d->size += r->at;
	return 0;
}

static int spool_item(struct reader *r, const struct tree *t, unsigned line, struct error *err)
{
	struct buffer b = {.max = TREE_MAX_BYTES};
	struct json_item item = {.line = line};

	tree_print(&b, t, 0);
	item.text = buffer_text(&b);
	item.len = b.len;
	item.offset = r->at;
	if (take_item(r, &item, err) != 0 || files_write(r->fd, item.text, item.len, err) != 0)
		return -1;
	r->at += item.len;
	return 0;
}

static int spool_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct reader *r = arg;
	const struct tree *items = tree_get(t, "items");

	if (tree_kind(t) == TREE_NULL)
		return 0;
	if (tree_kind(t) != TREE_MAP)
		return error_set(err, ERR_INPUT, "%s:%u: not a Kubernetes object", r->name, line);
	if (tree_kind(items) != TREE_LIST)
		return spool_item(r, t, line, err);
	r->d->values++;
	tree_each(item, items)
		if (spool_item(r, object_of_list(item, t), line, err) != 0)
			return -1;
	return 0;
}

/* YAML has no offsets to come back to, so its objects go to a file without a name, as JSON. */
static int read_yaml(struct reader *r, struct error *err)
{
	struct yaml_documents documents = {spool_document, NULL, r, r->name};
	struct dump *d = r->d;
	struct text text;

	if (files_read_whole(&text, r->fd, r->name, err) != 0)
		return -1;
	if (d->spool < 0 && (d->spool = files_spool(err)) < 0)
		return -1;
	close(r->fd);
	r->fd = d->spool;
	r->file->skew = (uint64_t)lseek(d->spool, 0, SEEK_END);
	if (yaml_load(&documents, text.data, text.len, err) != 0)
		return -1;
	d->size += r->at;
	return 0;
}

struct opening {
	struct dump *d;
	const char *given;
};

static int read_file(void *arg, const char *path, struct error *err)
{
	struct opening *o = arg;
	bool from_folder = strcmp(path, o->given) != 0;
	struct reader r = {.d = o->d};
	int result;

	r.name = strcmp(path, "-") == 0 ? "stdin" : arena_strdup(path);
	r.fd = files_open(path, err);
	if (r.fd < 0)
		return -1;
	r.file = add_file(o->d, r.name);
	r.file->lines = files_is_json(r.fd);
	result = r.file->lines ? read_json(&r, err) : read_yaml(&r, err);
	/* A folder may hold more files than a process may have open. */
	if (from_folder && r.fd != o->d->spool)
		close(r.fd);
	else
		r.file->fd = r.fd;
	return result;
}

static const char *where(const struct dump *d, struct index_entry e)
{
	const struct dump_file *f = dump_file_of(d, index_offset(e.place));

	return f->lines ? arena_printf("%s:%u", f->name, dump_line_at(d, index_offset(e.place))) : f->name;
}

static int compare_twins(const struct dump *d, size_t i, struct error *err)
{
	struct index_entry a = index_at(&d->index, i - 1), b = index_at(&d->index, i);
	const struct tree *x = dump_fetch(d, a, err), *y = x ? dump_fetch(d, b, err) : NULL;
	struct identity one, other;

	if (!x || !y)
		return -1;
	one = object_identity(x, "default");
	other = object_identity(y, "default");
	if (!identity_same(&one, &other))
		return 0;
	return error_set(err, ERR_INPUT, "two objects '%s %s/%s': %s and %s", one.kind, one.namespace,
			 one.name, where(d, a), where(d, b));
}

static int refuse_twins(const struct dump *d, struct error *err)
{
	for (size_t i = 1; i < d->index.count; i++) {
		uint32_t key = index_at(&d->index, i).key;
		enum object_kind kind = index_kind(key);
		struct arena_mark mark = arena_mark();

		if (kind == KIND_REPLICASET || kind == KIND_CONTROLLERREVISION)
			continue; /* their keys are their owners' */
		if (index_at(&d->index, i - 1).key == key && compare_twins(d, i, err) != 0)
			return -1;
		arena_rewind(mark);
	}
	return 0;
}

int dump_open(struct dump *out, const struct strings *paths, struct error *err)
{
	*out = (struct dump){.spool = -1};
	for (size_t i = 0; i < paths->count; i++) {
		struct opening o = {out, paths->items[i]};

		if (files_each(o.given, read_file, &o, err) != 0)
			return -1;
	}
	if (!out->values)
		return dump_nothing(paths, err);
	dump_finish(out);
	return refuse_twins(out, err);
}
