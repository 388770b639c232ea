/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/writers.h"

#include <string.h>

#include "k8s/path.h"

#define MAX_OWNERS 16

bool writer_is_flagger(const struct owner *o)
{
	return strcmp(o->manager, "flagger") == 0;
}

enum writer writer_of(const char **manager, const struct owner *owners, const struct tree *primary,
		      const char *pointer)
{
	const struct owner *at[MAX_OWNERS];
	size_t n;

	if (!owners)
		return WRITER_UNKNOWN;
	n = owners_at(at, MAX_OWNERS, owners, primary, pointer);
	for (size_t i = 0; i < n && i < MAX_OWNERS; i++)
		if (writer_is_flagger(at[i]))
			return WRITER_FLAGGER;
	if (n == 0)
		return WRITER_NOBODY;
	*manager = at[0]->manager;
	return WRITER_OTHER;
}

struct walk {
	const char *manager;
	struct path path;
	writers_visit *visit;
	void *arg;
};

static void walk(struct walk *w, const struct fieldset *set, const struct schema_type *type,
		 const struct schema_field *field, const struct tree *value);

static void arrive(struct walk *w, const struct fieldset *at, const struct schema_type *type,
		   const struct schema_field *field, const struct tree *value)
{
	if (value && at->children)
		walk(w, at->children, type, field, value);
	else if (value)
		w->visit(w->arg, path_text(&w->path), path_pointer(&w->path), w->manager);
}

static void walk_item(struct walk *w, const struct fieldset *at, const struct schema_type *type,
		      const struct schema_field *field, const struct tree *list)
{
	size_t index = 0;

	tree_each(item, list) {
		const char *element = fieldset_item_element(item, field);

		if (element && strcmp(element, at->element) == 0) {
			const char **keys = path_item_keys(list, tree_len(list), field);
			struct path_mark mark = path_item(&w->path, keys[index], index);

			arrive(w, at, schema_value(type)->elem, NULL, item);
			path_back(&w->path, mark);
			return;
		}
		index++;
	}
}

static void walk(struct walk *w, const struct fieldset *set, const struct schema_type *type,
		 const struct schema_field *field, const struct tree *value)
{
	for (const struct fieldset *at = set; at; at = at->next) {
		if (strncmp(at->element, "f:", 2) == 0) {
			const char *key = at->element + 2;
			const struct schema_field *below = NULL;
			const struct schema_type *entry = fieldset_entry(type, key, schema_newest(), &below);
			struct path_mark mark = path_key(&w->path, key);

			arrive(w, at, entry, below, tree_get(value, key));
			path_back(&w->path, mark);
		} else if (field) {
			walk_item(w, at, type, field, value);
		}
	}
}

static const struct fieldset *template_fields(const struct fieldset *set)
{
	const struct fieldset *spec = fieldset_find(set, "f:spec");
	const struct fieldset *template = spec ? fieldset_find(spec->children, "f:template") : NULL;

	return template ? template->children : NULL;
}

void writers_foreign(const struct owner *owners, const struct tree *primary, writers_visit *visit,
		     void *arg)
{
	const struct schema_type *type = schema_content(object_kind(primary));
	const struct tree *template = tree_path(primary, "spec", "template", NULL);
	struct walk w = {.visit = visit, .arg = arg};
	const struct fieldset *own = NULL;

	path_key(&w.path, "spec");
	path_key(&w.path, "template");
	for (const struct owner *o = owners; o; o = o->next)
		if (writer_is_flagger(o))
			own = fieldset_union(own, template_fields(o->fields));
	for (const struct owner *o = owners; o; o = o->next) {
		w.manager = o->manager;
		if (!writer_is_flagger(o))
			walk(&w, fieldset_difference(template_fields(o->fields), own), type, NULL, template);
	}
}
