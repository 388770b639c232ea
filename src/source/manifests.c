/* SPDX-License-Identifier: Apache-2.0 */
#include "source/manifests.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/schema.h"
#include "source/place.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/yaml.h"

struct load {
	struct manifests *m;
	const struct text *text;
	const char *document; /* the one at hand */
	unsigned line;
};

static const struct places *places_of(const struct manifest *o)
{
	return places_read(o->document, o->text->len - (size_t)(o->document - o->text->data), 0);
}

static unsigned line_in(const struct places *places, const struct manifest *o, const char *pointer)
{
	unsigned line = places_line(places, arena_printf("%s%s", o->pointer, pointer));

	return line ? o->line + line - 1 : 0;
}

static unsigned line_at(const struct manifest *o, const char *pointer)
{
	struct arena_mark mark = arena_mark();
	unsigned line = line_in(places_of(o), o, pointer);

	arena_rewind(mark);
	return line;
}

/* Documents come in order: goes on to the line on which the next one begins. */
static void go_to_line(struct load *l, unsigned line)
{
	const char *end = l->text->data + l->text->len, *next;

	while (l->line < line && (next = memchr(l->document, '\n', (size_t)(end - l->document)))) {
		l->document = next + 1;
		l->line++;
	}
}

unsigned manifest_line(const struct manifest *m, const char *path)
{
	return line_at(m, place_of_path(m->object, m->kind, path));
}

/* All in one reading of the document: a manifest may have thousands of changes. */
void manifest_place(const struct manifest *m, struct change *const *list, size_t n)
{
	struct arena_mark mark = arena_mark();
	const struct places *places = n ? places_of(m) : NULL;

	for (size_t i = 0; i < n; i++) {
		struct arena_mark back = arena_mark();

		list[i]->file = m->text->name;
		list[i]->line = line_in(places, m, place_of_path(m->object, m->kind, list[i]->path));
		arena_rewind(back);
	}
	arena_rewind(mark);
}

/* The path that a remark is about, after its first word; NULL where it is about none. */
static const char *path_in(const char *note)
{
	const char *path = strstr(note, ": "), *end;

	if (!path)
		return NULL;
	path += 2;
	end = strstr(path, ": ");
	if (!end || (strncmp(path, "spec", 4) != 0 && strncmp(path, "metadata", 8) != 0))
		return NULL;
	return arena_strndup(path, (size_t)(end - path));
}

struct notes manifest_place_notes(const struct manifest *m, const struct notes *notes)
{
	struct notes out = {0};

	note_each(n, notes) {
		const char *path = path_in(n->text);

		if (path)
			note_add(&out, "%.*s%s:%u: %s", (int)(strstr(n->text, ": ") + 2 - n->text), n->text,
				 m->text->name, manifest_line(m, path), strstr(n->text, ": ") + 2);
		else
			note_add(&out, "%s", n->text);
	}
	return out;
}

struct check {
	const struct manifests *m;
	const struct manifest *o;
	struct error *err;
	size_t wrong;
};

static void on_problem(void *arg, enum schema_problem problem, const char *path,
		       const struct tree *value, const char *text)
{
	struct check *c = arg;
	const char *pointer;

	if (problem != SCHEMA_WRONG_TYPE || c->wrong++)
		return;
	pointer = place_of_node(c->o->object, value);
	error_set(c->err, ERR_INPUT, "%s:%u: %s: %s", c->o->text->name,
		  pointer ? line_at(c->o, pointer) : manifest_line(c->o, path), path, text);
}

/* A ConfigMap's and a Secret's entries are strings; a Secret's data are base64. Values never show. */
static int check_entries(const struct manifest *o, const char *name, bool base64, struct error *err)
{
	const struct tree *map = tree_get(o->object, name);
	enum tree_kind kind = tree_kind(map);

	if (kind != TREE_MAP && kind != TREE_ABSENT && kind != TREE_NULL)
		return error_set(err, ERR_INPUT, "%s:%u: %s: expected map, got %s", o->text->name,
				 manifest_line(o, name), name, tree_kind_name(kind));
	tree_each(entry, map) {
		const char *what = NULL;

		kind = tree_kind(entry);
		if (kind != TREE_STRING && kind != TREE_NULL)
			what = arena_printf("expected string, got %s", tree_kind_name(kind));
		else if (base64 && kind == TREE_STRING && !base64_canonical(tree_string(entry)))
			what = "not base64";
		if (what)
			return error_set(err, ERR_INPUT, "%s:%u: %s[%s]: %s", o->text->name,
					 line_at(o, place_of_node(o->object, entry)), name, tree_key(entry), what);
	}
	return 0;
}

static int check_config(const struct manifest *o, struct error *err)
{
	bool secret = o->kind == KIND_SECRET;

	if (!secret && o->kind != KIND_CONFIGMAP)
		return 0;
	return check_entries(o, "data", secret, err) || check_entries(o, "stringData", false, err) ||
	       check_entries(o, "binaryData", true, err) ? -1 : 0;
}

