/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "io/files.h"
#include "source/dump.h"
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
};

static const char *image_name(const char *image)
{
	const char *slash = strrchr(image, '/');

	return slash ? slash + 1 : image;
}

/* ghcr.io/fluxcd/flagger:1.38.0, and any mirror of it. */
static bool runs_flagger(const struct tree *deployment)
{
	tree_each(c, tree_path(deployment, "spec", "template", "spec", "containers", NULL)) {
		const char *name = image_name(tree_string_or(tree_get(c, "image"), ""));

		if (strncmp(name, "flagger", 7) == 0 && (!name[7] || strchr(":@", name[7])))
			return true;
	}
	return false;
}

static const char *controller_uid(const struct tree *object)
{
	tree_each(owner, tree_path(object, "metadata", "ownerReferences", NULL))
		if (tree_true(tree_get(owner, "controller")))
			return tree_string(tree_get(owner, "uid"));
	return NULL;
}

static enum object_kind kind_named(const char *name)
{
	for (int kind = KIND_OTHER + 1; kind <= KIND_CLUSTERINFO; kind++)
		if (kind != KIND_KNATIVE && strcmp(object_kind_name((enum object_kind)kind), name) == 0)
			return (enum object_kind)kind;
	return KIND_OTHER;
}

/* Of "1.36" or "v1.36.2-eks-1"; 0: it is no version. */
static int minor_of(const char *version)
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

	tree_each(kind, tree_get(info, "lists"))
		d->listed_everywhere |= 1u << kind_named(tree_string_or(kind, ""));
	if (!version || tree_kind(version) == TREE_NULL)
		return true;
	d->server_minor = minor_of(tree_string_or(version, ""));
	return d->server_minor > 0;
}

