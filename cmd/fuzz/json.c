/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON: what is read prints as JSON that reads the same, as a whole and split. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "value/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const char *text;
	size_t len, pos, step;
};

static long read_some(void *arg, char *buf, size_t size, struct error *err)
{
	struct input *in = arg;
	size_t n = in->len - in->pos;

	(void)err;
	n = n < in->step ? n : in->step;
	n = n < size ? n : size;
	memcpy(buf, in->text + in->pos, n);
	in->pos += n;
	return (long)n;
}

static int check_item(void *arg, const struct json_item *item, struct error *err)
{
	const struct input *in = arg;

	if (memcmp(in->text + item->offset, item->text, item->len) != 0)
		abort();
	return json_parse_at(item->text, item->len, "item", item->line, err) ? 0 : -1;
}

static int check_list(void *arg, const struct json_item *list, struct error *err)
{
	(void)arg;
	if (!json_parse(list->text, list->len, "list", err))
		abort();
	return 0;
}

static void check_round_trip(const struct tree *t)
{
	struct buffer out = {0};
	struct error err;
	const struct tree *again;

	tree_print(&out, t, 2);
	again = json_parse(out.data, out.len, "again", &err);
	if (!again || !tree_same(t, again) || !tree_same(tree_copy(t), again))
		abort();
}

/* A text at hand splits as the same text does that is read bit by bit, or fails alike. */
static void check_split(struct input *in)
{
	struct json_split split = {read_some, check_item, check_list, in, "fuzz"};
	struct error read = {0}, whole = {0};
	int failed = json_split(&split, &read);

	if (json_split_text(&split, in->text, in->len, &whole) != failed || strcmp(read.text, whole.text) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err;
	struct input in = {.text = (const char *)data, .len = size, .step = size % 9 + 1};
	const struct tree *t;

	tree_init();
	t = json_parse(in.text, size, "fuzz", &err);
	if (t) {
		check_round_trip(t);
		const char *places = json_places(in.text, size);

		if (!places || json_line(places, "/a/0/b") == 0)
			abort();
	}
	check_split(&in);
	arena_release();
	return 0;
}
