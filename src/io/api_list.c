/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/api_client.h"
#include "io/files.h"
#include "value/json.h"

#define LIMIT "500"
#define MAX_RESTARTS 2

/* A list under way. The page's memory and file are used again for the next one. */
struct paging {
	struct api_list *list;
	struct api_call page;
	struct http_spool spool;
	uint64_t at;           /* what of the page is read */
	struct buffer *window; /* all lists' */
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

/* The file, then what the answer's buffer holds. */
static long read_page(void *arg, char *buf, size_t size, struct error *err)
{
	struct paging *p = arg;
	const struct buffer *rest = &p->page.http.answer;
	uint64_t spooled = p->spool.size, left = spooled + rest->len - p->at;

	if (p->at < spooled)
		left = spooled - p->at;
	if (size > left)
		size = (size_t)left;
	if (p->at < spooled)
		return files_read_on(p->spool.fd, &p->at, buf, size, p->list->path, err);
	memcpy(buf, buffer_text(rest) + (p->at - spooled), size);
	p->at += size;
	return (long)size;
}

static int split_page(struct paging *p, struct json_split split, struct error *err)
{
	const struct buffer *answer = &p->page.http.answer;

	split.arg = p;
	if (p->spool.size == 0)
		return json_split_text(&split, buffer_text(answer), answer->len, err);
	split.read = read_page;
	split.window = p->window;
	p->at = 0;
	return json_split(&split, err);
}

/* Before any item is handed on all of the page must be there. */
static int check_page(void *arg, struct api_call *call, struct error *err)
{
	(void)call;
	return split_page(arg, (struct json_split){.item = refuse_lone_object, .list = read_envelope,
						   .name = "answer"}, err);
}

static int hand_on(void *arg, const struct json_item *item, struct error *err)
{
	const struct paging *p = arg;
	struct api_list *list = p->list;

	list->items++;
	return list->item(list->arg, item->text, item->len, err);
}

static int hand_on_items(struct paging *p, struct error *err)
{
	p->done = p->next == NULL;
	return split_page(p, (struct json_split){.item = hand_on, .name = p->list->path}, err);
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

	if (p->restarts < MAX_RESTARTS || p->next)
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

static void begin(struct paging *p, struct api_list *list, struct buffer *window)
{
	list->items = 0;
	p->list = list;
	p->window = window;
	p->spool.fd = -1;
	if (!list->secret)
		p->page.http.spool = &p->spool;
}

int api_lists(struct api *api, struct api_list *const *lists, size_t n, struct error *err)
{
	struct paging *pagings = NEW_ARRAY(struct paging, n + 1);
	struct buffer window = {0};
	int result = 0;

	for (size_t i = 0; i < n; i++)
		begin(&pagings[i], lists[i], &window);
	while (result == 0 && !all_done(pagings, n))
		result = next_pages(api, pagings, n, err);
	for (size_t i = 0; i < n; i++)
		if (pagings[i].spool.fd >= 0)
			close(pagings[i].spool.fd);
	return result;
}
