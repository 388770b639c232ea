/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/policy.h"

#include <string.h>

#include "base/arena.h"
#include "decide/policy_check.h"
#include "decide/policy_rule.h"
#include "value/yaml.h"

static const char *const effects[] = {
	[POLICY_IGNORE] = "ignore", [POLICY_SHIP] = "ship", [POLICY_RUN] = "run", [POLICY_HOLD] = "hold",
};

const char *policy_effect_name(enum policy_effect effect)
{
	return effects[effect];
}

/* One load: the text is kept for locate(), which gives a fault or a rule its line. */
struct load {
	const char *text, *name;
	size_t len;
	const struct tree *root;
	size_t documents;
	struct notes warnings;
	struct error *err;
};

static unsigned line_of(const struct load *l, const char *pointer)
{
	return locate(l->text, l->len, 0, pointer);
}

static int fault(const struct load *l, const char *pointer, const char *what)
{
	return error_set(l->err, ERR_INPUT, "%s:%u: %s", l->name, line_of(l, pointer), what);
}

static int keep_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	struct load *l = arg;

	if (tree_kind(t) == TREE_NULL)
		return 0;
	if (l->documents++)
		return error_set(err, ERR_INPUT, "%s:%u: a second document: a policy is one", l->name, line);
	l->root = t;
	return 0;
}

static const char *listed(const char *const *words)
{
	struct buffer text = {0};

	for (; *words; words++)
		buffer_printf(&text, "%s%s", text.len ? ", " : "", *words);
	return buffer_text(&text);
}

static int refuse_unknown(const struct load *l, const struct tree *map, const char *pointer,
			  const char *const *known)
{
	if (tree_kind(map) != TREE_MAP)
		return fault(l, pointer, "not a map");
	tree_each(child, map) {
		const char *const *k = known;

		while (*k && strcmp(*k, tree_key(child)) != 0)
			k++;
		if (!*k)
			return fault(l, arena_printf("%s/%s", pointer, tree_key(child)),
				     arena_printf("unknown key '%s', there are %s", tree_key(child), listed(known)));
	}
	return 0;
}

static int check_strings(const struct load *l, const struct tree *list, const char *pointer)
{
	if (list && (tree_kind(list) != TREE_LIST || !tree_len(list)))
		return fault(l, pointer, "not a list of texts with at least one");
	tree_each(item, list)
		if (!tree_string(item))
			return fault(l, pointer, "not a list of texts");
	return 0;
}

static const char *all_classes(void)
{
	const char *names[CLASS_OTHER + 2] = {NULL};

	for (int class = CLASS_IMAGE; class <= CLASS_OTHER; class++)
		names[class] = change_class_name((enum change_class)class);
	return listed(names);
}

static int check_classes(const struct load *l, const struct tree *list, const char *pointer)
{
	if (check_strings(l, list, pointer) != 0)
		return -1;
	tree_each(item, list) {
		int class = CLASS_IMAGE;

		while (class <= CLASS_OTHER &&
		       strcmp(change_class_name((enum change_class)class), tree_string(item)) != 0)
			class++;
		if (class > CLASS_OTHER)
			return fault(l, pointer, arena_printf("no class '%s', there are %s", tree_string(item), all_classes()));
	}
	return 0;
}

static int load_labels(const struct load *l, struct policy_rule *r, const struct tree *labels,
		       const char *pointer)
{
	struct error cause = {ERR_NONE, ""};

	if (!labels)
		return 0;
	if (!tree_string(labels))
		return fault(l, pointer, "not a label selector (app=web,tier!=cache)");
	if (selector_parse(&r->labels, tree_string(labels), &cause) != 0)
		return fault(l, pointer, cause.text);
	r->labels_text = tree_string(labels);
	return 0;
}

static int load_match(const struct load *l, struct policy_rule *r, const struct tree *match,
		      const char *at)
{
	static const char *const known[] = {"paths", "classes", "images", "namespaces", "labels", NULL};

	if (!match)
		return 0;
	if (refuse_unknown(l, match, at, known) != 0)
		return -1;
	r->paths = tree_get(match, "paths");
	r->classes = tree_get(match, "classes");
	r->images = tree_get(match, "images");
	r->namespaces = tree_get(match, "namespaces");
	if (check_strings(l, r->paths, arena_printf("%s/paths", at)) != 0 ||
	    check_classes(l, r->classes, arena_printf("%s/classes", at)) != 0 ||
	    check_strings(l, r->images, arena_printf("%s/images", at)) != 0 ||
	    check_strings(l, r->namespaces, arena_printf("%s/namespaces", at)) != 0)
		return -1;
	return load_labels(l, r, tree_get(match, "labels"), arena_printf("%s/labels", at));
}

