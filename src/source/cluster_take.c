/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "flagger/checksum.h"
#include "source/cluster_reader.h"
#include "value/json.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"
#define CHECKSUM "perch.dev/data-checksum"

/* The items of a typed list don't say what they are. */
static void put_typed(struct buffer *out, enum object_kind kind, const char *text, size_t len)
{
	static const char named[] = "{\"apiVersion\":", kind_first[] = "{\"kind\":";
	const struct api_kind *k = cluster_kind(kind);

	if (strncmp(text, named, strlen(named)) == 0 || strncmp(text, kind_first, strlen(kind_first)) == 0) {
		buffer_add(out, text, len);
		return;
	}
	buffer_printf(out, "{\"apiVersion\":\"%s%s%s\",\"kind\":\"%s\",", k->group, *k->group ? "/" : "",
		      k->version, object_kind_name(kind));
	buffer_add(out, text + 1, len - 1);
}

/* A Secret without its data, which last-applied may hold too, but with what Flagger compares of it. */
static int conceal(struct buffer *text, struct error *err)
{
	struct arena_mark mark = arena_mark();
	const struct tree *read = json_parse(buffer_text(text), text->len, "a Secret", err);
	struct tree *secret = tree_copy(read), *meta = tree_get_mutable(secret, "metadata"), *annotations;
	char sum[CHECKSUM_SIZE];
	size_t cap = text->cap;

	if (!read || config_checksum(sum, read, err) != 0)
		return -1;
	tree_remove(secret, "data");
	if (tree_kind(tree_get(meta, "annotations")) != TREE_MAP)
		tree_put(meta, "annotations", tree_new_map());
	annotations = tree_get_mutable(meta, "annotations");
	tree_remove(annotations, LAST_APPLIED);
	tree_put(annotations, CHECKSUM, tree_new_string(sum));
	explicit_bzero(text->data, text->len);
	text->len = 0;
	tree_print(text, secret, 0);
	if (text->cap == cap) /* nothing that stays was made since the mark */
		arena_rewind(mark);
	return 0;
}

int cluster_take(bool *taken, struct cluster_reader *r, enum object_kind kind, const char *text, size_t len,
		 const struct dump_filter *filter, struct error *err)
{
	r->text.len = 0;
	put_typed(&r->text, kind, text, len);
	if (kind == KIND_SECRET && conceal(&r->text, err) != 0)
		return -1;
	return dump_add(taken, r->dump, buffer_text(&r->text), r->text.len, filter, err);
}

int cluster_refused(struct cluster_reader *r, enum object_kind kind, const struct error *refusal,
		    struct error *err)
{
	bool history = kind == KIND_REPLICASET || kind == KIND_CONTROLLERREVISION;

	if (r->scope->for_writing && (history || object_is_target(kind))) {
		*err = *refusal;
		return -1;
	}
	if (r->unread & 1u << kind)
		return 0;
	r->unread |= 1u << kind;
	note_add(r->warnings, "unread: %s", refusal->text);
	return 0;
}