/* What is kept of an object. */
struct found {
	enum object_kind kind;
	uint32_t key; /* 0: never looked up */
	uint32_t listed;
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

static void note_listed(struct dump *d, uint32_t key)
{
	if (d->listed_everywhere & 1u << index_kind(key))
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
		index_add(&d->flaggers, 0, place);
	if (f->kind == KIND_CANARY) {
		index_add(&d->canaries, 0, place);
		widen(&d->namespace_width, f->namespace_width);
		widen(&d->name_width, f->name_width);
	}
}

/* Can runs_flagger() be true of this text? An image that ends in /flagger, or flagger with a tag. */
static bool may_run_flagger(const struct json_item *item)
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

/* The identity of a known kind is all that the index needs, and much cheaper to read than the object. */
static const struct tree *read_item(const struct reader *r, const struct json_item *item, struct error *err)
{
	static const char *const wanted[] = {"apiVersion", "kind", "metadata", NULL};
	static const char *const unread[] = {"managedFields", "annotations", "labels", NULL};
	struct buffer outline = {.max = TREE_MAX_BYTES};
	const struct tree *t = NULL;
	enum object_kind kind;

	if (json_outline(&outline, item->text, item->len, wanted, unread))
		t = json_parse(buffer_text(&outline), outline.len, r->name, err);
	kind = object_kind(t);
	if (t && kind != KIND_OTHER && kind != KIND_CLUSTERINFO &&
	    (kind != KIND_DEPLOYMENT || !may_run_flagger(item)))
		return t;
	return json_parse_at(item->text, item->len, r->name, item->line, err);
}

/* What can't be told apart, or is no object, must not read as a fleet without canaries. */
static const char *no_object(const struct tree *t)
{
	const char *kind = tree_string_or(tree_get(t, "kind"), "");
	const char *name = tree_string_or(tree_path(t, "metadata", "name", NULL), "");
	enum tree_kind items = tree_kind(tree_get(t, "items"));
	enum object_kind known = object_kind(t);
	size_t len = strlen(kind);

	if (!*kind || !tree_string(tree_get(t, "apiVersion")))
		return "not a Kubernetes object: no apiVersion or kind (kubectl get -o json writes both)";
	if (strcmp(kind, "Status") == 0)
		return "a Status, which the API server gives instead of what was asked for";
	if (len >= 4 && strcmp(kind + len - 4, "List") == 0 && items != TREE_ABSENT && items != TREE_NULL)
		return "'items' of a List is not a list";
	if (known != KIND_OTHER && known != KIND_CLUSTERINFO && !*name)
		return "object has no metadata.name";
	return NULL;
}

static int take_item(void *arg, const struct json_item *item, struct error *err)
{
	struct reader *r = arg;
	struct arena_mark mark = arena_mark();
	const struct tree *t = read_item(r, item, err);
	uint64_t offset = r->file->start + item->offset;
	const char *wrong;
	struct found f;

	if (!t)
		return -1;
	if ((wrong = no_object(t)))
		return error_set(err, ERR_INPUT, "%s:%u: %s", r->name, item->line, wrong);
	r->d->values++;
	f = look_at(t);
	if (f.kind == KIND_CLUSTERINFO && !take_cluster_info(r->d, t))
		return error_set(err, ERR_INPUT, "%s:%u: 'serverVersion' is no version like 1.34", r->name,
				 item->line);
	arena_rewind(mark);
	if (item->len >= INDEX_MAX_LENGTH)
		return error_set(err, ERR_INPUT, "%s:%u: an object is larger than 16 MiB", r->name, item->line);
	if (offset >= INDEX_MAX_OFFSET)
		return error_set(err, ERR_INPUT, "%s:%u: the dump is larger than 1 TiB", r->name, item->line);
	keep(r->d, &f, index_place(offset, item->len));
	return 0;
}

/* An empty typed List says that there is none of its kind. */
static int take_list(void *arg, const struct json_item *envelope, struct error *err)
{
	struct reader *r = arg;
	struct arena_mark mark = arena_mark();
	const struct tree *t = json_parse_at(envelope->text, envelope->len, r->name, envelope->line, err);
	const char *kind = tree_string_or(tree_get(t, "kind"), "");
	size_t len = strlen(kind);

	if (!t)
		return -1;
	r->d->values++;
	if (len > 4 && strcmp(kind + len - 4, "List") == 0)
		r->d->listed_everywhere |= 1u << kind_named(arena_strndup(kind, len - 4));
	arena_rewind(mark);
	return 0;
}

static long read_on(void *arg, char *buf, size_t size, struct error *err)
{
	struct reader *r = arg;
	ssize_t n;

	do
		n = pread(r->fd, buf, size, (off_t)r->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(err, ERR_INPUT, "can't read '%s': %s", r->name, strerror(errno));
	r->at += (uint64_t)n;
	return n;
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
	struct json_split split = {read_on, take_item, take_list, r, r->name};

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
		if (spool_item(r, item, line, err) != 0)
			return -1;
	return 0;
}

/* YAML has no offsets to come back to, so its objects go to a file without a name, as JSON. */
static int read_yaml(struct reader *r, struct error *err)
{
	struct yaml_documents documents = {spool_document, NULL, r, r->name};
	struct dump *d = r->d;
	off_t len = lseek(r->fd, 0, SEEK_END);
	char *text;

	if (len > (off_t)FILES_MAX_BYTES)
		return error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB, which only JSON may be", r->name,
				 FILES_MAX_BYTES >> 20);
	text = arena_alloc_raw((size_t)len + 1);
	if (files_read_at(r->fd, text, (size_t)len, 0, r->name, err) != 0)
		return -1;
	if (d->spool < 0 && (d->spool = files_spool(err)) < 0)
		return -1;
	close(r->fd);
	r->fd = d->spool;
	r->file->skew = (uint64_t)lseek(d->spool, 0, SEEK_END);
	if (yaml_load(&documents, text, (size_t)len, err) != 0)
		return -1;
	d->size += r->at;
	return 0;
}

/* By its first byte that is no blank, past a byte order mark; names say little of a pipe. */
static bool is_json(int fd)
{
	char head[512];
	ssize_t n = pread(fd, head, sizeof(head), 0), i = 0;

	if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < n && memchr(" \t\r\n", head[i], 4))
		i++;
	return i < n && head[i] == '{';
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
	r.file->lines = is_json(r.fd);
	result = r.file->lines ? read_json(&r, err) : read_yaml(&r, err);
	/* A folder may hold more files than a process may have open. */
	if (from_folder && r.fd != o->d->spool)
		close(r.fd);
	else
		r.file->fd = r.fd;
	return result;
}

static unsigned line_of(const struct dump *d, const struct dump_file *f, uint64_t offset)
{
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

static const char *where(const struct dump *d, struct index_entry e)
{
	const struct dump_file *f = dump_file_of(d, e.place >> 24);

	return f->lines ? arena_printf("%s:%u", f->name, line_of(d, f, e.place >> 24)) : f->name;
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
	/* What comes of a command that failed before a pipe must not read as a quiet fleet. */
	if (!out->values)
		return error_set(err, ERR_INPUT, "nothing in the dump: '%s' holds no object", paths->items[0]);
	index_sort(&out->index);
	index_sort(&out->listed);
	return refuse_twins(out, err);
}