static int check(const struct manifests *m, const struct manifest *o, struct error *err)
{
	const struct schema_type *type = schema_root(o->kind);
	struct check c = {m, o, err, 0};

	if (type)
		schema_check(o->object, type, m->minor, "", on_problem, &c);
	return c.wrong ? -1 : check_config(o, err);
}

/* What a server writes and no applier sends. */
static const struct tree *without_server_side(const struct manifests *m, const struct manifest *o)
{
	bool status = tree_get(o->object, "status"), owners;
	struct tree *copy;

	owners = tree_path(o->object, "metadata", "managedFields", NULL);
	if (!status && !owners)
		return o->object;
	copy = tree_copy(o->object);
	if (status) {
		note_add(m->warnings, "status: %s:%u: left out, no applier sends it", o->text->name,
			 line_at(o, "/status"));
		tree_remove(copy, "status");
	}
	if (owners) {
		note_add(m->warnings, "managedFields: %s:%u: left out, server-side apply refuses them",
			 o->text->name, line_at(o, "/metadata/managedFields"));
		tree_remove(tree_get_mutable(copy, "metadata"), "managedFields");
	}
	return copy;
}

static const char template_hint[] = " (a template? perch reads what is rendered)";

/* What is in names of objects that perch knows; the server refuses all else. */
static bool is_name(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.")] == '\0';
}

static void doubt_names(struct manifests *m, const struct manifest *o)
{
	static const char *const pointers[] = {"/metadata/name", "/metadata/namespace"};
	const char *const names[] = {o->id.name, o->id.namespace};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && o->kind != KIND_OTHER; i++)
		if (!is_name(names[i]))
			note_add(m->warnings, "name: %s:%u: '%s' is none that the API server takes%s", o->text->name,
				 line_at(o, pointers[i]), names[i], strchr(names[i], '{') ? template_hint : "");
}

static void keep(struct manifests *m, const struct manifest *o)
{
	if (m->count == m->cap) {
		size_t cap = m->cap ? m->cap * 2 : 64;

		m->items = arena_grow(m->items, m->cap * sizeof(*o), cap * sizeof(*o));
		m->cap = cap;
	}
	m->items[m->count++] = *o;
}

static int no_object(const struct manifest *o, const char *what, struct error *err)
{
	return error_set(err, ERR_INPUT, "%s:%u: %s", o->text->name, line_at(o, ""), what);
}

static int add_object(struct load *l, const struct tree *object, const char *pointer,
		      struct error *err)
{
	struct manifests *m = l->m;
	struct manifest o = {
		.object = object,
		.kind = object_kind(object),
		.text = l->text,
		.document = l->document,
		.line = l->line,
		.pointer = pointer,
	};

	o.id = object_identity(object, m->namespace ? m->namespace : "default");
	if (m->objects_only && (!*o.id.kind || !tree_string(tree_get(object, "apiVersion")))) {
		m->skipped++;
		return 0;
	}
	if (tree_kind(object) != TREE_MAP)
		return no_object(&o, "not a Kubernetes object", err);
	if (!*o.id.kind || !tree_string(tree_get(object, "apiVersion")))
		return no_object(&o, "not a Kubernetes object: no apiVersion or kind", err);
	if (o.kind == KIND_OTHER && !m->any_kind) {
		m->skipped++;
		return 0;
	}
	if (!*o.id.name && o.kind != KIND_CLUSTERINFO && !m->objects_only)
		return no_object(&o, "object has no metadata.name", err);
	if (!m->unchecked && check(m, &o, err) != 0)
		return -1;
	if (!m->live) {
		doubt_names(m, &o);
		o.object = without_server_side(m, &o);
	}
	keep(m, &o);
	return 0;
}

static int add_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct load *l = arg;
	size_t i = 0;
	int result = 0;

	go_to_line(l, line);
	if (object_list_of(t) && tree_kind(tree_get(t, "items")) == TREE_LIST) {
		tree_each(item, tree_get(t, "items")) {
			const char *pointer = arena_printf("/items/%zu", i++);

			if (result == 0)
				result = add_object(l, object_of_list(item, t), pointer, err);
		}
	} else if (tree_kind(t) != TREE_NULL) {
		result = add_object(l, t, "", err);
	}
	return result;
}

static void on_warning(void *arg, const char *text)
{
	struct load *l = arg;

	note_add(l->m->warnings, "yaml: %s", text);
}

static bool looks_like_json(const struct text *text)
{
	size_t i = 0;

	while (i < text->len && strchr(" \t\r\n", text->data[i]) && text->data[i])
		i++;
	return i < text->len && (text->data[i] == '{' || text->data[i] == '[');
}

/* Kustomize's own file is no object, often without a kind, and a sign of manifests not yet built. */
static bool is_kustomization(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return strcmp(name, "kustomization.yaml") == 0 || strcmp(name, "kustomization.yml") == 0;
}

