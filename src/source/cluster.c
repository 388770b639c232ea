/* SPDX-License-Identifier: Apache-2.0 */
#include "source/cluster.h"

#include "base/arena.h"
#include "io/files.h"
#include "source/cluster_reader.h"

#define CHUNK 65536

static int read_all(struct cluster_reader *r, struct error *err)
{
	int result;

	if (dump_begin(r->dump, api_server(r->api), err) != 0)
		return -1;
	if (r->scope->desired_only)
		result = cluster_desired(r, err);
	else if (r->scope->names && r->scope->names->count)
		result = cluster_by_name(r, err);
	else
		result = cluster_lists(r, err);
	if (result != 0)
		return -1;
	dump_finish(r->dump);
	return 0;
}

int cluster_read(struct dump *out, struct api *api, const struct cluster_scope *scope, bool *no_canaries,
		 struct notes *warnings, struct error *err)
{
	static const struct strings no_names;
	struct cluster_scope s = *scope;
	struct cluster_reader r = {.dump = out, .api = api, .scope = &s, .warnings = warnings};

	if (!s.names)
		s.names = &no_names;
	if (read_all(&r, err) != 0) {
		dump_close(out);
		*out = (struct dump){.spool = -1};
		return -1;
	}
	*no_canaries = r.no_canaries;
	return 0;
}

static const struct tree *cluster_info(const struct dump *d, const char *namespace)
{
	struct tree *info = tree_new_map(), *lists = tree_new_list();

	tree_put(info, "apiVersion", tree_new_string("perch.dev/v1"));
	tree_put(info, "kind", tree_new_string("ClusterInfo"));
	if (d->server_minor)
		tree_put(info, "serverVersion", tree_new_string(arena_printf("1.%d", d->server_minor)));
	if (namespace)
		tree_put(info, "namespace", tree_new_string(namespace));
	for (int kind = KIND_OTHER + 1; kind < KIND_CLUSTERINFO; kind++)
		if (kind != KIND_KNATIVE && dump_listed(d, (enum object_kind)kind, namespace ? namespace : ""))
			tree_append(lists, tree_new_string(object_kind_name((enum object_kind)kind)));
	tree_put(info, "lists", lists);
	return info;
}

static int copy_objects(int fd, const struct dump *d, struct error *err)
{
	char *chunk = arena_alloc_raw(CHUNK);

	for (uint64_t at = 0; at < d->size;) {
		size_t n = d->size - at < CHUNK ? (size_t)(d->size - at) : CHUNK;

		if (dump_read_at(d, chunk, n, at, err) != 0 || files_write(fd, chunk, n, err) != 0)
			return -1;
		at += n;
	}
	return 0;
}

int cluster_write(int fd, struct api *api, const struct cluster_scope *scope, bool *no_canaries,
		  struct notes *warnings, struct error *err)
{
	struct cluster_scope whole = *scope;
	struct buffer head = {0};
	struct dump d;
	int result;

	whole.whole = true;
	if (cluster_read(&d, api, &whole, no_canaries, warnings, err) != 0)
		return -1;
	buffer_str(&head, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"},"
			  "\"items\":[\n");
	tree_print(&head, cluster_info(&d, scope->namespace), 0);
	result = files_write(fd, buffer_text(&head), head.len, err) || copy_objects(fd, &d, err) ||
		 files_write(fd, "\n]}\n", 4, err);
	dump_close(&d);
	return result ? -1 : 0;
}
