/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "value/tree.h"

struct style {
	int indent; /* blanks a level; 0: one line */
	bool sorted;
};

/* Bytes of s until one that needs an escape. */
static size_t plain_run(const char *s)
{
	size_t n = 0;

	while ((unsigned char)s[n] >= 0x20 && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

static void print_escape(struct buffer *out, char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = strchr(from, c);

	if (at)
		buffer_add(out, (const char[]){'\\', to[at - from]}, 2);
	else
		buffer_printf(out, "\\u%04x", (unsigned)c);
}

void tree_print_string(struct buffer *out, const char *s)
{
	buffer_char(out, '"');
	for (;;) {
		size_t n = plain_run(s);

		buffer_add(out, s, n);
		if (!s[n])
			break;
		print_escape(out, s[n]);
		s += n + 1;
	}
	buffer_char(out, '"');
}

static void print_newline(struct buffer *out, const struct style *style, int level)
{
	if (style->indent)
		buffer_printf(out, "\n%*s", level * style->indent, "");
}

static void print_value(struct buffer *out, const struct tree *t, const struct style *style, int level);

static void print_child(struct buffer *out, const struct tree *t, const struct style *style, int level)
{
	print_newline(out, style, level);
	if (tree_key(t)) {
		tree_print_string(out, tree_key(t));
		buffer_str(out, style->indent ? ": " : ":");
	}
	print_value(out, t, style, level);
}

static void print_children(struct buffer *out, const struct tree *t, const struct style *style, int level)
{
	const struct tree **sorted =
		style->sorted && tree_kind(t) == TREE_MAP ? tree_sorted(t) : NULL;
	const struct tree *child = sorted ? *sorted : tree_first(t);

	while (child) {
		print_child(out, child, style, level + 1);
		child = sorted ? *++sorted : tree_next(child);
		if (child)
			buffer_char(out, ',');
	}
	if (tree_first(t))
		print_newline(out, style, level);
}

static void print_value(struct buffer *out, const struct tree *t, const struct style *style, int level)
{
	char room[TREE_NUMBER_SIZE];

	switch (tree_kind(t)) {
	case TREE_BOOL:
		buffer_str(out, tree_true(t) ? "true" : "false");
		break;
	case TREE_NUMBER:
		buffer_str(out, tree_number_text(t, room));
		break;
	case TREE_STRING:
		tree_print_string(out, tree_string(t));
		break;
	case TREE_LIST:
		buffer_char(out, '[');
		print_children(out, t, style, level);
		buffer_char(out, ']');
		break;
	case TREE_MAP:
		buffer_char(out, '{');
		print_children(out, t, style, level);
		buffer_char(out, '}');
		break;
	default:
		buffer_str(out, "null");
	}
}

void tree_print(struct buffer *out, const struct tree *t, int indent)
{
	print_value(out, t, &(struct style){.indent = indent}, 0);
}

void tree_print_canonical(struct buffer *out, const struct tree *t)
{
	print_value(out, t, &(struct style){.sorted = true}, 0);
}
