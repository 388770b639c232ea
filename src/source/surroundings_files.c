/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "source/surroundings.h"
#include "value/json.h"
#include "value/yaml.h"

struct reading {
	const struct surroundings *s;
	const char *name;
	int fd;
	uint64_t at;
};

static int on_item(void *arg, const struct json_item *item, struct error *err)
{
	struct reading *r = arg;
	struct arena_mark mark;
	const struct tree *object;
	int result;

	r->s->before(r->s->arg);
	mark = arena_mark();
	object = json_parse_at(item->text, item->len, r->name, item->line, err);
	result = object ? r->s->object(r->s->arg, object, err) : -1;
	if (result == 0)
		arena_rewind(mark);
	return result;
}

static long read_on(void *arg, char *buf, size_t size, struct error *err)
{
	struct reading *r = arg;

	return files_read_on(r->fd, &r->at, buf, size, r->name, err);
}

static int on_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct reading *r = arg;
	const struct tree *items = tree_get(t, "items");

	(void)line;
	r->s->before(r->s->arg);
	if (tree_kind(items) != TREE_LIST)
		return tree_kind(t) == TREE_MAP ? r->s->object(r->s->arg, t, err) : 0;
	tree_each(item, items) {
		r->s->before(r->s->arg);
		if (r->s->object(r->s->arg, item, err) != 0)
			return -1;
	}
	return 0;
}

static int read_yaml(struct reading *r, struct error *err)
{
	struct yaml_documents documents = {on_document, NULL, r, r->name};
	off_t len = lseek(r->fd, 0, SEEK_END);
	char *text;

	if (len < 0 || len > (off_t)FILES_MAX_BYTES)
		return error_set(err, ERR_INPUT, "'%s' is larger than %zu MiB, which only JSON may be", r->name,
				 FILES_MAX_BYTES >> 20);
	text = arena_alloc_raw((size_t)len + 1);
	if (files_read_at(r->fd, text, (size_t)len, 0, r->name, err) != 0)
		return -1;
	return yaml_load(&documents, text, (size_t)len, err);
}

static int read_file(void *arg, const char *path, struct error *err)
{
	struct reading r = {.s = arg, .name = strcmp(path, "-") == 0 ? "stdin" : arena_strdup(path)};
	struct json_split split = {read_on, on_item, NULL, &r, r.name};
	int result;

	r.fd = files_open(path, err);
	if (r.fd < 0)
		return -1;
	result = files_is_json(r.fd) ? json_split(&split, err) : read_yaml(&r, err);
	close(r.fd);
	return result;
}

int surroundings_read_files(const struct surroundings *s, const struct strings *paths, struct error *err)
{
	for (size_t i = 0; i < paths->count; i++)
		if (files_each(paths->items[i], read_file, (void *)s, err) != 0)
			return -1;
	return 0;
}
