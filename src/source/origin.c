/* SPDX-License-Identifier: Apache-2.0 */
#include "source/origin.h"

#include <string.h>
#include <sys/stat.h>

#include "value/yaml.h"

#define MAX_ANNOTATION ((size_t)4 << 10)
#define MAX_SOURCE     ((off_t)1 << 20)

static int on_origin(void *arg, const struct tree *document, unsigned line, struct error *err)
{
	(void)line;
	(void)err;
	*(const struct tree **)arg = document;
	return 0;
}

static void on_warning(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

const char *origin_path(const struct tree *object)
{
	const char *text = object_annotation(object, "config.kubernetes.io/origin");
	const struct tree *origin = NULL;
	struct yaml_documents d = {on_origin, on_warning, &origin, "origin"};
	struct error ignored;

	if (!text || strlen(text) > MAX_ANNOTATION || yaml_load(&d, text, strlen(text), &ignored) != 0)
		return "";
	return tree_get(origin, "repo") ? "" : tree_string_or(tree_get(origin, "path"), "");
}

/* By its name; a prefix or suffix may have come on top, so else the only one of its kind. */
static const struct manifest *same_object(const struct manifests *m, const struct manifest *rendered)
{
	const struct manifest *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		if (m->items[i].kind != rendered->kind)
			continue;
		if (strcmp(m->items[i].id.name, rendered->id.name) == 0)
			return &m->items[i];
		only = &m->items[i];
		n++;
	}
	return n == 1 ? only : NULL;
}

unsigned origin_line(const char *file, const struct manifest *rendered, const char *path)
{
	struct notes ignored = {0};
	struct manifests m = {.unchecked = true, .warnings = &ignored};
	const struct manifest *found;
	struct error err;
	struct stat st;

	if (stat(file, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_SOURCE)
		return 0;
	if (manifests_add_path(&m, file, &err) != 0)
		return 0;
	found = same_object(&m, rendered);
	return found ? manifest_line(found, path) : 0;
}
