/* SPDX-License-Identifier: Apache-2.0 */
#include "act/via.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/canary_via.h"
#include "value/json.h"

#define DEFAULT_NAME "perch-holds"
#define NAME_MAX_LEN 253

const struct api_kind via_kind = {"", "v1", "configmaps"};

/* RFC 1123, as far as an API server needs to be asked no nonsense. */
static bool is_name(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len <= NAME_MAX_LEN && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-.") == len;
}

int via_parse(const struct via **out, const char *text, struct error *err)
{
	static const char word[] = "configmap";
	const char *rest, *slash;
	struct via *via = NEW(struct via);

	*out = NULL;
	if (!text || strcmp(text, "canary") == 0)
		return 0;
	rest = strncmp(text, word, sizeof(word) - 1) == 0 ? text + sizeof(word) - 1 : "?";
	if (*rest && *rest != '=')
		return error_set(err, ERR_USAGE, "--via: unknown way '%s', there are canary and configmap[=[NAMESPACE/]NAME]",
				 text);
	via->name = *rest ? rest + 1 : DEFAULT_NAME;
	slash = strchr(via->name, '/');
	if (slash) {
		via->namespace = arena_strndup(via->name, (size_t)(slash - via->name));
		via->name = slash + 1;
	}
	if (!is_name(via->name) || (via->namespace && !is_name(via->namespace)))
		return error_set(err, ERR_USAGE, "--via: '%s' is no name of a ConfigMap", rest + 1);
	*out = via;
	return 0;
}

/* One that isn't there says nothing of any canary. */
static int get(struct via *via, struct api *api, const char *namespace, struct error *err)
{
	struct api_call call = {.http = {.method = "GET", .path = api_path(&via_kind, namespace, via->name)}};

	if (api_call(api, &call, err) != 0)
		return error_wrap(err, "--via");
	if (call.object)
		via->maps[via->count++] = call.object;
	return 0;
}

static int list(struct via *via, struct api *api, struct error *err)
{
	struct api_call call = {.http = {.method = "GET"}};
	const struct tree *items;

	call.http.path = api_query(api_path(&via_kind, NULL, NULL), "fieldSelector",
				   arena_printf("metadata.name=%s", via->name), NULL);
	if (api_call(api, &call, err) != 0)
		return error_wrap(err, "--via");
	items = tree_get(call.object, "items");
	via->maps = NEW_ARRAY(const struct tree *, tree_len(items) + 1);
	tree_each(item, items)
		via->maps[via->count++] = item;
	return 0;
}

int via_load(const struct via **out, const struct via *via, struct api *api, const struct strings *namespaces,
	     struct error *err)
{
	struct via *loaded = NEW(struct via);

	*loaded = (struct via){.namespace = via->namespace, .name = via->name};
	*out = loaded;
	if (!via->namespace && !namespaces->count)
		return list(loaded, api, err);
	loaded->maps = NEW_ARRAY(const struct tree *, namespaces->count + 1);
	if (via->namespace)
		return get(loaded, api, via->namespace, err);
	for (size_t i = 0; i < namespaces->count; i++)
		if (get(loaded, api, namespaces->items[i], err) != 0)
			return -1;
	return 0;
}

static const struct tree *map_in(const struct via *via, const char *namespace)
{
	for (size_t i = 0; i < via->count; i++)
		if (strcmp(tree_string_or(tree_path(via->maps[i], "metadata", "namespace", NULL), ""), namespace) == 0)
			return via->maps[i];
	return NULL;
}

/* What Flux takes for a variable: ^[_[:alpha:]][_[:alpha:][:digit:]]*$. */
static const char *variable_of(const char *canary)
{
	char *variable = arena_strdup(canary);

	for (char *p = variable; *p; p++)
		if (*p == '-' || *p == '.')
			*p = '_';
	return variable;
}

/* Records are written by perch alone; one that isn't its own is as if it weren't there. */
static const struct tree *read_record(const struct tree *map, const char *variable)
{
	const struct tree *text = tree_path(map, "data", arena_printf(VIA_RECORD "%s", variable), NULL);
	const char *json = tree_string_or(text, "");
	const struct tree *record;
	struct error bad;

	record = *json ? json_parse(json, strlen(json), "a record", &bad) : NULL;
	return tree_kind(record) == TREE_MAP && tree_string(tree_get(record, "canary")) ? record : NULL;
}

static struct tree *said(const struct tree *map, const char *namespace, const char *name, const struct identity *canary)
{
	struct tree *via = tree_new_map(), *place = tree_new_map();
	const char *variable = variable_of(canary->name);
	const struct tree *record = read_record(map, variable);
	const char *whose = tree_string_or(tree_get(record, "canary"), "");

	tree_put(place, "namespace", tree_new_string(namespace));
	tree_put(place, "name", tree_new_string(name));
	tree_put(via, "configMap", place);
	tree_put(via, "variable", tree_new_string(variable));
	if (record && strcmp(whose, arena_printf("%s/%s", canary->namespace, canary->name)) == 0)
		tree_put(via, "record", tree_copy(record));
	else if (record)
		tree_put(via, "taken", tree_new_string(whose));
	return via;
}

static const struct tree *with(const struct tree *canary, struct tree *via)
{
	struct tree *copy = tree_copy(canary);

	tree_put(copy, CANARY_VIA, via);
	return copy;
}

const struct tree *via_see(const struct via *via, const struct tree *canary)
{
	struct identity id = object_identity(canary, "default");
	const char *namespace;

	if (!via || tree_kind(canary) != TREE_MAP)
		return canary;
	namespace = via->namespace ? via->namespace : id.namespace;
	return with(canary, said(map_in(via, namespace), namespace, via->name, &id));
}

const struct tree *via_see_in(const struct tree *map, const struct canary *c, const struct tree *canary)
{
	const struct tree *place = tree_get(c->via, "configMap");
	struct identity id = object_identity(canary, "default");

	return with(canary, said(map, tree_string_or(tree_get(place, "namespace"), ""),
				 tree_string_or(tree_get(place, "name"), ""), &id));
}

const struct tree *via_kept(const struct canary *c, const struct tree *canary)
{
	return c->via ? with(canary, tree_copy(c->via)) : canary;
}
