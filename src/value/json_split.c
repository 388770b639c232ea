/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "value/json.h"
#include "value/json_scan.h"

#define WINDOW_SIZE ((size_t)128 << 10)

/* A window over the input: buf[0, end) is read, buf[keep, end) must stay, buf[pos] comes next. */
struct splitter {
	const struct json_split *s;
	struct error *err;
	char *buf;
	size_t cap, keep, pos, end;
	uint64_t offset;    /* of buf[0] in the input */
	size_t counted;     /* newlines in buf[0, counted) are in `line` */
	unsigned line;
	bool whole;         /* buf is all of the input, and the caller's */
	struct buffer envelope;
};

static unsigned line_at(struct splitter *w, size_t place)
{
	const char *p = w->buf + w->counted, *end = w->buf + place;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		w->line++;
		p++;
	}
	w->counted = place;
	return w->line;
}

static int fail(struct splitter *w, const char *what)
{
	return error_set(w->err, ERR_INPUT, "%s:%u: %s", w->s->name, line_at(w, w->pos), what);
}

static int make_room(struct splitter *w)
{
	line_at(w, w->keep);
	memmove(w->buf, w->buf + w->keep, w->end - w->keep);
	w->offset += w->keep;
	w->pos -= w->keep;
	w->end -= w->keep;
	w->counted -= w->keep;
	w->keep = 0;
	if (w->end < w->cap / 2)
		return 0;
	if (w->cap > TREE_MAX_BYTES)
		return error_set(w->err, ERR_INPUT, "%s:%u: one value is larger than %zu MiB",
				 w->s->name, w->line, TREE_MAX_BYTES >> 20);
	w->buf = arena_grow(w->buf, w->cap, w->cap * 2);
	w->cap *= 2;
	return 0;
}

/* Reads on. Returns 1, 0 at the end of the input, -1 on failure. */
static int more(struct splitter *w)
{
	long n;

	if (w->whole)
		return 0;
	if (make_room(w))
		return -1;
	n = w->s->read(w->s->arg, w->buf + w->end, w->cap - w->end, w->err);
	if (n < 0)
		return -1;
	w->end += (size_t)n;
	return n > 0;
}

/* More text, which must come. */
static int need(struct splitter *w, const char *inside)
{
	int n = more(w);

	if (n)
		return n < 0 ? -1 : 0;
	return error_set(w->err, ERR_INPUT, "%s:%u: the text ends inside %s", w->s->name,
			 line_at(w, w->end), inside);
}

/* Skips blanks, to something that must come. */
static int next_byte(struct splitter *w, const char *inside)
{
	for (;;) {
		while (w->pos < w->end && json_is_blank(w->buf[w->pos]))
			w->pos++;
		if (w->pos < w->end)
			return 0;
		if (need(w, inside))
			return -1;
	}
}

/* The rest of a string, its opening quote being passed. */
static int string(struct splitter *w)
{
	for (;;) {
		size_t p = (size_t)(json_scan_string(w->buf + w->pos, w->buf + w->end) - w->buf);

		w->pos = p;
		if (p == w->end || (w->buf[p] == '\\' && w->end - p < 2)) {
			if (need(w, "a string"))
				return -1;
		} else if (w->buf[p] == '"') {
			w->pos++;
			return 0;
		} else {
			w->pos += 2;
		}
	}
}

/* A list or map with all that is in it. */
static int nested(struct splitter *w)
{
	size_t depth = 0;

	for (;;) {
		w->pos = (size_t)(json_scan_mark(w->buf + w->pos, w->buf + w->end) - w->buf);
		if (w->pos == w->end) {
			if (need(w, "a list or map"))
				return -1;
			continue;
		}
		switch (w->buf[w->pos++]) {
		case '"':
			if (string(w))
				return -1;
			break;
		case '{':
		case '[':
			depth++;
			break;
		default:
			if (--depth == 0)
				return 0;
		}
	}
}

static int scalar(struct splitter *w)
{
	for (;;) {
		while (w->pos < w->end && !json_is_blank(w->buf[w->pos]) &&
		       !memchr(",]}", w->buf[w->pos], 3))
			w->pos++;
		if (w->pos < w->end)
			return 0;
		if (need(w, "an object"))
			return -1;
	}
}

static int value(struct splitter *w)
{
	switch (w->buf[w->pos]) {
	case '{':
	case '[':
		return nested(w);
	case '"':
		w->pos++;
		return string(w);
	default:
		return scalar(w);
	}
}

static int give_item(struct splitter *w)
{
	struct json_item item = {
		.text = w->buf + w->keep,
		.len = w->pos - w->keep,
		.offset = w->offset + w->keep,
		.line = line_at(w, w->keep),
	};

	return w->s->item(w->s->arg, &item, w->err) ? -1 : 0;
}

static void begin_list(struct splitter *w)
{
	static const char rest[] = "]}";

	if (!w->s->begin)
		return;
	buffer_add(&w->envelope, rest, strlen(rest));
	if (w->envelope.full)
		return;
	w->s->begin(w->s->arg, w->envelope.data, w->envelope.len);
	w->envelope.len -= strlen(rest);
}