static int load_effect(const struct load *l, struct policy_rule *r, const struct tree *action,
		       const char *at)
{
	if (!action)
		return fault(l, at, "a rule without 'action': ignore, run, hold or ship");
	for (int e = POLICY_IGNORE; e <= POLICY_HOLD; e++) {
		if (strcmp(tree_string_or(action, ""), effects[e]) == 0) {
			r->ruling.effect = (enum policy_effect)e;
			return 0;
		}
	}
	return fault(l, at, "action is none of ignore, run, hold, ship");
}

/* `gates: open` is for ship alone: everything else leaves gates to Flagger. */
static int load_gates(const struct load *l, struct policy_rule *r, const struct tree *gates, const char *at)
{
	if (!gates)
		return 0;
	if (strcmp(tree_string_or(gates, ""), "open") != 0)
		return fault(l, at, "gates is not 'open', the only word there is");
	if (r->ruling.effect != POLICY_SHIP)
		return fault(l, at, "gates: open is for action: ship");
	r->ruling.gates_open = true;
	return 0;
}

static int load_rule(const struct load *l, struct policy_rule *r, const struct tree *rule,
		     const char *at)
{
	static const char *const known[] = {"match", "action", "gates", "reason", NULL};

	if (refuse_unknown(l, rule, at, known) != 0)
		return -1;
	r->ruling.line = line_of(l, at);
	if (tree_get(rule, "reason") && !tree_string(tree_get(rule, "reason")))
		return fault(l, arena_printf("%s/reason", at), "reason is not a text");
	if (load_match(l, r, tree_get(rule, "match"), arena_printf("%s/match", at)) != 0)
		return -1;
	if (load_effect(l, r, tree_get(rule, "action"), arena_printf("%s/action", at)) != 0)
		return -1;
	return load_gates(l, r, tree_get(rule, "gates"), arena_printf("%s/gates", at));
}

/* Nobody has to say what it is; who does has to be right. */
static int check_type(const struct load *l)
{
	static const char *const types[][2] = {{"apiVersion", "perch.dev/v1"}, {"kind", "Policy"}};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		const struct tree *given = tree_get(l->root, types[i][0]);

		if (given && strcmp(tree_string_or(given, ""), types[i][1]) != 0)
			return fault(l, arena_printf("/%s", types[i][0]),
				     arena_printf("%s is not '%s'", types[i][0], types[i][1]));
	}
	return 0;
}

static int load_rules(struct policy *p, const struct load *l)
{
	static const char *const known[] = {"apiVersion", "kind", "rules", NULL};
	const struct tree *rules = tree_get(l->root, "rules");
	size_t i = 0;

	if (refuse_unknown(l, l->root, "", known) != 0 || check_type(l) != 0)
		return -1;
	if (tree_kind(rules) != TREE_LIST)
		return fault(l, "/rules", "no list 'rules'");
	p->rules = NEW_ARRAY(struct policy_rule, tree_len(rules));
	p->count = tree_len(rules);
	tree_each(rule, rules) {
		if (load_rule(l, &p->rules[i], rule, arena_printf("/rules/%zu", i)) != 0)
			return -1;
		i++;
	}
	return 0;
}

static void take_warning(void *arg, const char *text)
{
	struct load *l = arg;

	note_add(&l->warnings, "policy: %s", text);
}

const struct notes *policy_warnings(const struct policy *p)
{
	static const struct notes none;

	return p ? &p->warnings : &none;
}

int policy_load(const struct policy **out, const char *text, size_t len, const char *name,
		struct error *err)
{
	struct load l = {.text = text, .name = name, .len = len, .err = err};
	struct yaml_documents d = {.document = keep_document, .warn = take_warning, .arg = &l, .name = name};
	struct policy *p = NEW(struct policy);

	*out = NULL;
	if (yaml_load(&d, text, len, err) != 0 || (l.root && load_rules(p, &l) != 0))
		return -1;
	p->warnings = l.warnings;
	policy_check(&p->warnings, p, name);
	*out = p;
	return 0;
}
