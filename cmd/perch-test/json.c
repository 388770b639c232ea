/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/json.h"

/* --split: one small read at a time, so that every border is crossed somewhere. */
struct source {
	const char *path, *text;
	size_t len, pos, step;
};

static long read_some(void *arg, char *buf, size_t size, struct error *err)
{
	struct source *s = arg;
	size_t n = s->len - s->pos;

	(void)err;
	if (n > s->step)
		n = s->step;
	if (n > size)
		n = size;
	memcpy(buf, s->text + s->pos, n);
	s->pos += n;
	return (long)n;
}

static int print_value(const char *text, size_t len, const char *path, unsigned line, struct error *err)
{
	struct arena_mark mark = arena_mark();
	struct buffer out = {0};
	const struct tree *t = json_parse_at(text, len, path, line, err);

	if (!t)
		return -1;
	tree_print_canonical(&out, t);
	puts(buffer_text(&out));
	arena_rewind(mark);
	return 0;
}

static int print_item(void *arg, const struct json_item *item, struct error *err)
{
	const struct source *s = arg;

	printf("item %llu:%u ", (unsigned long long)item->offset, item->line);
	return print_value(item->text, item->len, s->path, item->line, err);
}

static int print_list(void *arg, const struct json_item *list, struct error *err)
{
	const struct source *s = arg;

	printf("list %llu:%u ", (unsigned long long)list->offset, list->line);
	return print_value(list->text, list->len, s->path, list->line, err);
}

static int split(struct source *s, struct error *err)
{
	struct json_split how = {read_some, print_item, print_list, s, s->path};

	return json_split(&how, err);
}

int test_json(int argc, char **argv)
{
	bool splitting = argc > 1 && strcmp(argv[1], "--split") == 0;
	struct source s = {.path = argc > 1 + splitting ? argv[1 + splitting] : "-", .step = 7};
	struct error err = {0};

	s.text = test_read(s.path, &s.len);
	if (splitting ? split(&s, &err) : print_value(s.text, s.len, s.path, 1, &err)) {
		fflush(stdout);
		return test_fail(&err);
	}
	return 0;
}
