/* SPDX-License-Identifier: Apache-2.0 */
#include "source/dump.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "source/dump_item.h"
#include "value/json.h"

const struct dump_file *dump_file_of(const struct dump *d, uint64_t offset)
{
	size_t lo = 0, hi = d->n_files;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->files[mid].start <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return &d->files[lo];
}

int dump_read_at(const struct dump *d, char *text, size_t len, uint64_t offset, struct error *err)
{
	const struct dump_file *f = dump_file_of(d, offset);
	int fd = f->fd >= 0 ? f->fd : files_open(f->name, err), result;

	if (fd < 0)
		return -1;
	result = files_read_at(fd, text, len, offset - f->start + f->skew, f->name, err);
	if (f->fd < 0)
		close(fd);
	return result;
}

unsigned dump_line_at(const struct dump *d, uint64_t offset)
{
	const struct dump_file *f = dump_file_of(d, offset);
	char chunk[4096];
	unsigned line = 1;
	struct error ignored;

	for (uint64_t at = f->start; at < offset;) {
		size_t n = offset - at < sizeof(chunk) ? (size_t)(offset - at) : sizeof(chunk);

		if (dump_read_at(d, chunk, n, at, &ignored) != 0)
			return 0;
		for (size_t i = 0; i < n; i++)
			line += chunk[i] == '\n';
		at += n;
	}
	return line;
}

struct item {
	const char *text;
	size_t len;
	uint64_t offset;
	const char *name;
};

/* What its List says of the object at this offset; NULL: nothing that it doesn't. */
static const char *typed_at(const struct dump *d, uint64_t offset)
{
	size_t lo = 0, hi = d->n_typed;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->typed[mid].offset <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? d->typed[lo - 1].text : NULL;
}

static int read_item(struct item *out, const struct dump *d, struct index_entry e, struct error *err)
{
	char *text = arena_alloc_raw(index_length(e.place));
	const char *typed;

	*out = (struct item){text, index_length(e.place), index_offset(e.place), NULL};
	out->name = dump_file_of(d, out->offset)->name;
	if (dump_read_at(d, text, out->len, out->offset, err) != 0)
		return -1;
	typed = typed_at(d, out->offset);
	if (typed)
		out->text = dump_typed_text(&out->len, typed, text, out->len);
	return 0;
}

const struct tree *dump_fetch(const struct dump *d, struct index_entry e, struct error *err)
{
	const struct tree *t;
	struct item item;

	if (read_item(&item, d, e, err) != 0)
		return NULL;
	t = json_parse(item.text, item.len, item.name, err);
	if (t && d->see && object_kind(t) == KIND_CANARY)
		return d->see(d->see_arg, t);
	/* Only an error needs to know on which line it begins. */
	return t ? t : json_parse_at(item.text, item.len, item.name, dump_line_at(d, item.offset), err);
}

const struct tree *dump_canary(const struct dump *d, size_t i, const char **problem, struct error *err)
{
	struct index_entry e = index_at(&d->canaries, i);
	const struct tree *t = dump_fetch(d, e, err);
	struct item item;

	*problem = t ? NULL : arena_strdup(err->text);
	if (t || read_item(&item, d, e, err) != 0)
		return t;
	return dump_outline(item.text, item.len, item.name, err);
}

bool dump_listed(const struct dump *d, enum object_kind kind, const char *namespace)
{
	return d->listed_everywhere & 1u << kind ||
	       index_find(&d->listed, index_key(kind, namespace, "")) < d->listed.count;
}

struct seen dump_find(const struct dump *d, enum object_kind kind, const char *namespace,
		      const char *name)
{
	uint32_t key = index_key(kind, namespace, name);
	size_t i = index_find(&d->index, key);

	for (; i < d->index.count && index_at(&d->index, i).key == key; i++) {
		struct error err = {ERR_NONE, ""};
		const struct tree *t = dump_fetch(d, index_at(&d->index, i), &err);
		struct identity id = object_identity(t, "default");

		if (!t)
			return (struct seen){READ_BAD, NULL, arena_strdup(err.text)};
		if (strcmp(id.name, name) == 0 && strcmp(id.namespace, namespace) == 0)
			return (struct seen){READ_PRESENT, t, NULL};
	}
	return (struct seen){dump_listed(d, kind, namespace) ? READ_ABSENT : READ_UNREAD, NULL, NULL};
}

const char *dump_target_name(const struct tree *canary)
{
	return tree_string_or(tree_path(canary, "spec", "targetRef", "name", NULL), "");
}

const char *dump_rival(const struct dump *d, const struct tree *canary)
{
	struct identity id = object_identity(canary, "default");
	const char *target = dump_target_name(canary);
	uint32_t key = index_key(KIND_CANARY, id.namespace, target);
	size_t first = index_find(&d->aims, key);

	if (first + 1 >= d->aims.count || index_at(&d->aims, first + 1).key != key)
		return NULL; /* only itself */
	for (size_t i = first; i < d->aims.count && index_at(&d->aims, i).key == key; i++) {
		struct error ignored;
		const struct tree *other = dump_fetch(d, index_at(&d->aims, i), &ignored);
		struct identity its = object_identity(other, "default");

		if (other && strcmp(its.namespace, id.namespace) == 0 && strcmp(its.name, id.name) != 0 &&
		    strcmp(dump_target_name(other), target) == 0)
			return its.name;
	}
	return NULL;
}

static bool owned_by(const struct tree *object, const char *uid)
{
	tree_each(owner, tree_path(object, "metadata", "ownerReferences", NULL))
		if (tree_true(tree_get(owner, "controller")) &&
		    strcmp(tree_string_or(tree_get(owner, "uid"), ""), uid) == 0)
			return true;
	return false;
}

size_t dump_history(const struct tree ***out, const struct dump *d, enum object_kind kind,
		    const struct tree *owner)
{
	struct identity id = object_identity(owner, "default");
	const char *uid = tree_string_or(tree_path(owner, "metadata", "uid", NULL), "");
	uint32_t key = index_key(kind, id.namespace, uid);
	size_t first = index_find(&d->index, key), n = 0, count = 0;
	struct error ignored;

	if (!*uid)
		return 0;
	while (first + n < d->index.count && index_at(&d->index, first + n).key == key)
		n++;
	*out = NEW_ARRAY(const struct tree *, n + 1);
	for (size_t i = first; i < first + n; i++) {
		const struct tree *t = dump_fetch(d, index_at(&d->index, i), &ignored);

		if (!t)
			return 0; /* the newest, it may be */
		if (owned_by(t, uid))
			(*out)[count++] = t;
	}
	return count;
}

void dump_close(struct dump *d)
{
	for (size_t i = 0; i < d->n_files; i++)
		if (d->files[i].fd >= 0 && d->files[i].fd != d->spool)
			close(d->files[i].fd);
	if (d->spool >= 0)
		close(d->spool);
}
