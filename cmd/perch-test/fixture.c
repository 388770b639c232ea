/* SPDX-License-Identifier: Apache-2.0 */
#include "perch-test/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perch-test/command.h"
#include "value/json.h"
#include "value/yaml.h"

static const struct option options[] = {
	{"flagger", 0, OPTION_TEXT, "RELEASE", "", offsetof(struct fixture, release)},
	{"k8s", 0, OPTION_TEXT, "MINOR", "", offsetof(struct fixture, k8s)},
	{"selector-labels", 0, OPTION_TEXT, "LABELS", "", offsetof(struct fixture, selector_labels)},
	{"unread", 0, OPTION_TEXT, "KINDS", "", offsetof(struct fixture, unread)},
	{"policy", 0, OPTION_TEXT, "FILE", "", offsetof(struct fixture, policy_file)},
	{"no-tracking", 0, OPTION_SWITCH, NULL, "", offsetof(struct fixture, no_tracking)},
	{0},
};

static _Noreturn void give_up(const struct error *err)
{
	fflush(stdout);
	exit(test_fail(err));
}

static void add_object(struct fixture *f, const struct tree *object)
{
	size_t size = sizeof(*f->objects);

	f->objects = arena_grow(f->objects, f->count * size, (f->count + 1) * size);
	f->objects[f->count++] = object;
}

static int add_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	const struct tree *items = tree_get(t, "items");

	(void)line;
	(void)err;
	if (tree_kind(items) == TREE_LIST) {
		tree_each(item, items)
			add_object(arg, item);
	} else if (tree_kind(t) == TREE_MAP) {
		add_object(arg, t);
	}
	return 0;
}

static int load(struct fixture *f, const char *path, struct error *err)
{
	size_t len;
	const char *text = test_read(path, &len);
	struct yaml_documents documents = {.document = add_document, .arg = f, .name = path};
	const struct tree *t;

	if (*text != '{')
		return yaml_load(&documents, text, len, err);
	t = json_parse(text, len, path, err);
	return t ? add_document(f, t, 1, err) : -1;
}

static bool is_unread(const struct fixture *f, enum object_kind kind)
{
	return f->unread && strstr(f->unread, object_kind_name(kind));
}

static struct seen find(void *arg, enum object_kind kind, const char *namespace, const char *name)
{
	const struct fixture *f = arg;

	for (size_t i = 0; i < f->count; i++) {
		struct identity id = object_identity(f->objects[i], "default");

		if (object_kind(f->objects[i]) == kind && strcmp(id.namespace, namespace) == 0 &&
		    strcmp(id.name, name) == 0)
			return (struct seen){.reading = READ_PRESENT, .object = f->objects[i]};
	}
	return (struct seen){.reading = is_unread(f, kind) ? READ_UNREAD : READ_ABSENT};
}

static void show_canary(struct fixture *f, const struct tree *object, fixture_show *show)
{
	struct subject s = {.canary = object, .configs = {find, f}};
	struct canary c;
	struct error err = {0};

	if (canary_read(&c, object, &err) < 0) {
		printf("%s: %s\n", object_identity(object, "").name, err.text);
		return;
	}
	s.target = find(f, c.target_kind, c.namespace, c.target_name);
	s.primary = find(f, c.target_kind, c.namespace, canary_primary_name(&c));
	show(f, &c, &s);
}

static bool wanted(const struct fixture *f, const struct tree *object)
{
	const char *name = object_identity(object, "").name;

	if (object_kind(object) != KIND_CANARY)
		return false;
	for (size_t i = 1; i < f->operands.count; i++)
		if (strcmp(f->operands.items[i], name) == 0)
			return true;
	return f->operands.count == 1;
}

static void read_flagger(struct fixture *f)
{
	struct error err = {0};

	f->flagger.config_tracking = !f->no_tracking;
	f->flagger.selector_labels = f->selector_labels;
	if (f->release) {
		if (release_parse(&f->flagger.release, f->release, &err) < 0)
			give_up(&err);
		f->flagger.k8s = release_k8s(&f->flagger.release);
	} else if (f->k8s) {
		f->flagger.k8s = (int)strtol(f->k8s, NULL, 10);
	}
}

static void read_policy(struct fixture *f)
{
	struct error err = {0};
	const char *text;
	size_t len;

	if (!f->policy_file)
		return;
	text = test_read(f->policy_file, &len);
	if (policy_load(&f->policy, text, len, f->policy_file, &err) < 0)
		give_up(&err);
}

int fixture_run(int argc, char **argv, fixture_show *show)
{
	struct fixture f = {0};
	struct error err = {0};

	if (options_parse(&f, &f.operands, options, argc, argv, &err) < 0)
		give_up(&err);
	read_flagger(&f);
	read_policy(&f);
	if (f.operands.count == 0)
		error_set(&err, ERR_USAGE, "no file is named");
	if (err.kind || load(&f, f.operands.items[0], &err) < 0)
		give_up(&err);
	for (size_t i = 0; i < f.count; i++)
		if (wanted(&f, f.objects[i]))
			show_canary(&f, f.objects[i], show);
	return 0;
}

const char *fixture_json(const struct tree *t)
{
	struct buffer text = {0};

	if (!t)
		return "-";
	tree_print_canonical(&text, t);
	return buffer_text(&text);
}

void fixture_print_changes(const char *title, const struct changes *list)
{
	change_each(c, list)
		printf("  %s: %s %s %s %s → %s\n", title, change_op_name(c->op),
		       change_class_name(c->class), c->path, fixture_json(c->old_value), fixture_json(c->new_value));
}

void fixture_print_notes(const struct notes *notes)
{
	note_each(n, notes)
		printf("  note %s\n", n->text);
}