static int refuse_binary(const struct text *text, struct error *err)
{
	static const char lfs[] = "version https://git-lfs.github.com/spec/";

	if (text->len >= 2 && (memcmp(text->data, "\xff\xfe", 2) == 0 || memcmp(text->data, "\xfe\xff", 2) == 0))
		return error_set(err, ERR_INPUT, "%s:1: the text is UTF-16, which must be converted to UTF-8",
				 text->name);
	if (text->len >= sizeof(lfs) - 1 && memcmp(text->data, lfs, sizeof(lfs) - 1) == 0)
		return error_set(err, ERR_INPUT, "%s:1: a pointer of Git LFS, which must be fetched first (git lfs pull)",
				 text->name);
	if (memchr(text->data, '\0', text->len))
		return error_set(err, ERR_INPUT, "%s: a NUL byte: neither YAML nor JSON", text->name);
	return 0;
}

/* A chart's templates are no YAML, and the parser's word for them is a riddle. */
static int load_yaml(struct load *l, const struct text *text, struct error *err)
{
	struct yaml_documents d = {add_document, on_warning, l, text->name};

	if (yaml_load(&d, text->data, text->len, err) == 0)
		return 0;
	if (memmem(text->data, text->len, "{{", 2))
		return error_set(err, err->kind, "%s%s", arena_strdup(err->text), template_hint);
	return -1;
}

int manifests_add_text(struct manifests *m, const struct text *text, struct error *err)
{
	struct load l = {m, arena_alloc(sizeof(*text)), text->data, 1};
	const struct tree *t;
	struct error ignored;

	if (is_kustomization(text->name)) {
		note_add(m->warnings, "kustomization: %s: left out, perch reads what kustomize builds",
			 text->name);
		return 0;
	}
	*(struct text *)l.text = *text;
	if (refuse_binary(text, err) != 0)
		return -1;
	if (files_json_name(text->name)) {
		t = json_parse(text->data, text->len, text->name, err);
		return t ? add_document(&l, t, 1, err) : -1;
	}
	/* JSON by another name, as from a pipe; a YAML flow mapping begins alike. */
	if (looks_like_json(text)) {
		t = json_parse(text->data, text->len, text->name, &ignored);
		if (t)
			return add_document(&l, t, 1, err);
	}
	return load_yaml(&l, text, err);
}

static int on_path(void *arg, const char *path, struct error *err)
{
	struct text text;

	return files_read(&text, path, err) || manifests_add_text(arg, &text, err) ? -1 : 0;
}

static int on_text(void *arg, const struct text *text, struct error *err)
{
	return manifests_add_text(arg, text, err);
}

int manifests_add_path(struct manifests *m, const char *path, struct error *err)
{
	return files_each(path, on_path, m, err);
}

int manifests_add_folder(struct manifests *m, const char *path, struct error *err)
{
	return files_each_any(path, on_path, m, err);
}

int manifests_add_git(struct manifests *m, const struct git_source *git, struct error *err)
{
	return git_each(git, on_text, m, err);
}

/* What is looked for comes first, so that a search may leave out the texts. */
static int by_kind_and_name(const void *a, const void *b)
{
	const struct manifest *x = a, *y = b;
	int order = strcmp(x->id.namespace, y->id.namespace);

	order = order ? order : strcmp(x->id.name, y->id.name);
	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_identity(const void *a, const void *b)
{
	const struct manifest *x = a, *y = b;
	int order = by_kind_and_name(a, b);

	order = order ? order : strcmp(x->id.kind, y->id.kind);
	return order ? order : strcmp(x->id.group, y->id.group);
}

static const char *place(const struct manifest *o)
{
	return arena_printf("%s:%u", o->text->name, line_at(o, ""));
}

int manifests_finish(struct manifests *m, struct error *err)
{
	if (m->count)
		qsort(m->items, m->count, sizeof(*m->items), by_identity);
	for (size_t i = 1; i < m->count; i++) {
		const struct manifest *a = &m->items[i - 1], *b = &m->items[i];

		if (identity_same(&a->id, &b->id))
			return error_set(err, ERR_INPUT, "two objects '%s %s/%s': %s and %s", a->id.kind,
					 a->id.namespace, a->id.name, place(a), place(b));
	}
	return 0;
}

static const struct manifest *find(const struct manifests *m, const struct manifest *wanted,
				   int (*compare)(const void *, const void *))
{
	return m->count ? bsearch(wanted, m->items, m->count, sizeof(*m->items), compare) : NULL;
}

const struct manifest *manifests_find(const struct manifests *m, enum object_kind kind,
				      const char *namespace, const char *name)
{
	struct manifest wanted = {.kind = kind, .id = {.namespace = namespace, .name = name}};

	return find(m, &wanted, by_kind_and_name);
}

const struct manifest *manifests_find_same(const struct manifests *m, const struct manifest *like)
{
	return find(m, like, by_identity);
}
