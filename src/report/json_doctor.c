/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "report/json.h"

void json_doctor_begin(struct report *r)
{
	json_begin_items(json_head(r, "Diagnosis"));
}

static const char *or_null(const char *text)
{
	return text && *text ? text : NULL;
}

void json_doctor_item(struct report *r, const struct doctor_item *item)
{
	const struct finding *f = item->finding;
	struct tree *t = tree_new_map();

	json_put_string(t, "check", f->check->id);
	json_put_string(t, "severity", severity_name(f->check->severity));
	json_put_string(t, "kind", f->id.kind);
	json_put_string(t, "namespace", or_null(f->id.namespace));
	json_put_string(t, "name", f->id.name);
	json_put_string(t, "path", or_null(f->path));
	json_put_string(t, "file", item->file);
	tree_put(t, "line", item->line ? tree_new_int(item->line) : tree_new_null());
	json_put_string(t, "title", f->check->title);
	json_put_string(t, "text", f->text);
	json_put_string(t, "remedy", f->check->remedy);
	json_item(r, t);
}

void json_doctor_end(struct report *r, const struct doctor_summary *s)
{
	struct tree *t = tree_new_map(), *unread = tree_new_list();

	tree_put(t, "errors", tree_new_int((int64_t)s->errors));
	tree_put(t, "warnings", tree_new_int((int64_t)s->warnings));
	tree_put(t, "checks", tree_new_int((int64_t)s->checks));
	tree_put(t, "looked", tree_new_int((int64_t)s->looked));
	note_each(n, s->unread)
		tree_append(unread, tree_new_string(n->text));
	tree_put(t, "notLookedAt", unread);
	json_end_items(r, t);
}
