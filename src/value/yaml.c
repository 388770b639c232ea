/* SPDX-License-Identifier: Apache-2.0 */
#include "value/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "value/yaml_node.h"

#define ANCHOR_BUCKETS 1024

struct anchor {
	const char *name;
	struct yaml_node *node;
	struct anchor *older;
};

struct reader {
	const struct yaml_reading *r;
	struct error *err;
	const char *text;
	size_t len;
	yaml_parser_t parser;
	yaml_event_t event;
	unsigned depth;
	size_t nodes;
	bool bare_tags;           /* the text has a "!" that names no tag */
	bool escaped_slashes;     /* the text has a \/ */
	const char *place;        /* where place_of() was last, */
	size_t place_index;       /* as a mark counts */
	struct anchor **anchors;  /* of this document, in buckets, the newest first; NULL: none yet */
};

static int fail(const struct reader *r, unsigned line, const char *what)
{
	return error_set(r->err, ERR_INPUT, "%s:%u: %s", r->r->name, line, what);
}

static unsigned line_of_offset(const struct reader *r, size_t offset)
{
	unsigned line = 1;

	for (size_t i = 0; i < offset && i < r->len; i++)
		line += r->text[i] == '\n';
	return line;
}

static int parser_failed(const struct reader *r)
{
	const yaml_parser_t *p = &r->parser;

	if (p->error == YAML_READER_ERROR)
		return fail(r, line_of_offset(r, p->problem_offset), p->problem);
	return fail(r, (unsigned)p->problem_mark.line + 1, p->problem ? p->problem : "not YAML");
}

static int next_event(struct reader *r)
{
	yaml_event_delete(&r->event);
	return yaml_parser_parse(&r->parser, &r->event) ? 0 : parser_failed(r);
}

static struct anchor **bucket(struct reader *r, const char *name)
{
	size_t h = 5381;

	if (!r->anchors)
		r->anchors = NEW_ARRAY(struct anchor *, ANCHOR_BUCKETS);
	for (const char *p = name; *p; p++)
		h = h * 33 + (unsigned char)*p;
	return &r->anchors[h % ANCHOR_BUCKETS];
}

/* A later anchor of the same name shadows the earlier one from here on. */
static void note_anchor(struct reader *r, const yaml_char_t *name, struct yaml_node *node)
{
	struct anchor *a;

	if (!name)
		return;
	a = NEW(struct anchor);
	*a = (struct anchor){arena_strdup((const char *)name), node, NULL};
	a->older = *bucket(r, a->name);
	*bucket(r, a->name) = a;
}

