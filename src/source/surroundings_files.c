/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "source/dump_item.h"
#include "source/surroundings.h"
#include "value/json.h"
#include "value/yaml.h"

struct reader {
	const struct surroundings *s;
	const char *name;
	int fd;
	uint64_t at;
	const struct tree *list; /* what the List at hand says of its items; NULL: none is at hand */
	size_t *values;          /* objects and Lists so far, of all files */
};

static int see(struct reader *r, const struct tree *object, unsigned line, struct error *err)
{
	const char *wrong = dump_no_object(object);

	if (wrong)
		return error_set(err, ERR_INPUT, "%s:%u: %s", r->name, line, wrong);
	(*r->values)++;
	return r->s->object(r->s->arg, object, err);
}

static void begin_list(void *arg, const char *text, size_t len)
{
	struct reader *r = arg;
	struct error ignored;

	r->list = json_parse(text, len, r->name, &ignored);
}

static int on_item(void *arg, const struct json_item *item, struct error *err)
{
	struct reader *r = arg;
	struct arena_mark mark;
	const struct tree *object;
	int result;

	r->s->before(r->s->arg);
	mark = arena_mark();
	object = json_parse_at(item->text, item->len, r->name, item->line, err);
	result = object ? see(r, object_of_list(object, r->list), item->line, err) : -1;
	if (result == 0)
		arena_rewind(mark);
	return result;
}

static int on_list(void *arg, const struct json_item *envelope, struct error *err)
{
	struct reader *r = arg;

	(void)envelope;
	(void)err;
	r->list = NULL;
	(*r->values)++;
	return 0;
}

static long read_on(void *arg, char *buf, size_t size, struct error *err)
{
	struct reader *r = arg;

	return files_read_on(r->fd, &r->at, buf, size, r->name, err);
}

static int on_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct reader *r = arg;
	const struct tree *items = tree_get(t, "items");

	r->s->before(r->s->arg);
	if (tree_kind(t) == TREE_NULL)
		return 0;
	if (tree_kind(items) != TREE_LIST)
		return see(r, t, line, err);
	(*r->values)++;
	tree_each(item, items) {
		r->s->before(r->s->arg);
		if (see(r, object_of_list(item, t), line, err) != 0)
			return -1;
	}
	return 0;
}

static int read_yaml(struct reader *r, struct error *err)
{
	struct yaml_documents documents = {on_document, NULL, r, r->name};
	struct text text;

	return files_read_whole(&text, r->fd, r->name, err) || yaml_load(&documents, text.data, text.len, err) ? -1 : 0;
}

struct files {
	const struct surroundings *s;
	size_t values;
};

static int read_file(void *arg, const char *path, struct error *err)
{
	struct files *files = arg;
	struct reader r = {.s = files->s, .name = strcmp(path, "-") == 0 ? "stdin" : arena_strdup(path),
			    .values = &files->values};
	struct json_split split = {read_on, on_item, on_list, &r, r.name, begin_list};
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
	struct files files = {.s = s};

	for (size_t i = 0; i < paths->count; i++)
		if (files_each(paths->items[i], read_file, &files, err) != 0)
			return -1;
	return files.values ? 0 : dump_nothing(paths, err);
}
