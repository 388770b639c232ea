/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include "base/arena.h"

void json_put_string(struct tree *map, const char *key, const char *value)
{
	tree_put(map, key, value ? tree_new_string(value) : tree_new_null());
}

void json_put_answer(struct tree *map, const char *key, enum answer a)
{
	tree_put(map, key, a == ANSWER_UNKNOWN ? tree_new_null() : tree_new_bool(a == ANSWER_YES));
}

void json_put_minor(struct tree *map, const char *key, int minor)
{
	json_put_string(map, key, minor ? arena_printf("0.%d", minor) : NULL);
}

struct tree *json_head(const struct report *r, const char *kind)
{
	struct tree *t = tree_new_map(), *cluster = tree_new_map();

	json_put_string(t, "apiVersion", "perch.dev/v1");
	json_put_string(t, "kind", kind);
	if (!r->cluster)
		return t;
	json_put_string(cluster, "name", r->cluster);
	json_put_string(cluster, "server", r->server);
	tree_put(t, "cluster", cluster);
	return t;
}

/* Prints all of the map but its closing brace, and opens the list of items. */
void json_begin_items(const struct tree *head)
{
	struct buffer b = {0};

	tree_print(&b, head, 0);
	b.data[--b.len] = '\0';
	buffer_str(&b, ",\"items\":[");
	report_write(&b);
}

void json_item(struct report *r, const struct tree *item)
{
	struct buffer b = {0};

	buffer_str(&b, r->items++ ? ",\n" : "\n");
	tree_print(&b, item, 0);
	report_write(&b);
}

void json_end_items(struct report *r, const struct tree *summary)
{
	struct buffer b = {0};

	buffer_str(&b, r->items ? "\n]" : "]");
	if (summary) {
		buffer_str(&b, ",\"summary\":");
		tree_print(&b, summary, 0);
	}
	buffer_str(&b, "}\n");
	report_write(&b);
}

void json_put_release(struct tree *map, const char *key, const struct flagger *f)
{
	json_put_string(map, key, f->release.major && f->k8s ? release_text(&f->release) : NULL);
}

struct tree *json_flagger(const struct flagger *f)
{
	struct tree *t = tree_new_map();

	json_put_release(t, "version", f);
	json_put_minor(t, "k8s", f->k8s);
	json_put_string(t, "evidence", f->evidence == EVIDENCE_NONE ? NULL : evidence_name(f->evidence));
	if (!f->k8s && f->problem)
		json_put_string(t, "problem", f->problem);
	return t;
}

struct tree *json_action(const struct action *a)
{
	struct tree *t = tree_new_map();

	json_put_string(t, "hashes", hashes_name(a->hashes));
	json_put_string(t, "hold", hold_name(a->hold));
	tree_put(t, "ship", tree_new_bool(a->ship));
	tree_put(t, "alert", tree_new_bool(a->alert));
	json_put_string(t, "text", a->text);
	return t;
}