static int items(struct splitter *w)
{
	buffer_add(&w->envelope, w->buf + w->keep, ++w->pos - w->keep);
	begin_list(w);
	for (bool first = true;; first = false) {
		w->keep = w->pos;
		if (next_byte(w, "a list of items"))
			return -1;
		w->keep = w->pos;
		if (w->buf[w->pos] == ']' && first)
			return 0;
		if (w->buf[w->pos] != '{')
			return fail(w, "an item of 'items' is not an object");
		if (nested(w) || give_item(w))
			return -1;
		w->keep = w->pos;
		if (next_byte(w, "a list of items"))
			return -1;
		w->keep = w->pos;
		if (w->buf[w->pos] == ']')
			return 0;
		if (w->buf[w->pos++] != ',')
			return fail(w, "an item of 'items' is not followed by ',' or ']'");
	}
}

static int expect(struct splitter *w, char c, const char *fault)
{
	if (next_byte(w, "an object"))
		return -1;
	return w->buf[w->pos++] == c ? 0 : fail(w, fault);
}

static int entry(struct splitter *w, bool *is_list)
{
	size_t key, len;
	bool has_items;

	if (expect(w, '"', "an object's key is not in quotes"))
		return -1;
	key = w->pos - w->keep;
	if (string(w))
		return -1;
	len = w->pos - w->keep - key - 1;
	has_items = len == 5 && memcmp(w->buf + w->keep + key, "items", 5) == 0;
	if (expect(w, ':', "an object's key is not followed by ':'") || next_byte(w, "an object"))
		return -1;
	if (!has_items || (w->buf[w->pos] != '[' && w->buf[w->pos] != 'n'))
		return value(w);
	if (*is_list)
		return fail(w, "'items' is given twice");
	*is_list = true;
	if (w->buf[w->pos] == 'n')
		return scalar(w);
	if (items(w))
		return -1;
	w->pos++;
	return 0;
}

static int entries(struct splitter *w, bool *is_list)
{
	if (next_byte(w, "an object"))
		return -1;
	if (w->buf[w->pos] == '}') {
		w->pos++;
		return 0;
	}
	for (;;) {
		if (entry(w, is_list) || next_byte(w, "an object"))
			return -1;
		if (w->buf[w->pos] == '}')
			break;
		if (w->buf[w->pos] != ',')
			return fail(w, "an object's entry is not followed by ',' or '}'");
		w->pos++;
	}
	w->pos++;
	return 0;
}

/* Nobody else may look at a List's own text, so its syntax is checked here. */
static int give_list(struct splitter *w, uint64_t offset, unsigned line)
{
	struct json_item item = {.offset = offset, .line = line};
	struct arena_mark mark;

	buffer_add(&w->envelope, w->buf + w->keep, w->pos - w->keep);
	if (w->envelope.full)
		return fail(w, "a list is too large apart from its items");
	item.text = w->envelope.data;
	item.len = w->envelope.len;
	mark = arena_mark();
	if (!json_parse_at(item.text, item.len, w->s->name, line, w->err))
		return -1;
	arena_rewind(mark);
	return w->s->list && w->s->list(w->s->arg, &item, w->err) ? -1 : 0;
}

static int object(struct splitter *w)
{
	uint64_t offset = w->offset + w->pos;
	unsigned line = line_at(w, w->pos);
	bool is_list = false;

	w->keep = w->pos;
	w->envelope = (struct buffer){.max = TREE_MAX_BYTES};
	if (w->buf[w->pos++] != '{') {
		w->pos--;
		return fail(w, "there is no object");
	}
	if (entries(w, &is_list))
		return -1;
	if (is_list ? give_list(w, offset, line) : give_item(w))
		return -1;
	w->keep = w->pos;
	return 0;
}

/* Skips blanks between objects. Returns 1 where one more begins, 0 at the end, -1 on failure. */
static int one_more(struct splitter *w)
{
	int n;

	for (;;) {
		while (w->pos < w->end && json_is_blank(w->buf[w->pos]))
			w->pos++;
		w->keep = w->pos;
		if (w->pos < w->end)
			return 1;
		n = more(w);
		if (n <= 0)
			return n;
	}
}

static int byte_order_mark(struct splitter *w)
{
	int n = 1;

	while (n > 0 && w->end < 3)
		n = more(w);
	if (n < 0)
		return -1;
	if (w->end >= 2 && (memcmp(w->buf, "\xFF\xFE", 2) == 0 || memcmp(w->buf, "\xFE\xFF", 2) == 0))
		return fail(w, "the text is UTF-16, which must be converted to UTF-8");
	if (w->end >= 3 && memcmp(w->buf, "\xEF\xBB\xBF", 3) == 0)
		w->pos = w->keep = 3;
	return 0;
}

static int split(struct splitter *w)
{
	bool any = false;
	int n;

	if (byte_order_mark(w))
		return -1;
	while ((n = one_more(w)) > 0) {
		if (object(w))
			return -1;
		any = true;
	}
	return n == 0 && !any ? fail(w, "there is no object") : n;
}

int json_split(const struct json_split *s, struct error *err)
{
	struct buffer own = {0}, *window = s->window ? s->window : &own;
	struct splitter w = {.s = s, .err = err, .line = 1};
	int result;

	if (!window->data)
		*window = (struct buffer){.data = arena_alloc_raw(WINDOW_SIZE), .cap = WINDOW_SIZE};
	w.buf = window->data;
	w.cap = window->cap;
	result = split(&w);
	window->data = w.buf;
	window->cap = w.cap;
	return result;
}

int json_split_text(const struct json_split *s, const char *text, size_t len, struct error *err)
{
	struct splitter w = {.s = s, .err = err, .buf = (char *)text, .end = len, .line = 1, .whole = true};

	return split(&w);
}
