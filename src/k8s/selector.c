/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/selector.h"

#include <string.h>

#include "base/arena.h"

enum op { OP_EXISTS, OP_ABSENT, OP_IN, OP_NOT_IN };

struct value {
	const char *text;
	struct value *next;
};

struct selector {
	const char *key;
	enum op op;
	struct value *values;
	struct selector *next;
};

struct scan {
	const char *text, *at;
	struct error *err;
};

static int refuse(struct scan *s)
{
	return error_set(s->err, ERR_USAGE, "no label selector at '%s' in '%s'", s->at, s->text);
}

static void blanks(struct scan *s)
{
	s->at += strspn(s->at, " \t");
}

static bool take(struct scan *s, const char *token)
{
	blanks(s);
	if (strncmp(s->at, token, strlen(token)) != 0)
		return false;
	s->at += strlen(token);
	return true;
}

/* A key or value: up to what has a meaning of its own. An empty value is fine, an empty key not. */
static const char *word(struct scan *s)
{
	size_t n;
	const char *w;

	blanks(s);
	n = strcspn(s->at, " \t,()=!");
	w = arena_strndup(s->at, n);
	s->at += n;
	blanks(s);
	return w;
}

static void add_value(struct selector *s, const char *text)
{
	struct value *v = NEW(struct value);

	v->text = text;
	v->next = s->values;
	s->values = v;
}

static int parse_set(struct scan *s, struct selector *r)
{
	if (!take(s, "("))
		return refuse(s);
	do
		add_value(r, word(s));
	while (take(s, ","));
	return take(s, ")") ? 0 : refuse(s);
}

static int parse_operator(struct scan *s, struct selector *r)
{
	if (take(s, "!=")) {
		r->op = OP_NOT_IN;
	} else if (take(s, "==") || take(s, "=")) {
		r->op = OP_IN;
	} else if (take(s, "notin ") || take(s, "notin(")) {
		r->op = OP_NOT_IN;
		s->at -= s->at[-1] == '(';
		return parse_set(s, r);
	} else if (take(s, "in ") || take(s, "in(")) {
		r->op = OP_IN;
		s->at -= s->at[-1] == '(';
		return parse_set(s, r);
	} else {
		r->op = OP_EXISTS;
		return 0;
	}
	add_value(r, word(s));
	return 0;
}

static int parse_requirement(struct scan *s, struct selector *r)
{
	bool absent = take(s, "!");

	r->key = word(s);
	if (!*r->key)
		return refuse(s);
	if (!absent)
		return parse_operator(s, r);
	r->op = OP_ABSENT;
	return 0;
}

int selector_parse(const struct selector **out, const char *text, struct error *err)
{
	struct scan s = {text, text, err};
	const struct selector **link = out;

	*out = NULL;
	blanks(&s);
	if (!*s.at)
		return 0;
	do {
		struct selector *r = NEW(struct selector);

		if (parse_requirement(&s, r) != 0)
			return -1;
		*link = r;
		link = (const struct selector **)&r->next;
	} while (take(&s, ","));
	return *s.at ? refuse(&s) : 0;
}

static bool satisfied(const struct selector *s, const struct tree *labels)
{
	const char *label = tree_string(tree_get(labels, s->key));
	bool listed = false;

	for (const struct value *v = s->values; v && label; v = v->next)
		listed = listed || strcmp(v->text, label) == 0;
	switch (s->op) {
	case OP_EXISTS:
		return label;
	case OP_ABSENT:
		return !label;
	case OP_IN:
		return listed;
	case OP_NOT_IN:
		return !listed;
	}
	return false;
}

bool selector_match(const struct selector *s, const struct tree *labels)
{
	for (; s; s = s->next)
		if (!satisfied(s, labels))
			return false;
	return true;
}

bool selector_picks(const struct selector *s, const struct tree *object)
{
	return selector_match(s, tree_path(object, "metadata", "labels", NULL));
}
