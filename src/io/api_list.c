/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/api_client.h"
#include "value/json.h"

#define LIMIT "500"
#define MAX_RESTARTS 2

/* A list under way. The page's memory is used again for the next one. */
struct paging {
	struct api_list *list;
	struct api_call page;
	const char *next; /* continue; NULL: from the start */
	int restarts;
	bool done;
};

static int refuse_lone_object(void *arg, const struct json_item *item, struct error *err)
{
	(void)arg;
	return item->offset == 0 ? error_set(err, ERR_INPUT, "it has no items") : 0;
}

static int read_envelope(void *arg, const struct json_item *envelope, struct error *err)
{
	struct paging *p = arg;
	const struct tree *t = json_parse(envelope->text, envelope->len, "list", err);
	const char *next = tree_string_or(tree_path(t, "metadata", "continue", NULL), "");

	if (!t)
		return -1;
	p->next = *next ? arena_strdup(next) : NULL;
	p->list->resource_version =
		arena_strdup(tree_string_or(tree_path(t, "metadata", "resourceVersion", NULL), ""));
	return 0;
}

/* Before any item is handed on all of the page must be there. */
static int check_page(void *arg, struct api_call *call, struct error *err)
{
	struct json_split split = {.item = refuse_lone_object, .list = read_envelope, .arg = arg, .name = "answer"};

	return json_split_text(&split, buffer_text(&call->http.answer), call->http.answer.len, err);
}

static int hand_on(void *arg, const struct json_item *item, struct error *err)
{
	struct api_list *list = arg;

	list->items++;
	return list->item(list->arg, item->text, item->len, err);
}

static int hand_on_items(struct paging *p, struct error *err)
{
	struct json_split split = {.item = hand_on, .arg = p->list, .name = p->list->path};
	const struct buffer *answer = &p->page.http.answer;

	p->done = p->next == NULL;
	return json_split_text(&split, buffer_text(answer), answer->len, err);
}

/* The last start asks for all at once, which can't expire. */
static int start_anew(struct paging *p, struct error *err)
{
	struct api_list *list = p->list;

	if (!list->restart || p->restarts == MAX_RESTARTS)
		return error_set(err, ERR_PARTIAL, "the list '%s' expired while it was read", list->path);
	p->restarts++;
	p->next = NULL;
	list->items = 0;
	return list->restart(list->arg, err);
}

static int turn_page(const struct api *api, struct paging *p, struct error *err)
{
	int status = p->page.http.status;

	p->list->status = status / 100 == 2 ? 200 : status;
	if (p->list->status == 200)
		return hand_on_items(p, err);
	p->list->resource_version = NULL;
	if (status == 410)
		return start_anew(p, err);
	if (status != 403 && status != 404)
		return api_refusal(api, &p->page, err);
	p->done = true;
	if (status == 403)
		p->list->refusal = p->page.refusal;
	return 0;
}

static void ask_for_page(struct paging *p)
{
	const char *path = p->list->path;

	if (p->restarts < MAX_RESTARTS)
		path = api_query(path, "limit", LIMIT, p->next ? "continue" : NULL, p->next, NULL);
	p->page.http.method = "GET";
	p->page.http.path = path;
	p->page.optional = true;
}

static int next_pages(struct api *api, struct paging *pagings, size_t n, struct error *err)
{
	struct attempt *attempts = NEW_ARRAY(struct attempt, n + 1);
	size_t asked = 0;

	for (size_t i = 0; i < n; i++) {
		if (pagings[i].done)
			continue;
		ask_for_page(&pagings[i]);
		attempts[asked++] = (struct attempt){.call = &pagings[i].page, .check = check_page,
						     .arg = &pagings[i]};
	}
	if (api_attempts(api, attempts, asked, err))
		return -1;
	for (size_t i = 0; i < asked; i++)
		if (turn_page(api, attempts[i].arg, err))
			return -1;
	return 0;
}

static bool all_done(const struct paging *pagings, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!pagings[i].done)
			return false;
	return true;
}

int api_lists(struct api *api, struct api_list *const *lists, size_t n, struct error *err)
{
	struct paging *pagings = NEW_ARRAY(struct paging, n + 1);

	for (size_t i = 0; i < n; i++) {
		pagings[i].list = lists[i];
		lists[i]->items = 0;
	}
	while (!all_done(pagings, n))
		if (next_pages(api, pagings, n, err))
			return -1;
	return 0;
}