static bool inside_character(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/*
 * Where an event begins. A mark counts characters, not bytes; events come in the order of the text,
 * so walking on from the last place asked for keeps this linear.
 */
static const char *place_of(struct reader *r, const yaml_mark_t *mark)
{
	const char *end = r->text + r->len;

	for (; r->place_index < mark->index && r->place < end; r->place_index++)
		do
			r->place++;
		while (r->place < end && inside_character(*r->place));
	for (; r->place_index > mark->index; r->place_index--)
		do
			r->place--;
		while (inside_character(*r->place));
	return r->place;
}

/* Skips the anchor in front of a scalar, if it has one. */
static const char *after_anchor(const char *p, const char *end)
{
	if (p == end || *p != '&')
		return p;
	while (p < end && !strchr(" \t\r\n", *p))
		p++;
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p;
}

/* libyaml forgets a tag that is just "!"; go-yaml makes a string of what it stands before. */
static bool has_bare_tag(struct reader *r)
{
	const char *end = r->text + r->len, *p;

	if (!r->bare_tags)
		return false;
	p = after_anchor(place_of(r, &r->event.start_mark), end);
	return p < end && *p == '!';
}

/* libyaml takes \/ in a quoted string, as JSON does and YAML 1.1 doesn't. */
static bool has_escaped_slash(struct reader *r)
{
	const char *end = r->text + r->len, *p;

	if (!r->escaped_slashes || r->event.data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		return false;
	p = place_of(r, &r->event.start_mark);
	while (p < end && *p++ != '"')
		;
	for (; p < end && *p != '"'; p++)
		if (*p == '\\' && ++p < end && *p == '/')
			return true;
	return false;
}

static int scalar(struct reader *r, struct yaml_node *n)
{
	const yaml_event_t *e = &r->event;

	n->kind = NODE_SCALAR;
	n->tag = e->data.scalar.tag ? arena_strdup((const char *)e->data.scalar.tag) : "";
	n->value = arena_strndup((const char *)e->data.scalar.value, e->data.scalar.length);
	n->plain = e->data.scalar.plain_implicit;
	if (n->plain && !*n->tag && has_bare_tag(r))
		n->tag = "!";
	note_anchor(r, e->data.scalar.anchor, n);
	if (has_escaped_slash(r))
		return fail(r, n->line, "found unknown escape character");
	if (memchr(n->value, '\0', e->data.scalar.length))
		return fail(r, n->line, "a string holds a NUL character");
	return 0;
}

static int alias(struct reader *r, struct yaml_node *n)
{
	const char *name = (const char *)r->event.data.alias.anchor;

	n->kind = NODE_ALIAS;
	n->value = arena_strdup(name);
	for (const struct anchor *a = *bucket(r, name); a && !n->target; a = a->older)
		if (strcmp(a->name, name) == 0)
			n->target = a->node;
	if (!n->target)
		/* Its name may be what a Secret's author forgot to quote. */
		return fail(r, n->line, "an alias of no anchor; a value that begins with * needs quotes");
	return 0;
}

static struct yaml_node *node(struct reader *r);

static int children(struct reader *r, struct yaml_node *parent, yaml_event_type_t end)
{
	if (++r->depth > TREE_MAX_DEPTH)
		return fail(r, parent->line, "values are nested too deeply");
	for (;;) {
		struct yaml_node *child;

		if (next_event(r))
			return -1;
		if (r->event.type == end)
			break;
		child = node(r);
		if (!child)
			return -1;
		if (parent->last)
			parent->last->next = child;
		else
			parent->child = child;
		parent->last = child;
	}
	r->depth--;
	return 0;
}

/* The node that the event at hand begins. */
static struct yaml_node *node(struct reader *r)
{
	struct yaml_node *n = NEW(struct yaml_node);
	int failed;

	n->line = (unsigned)r->event.start_mark.line + 1;
	if (++r->nodes > TREE_MAX_NODES) {
		fail(r, n->line, "the text holds too many values");
		return NULL;
	}
	switch (r->event.type) {
	case YAML_SCALAR_EVENT:
		failed = scalar(r, n);
		break;
	case YAML_ALIAS_EVENT:
		failed = alias(r, n);
		break;
	case YAML_SEQUENCE_START_EVENT:
		n->kind = NODE_LIST;
		note_anchor(r, r->event.data.sequence_start.anchor, n);
		failed = children(r, n, YAML_SEQUENCE_END_EVENT);
		break;
	default:
		n->kind = NODE_MAP;
		note_anchor(r, r->event.data.mapping_start.anchor, n);
		failed = children(r, n, YAML_MAPPING_END_EVENT);
	}
	return failed ? NULL : n;
}

static int document(struct reader *r)
{
	unsigned line = (unsigned)r->event.start_mark.line + 1;
	struct yaml_node *root;

	if (r->event.data.document_start.version_directive ||
	    r->event.data.document_start.tag_directives.start)
		return fail(r, line, "kubectl reads no directives");
	r->anchors = NULL;
	if (next_event(r))
		return -1;
	root = node(r);
	if (!root || next_event(r))
		return -1;
	return r->r->document(r->r->arg, root, line, r->err) ? -1 : 0;
}

static int documents(struct reader *r)
{
	for (;;) {
		if (next_event(r))
			return -1;
		if (r->event.type == YAML_STREAM_END_EVENT)
			return 0;
		if (r->event.type == YAML_DOCUMENT_START_EVENT && document(r))
			return -1;
	}
}

static bool find_bare_tags(const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end && (p = memchr(p, '!', (size_t)(end - p)))) {
		p++;
		if (p == end || strchr(" \t\r\n,]}", *p))
			return true;
	}
	return false;
}

static int check_bytes(const struct reader *r)
{
	if (r->len > TREE_MAX_BYTES)
		return error_set(r->err, ERR_INPUT, "%s: one text is larger than %zu MiB", r->r->name,
				 TREE_MAX_BYTES >> 20);
	if (r->len >= 2 &&
	    (memcmp(r->text, "\xFF\xFE", 2) == 0 || memcmp(r->text, "\xFE\xFF", 2) == 0))
		return fail(r, 1, "the text is UTF-16, which must be converted to UTF-8");
	return 0;
}

/* kubectl's reader ends the last line where the text doesn't, and a block scalar shows it. */
static void end_last_line(struct reader *r)
{
	char *copy;

	if (!r->len || r->text[r->len - 1] == '\n')
		return;
	copy = arena_alloc_raw(r->len + 1);
	memcpy(copy, r->text, r->len);
	copy[r->len++] = '\n';
	r->text = copy;
}

static bool comment_follows(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p == end || *p == '\n' || *p == '#';
}

/* kubectl takes nothing but a comment after `---`. */
static int check_separators(const struct reader *r)
{
	const char *line = r->text, *end = r->text + r->len, *newline;

	while (end - line >= 3) {
		if (memcmp(line, "---", 3) == 0 && !comment_follows(line + 3, end))
			return fail(r, line_of_offset(r, (size_t)(line - r->text)),
				    "something other than a comment follows '---'");
		newline = memmem(line, (size_t)(end - line), "\n---", 4);
		if (!newline)
			break;
		line = newline + 1;
	}
	return 0;
}

int yaml_read(const struct yaml_reading *reading, const char *text, size_t len, struct error *err)
{
	struct reader r = {.r = reading, .err = err, .text = text, .len = len};
	int failed;

	if (check_bytes(&r))
		return -1;
	end_last_line(&r);
	if (check_separators(&r))
		return -1;
	r.place = r.text + (r.len >= 3 && memcmp(r.text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
	r.bare_tags = find_bare_tags(r.text, r.len);
	r.escaped_slashes = memmem(r.text, r.len, "\\/", 2) != NULL;
	if (!yaml_parser_initialize(&r.parser))
		BUG("libyaml could not be started");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.len);
	failed = documents(&r);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	return failed;
}

struct loading {
	const struct yaml_documents *d;
};

static int load_document(void *arg, struct yaml_node *root, unsigned line, struct error *err)
{
	const struct yaml_documents *d = ((struct loading *)arg)->d;
	struct tree *t = yaml_decode(d, root, err);

	return t ? d->document(d->arg, t, line, err) : -1;
}

int yaml_load(const struct yaml_documents *d, const char *text, size_t len, struct error *err)
{
	struct loading loading = {d};
	struct yaml_reading reading = {load_document, &loading, d->name};

	return yaml_read(&reading, text, len, err);
}
