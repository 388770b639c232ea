/* SPDX-License-Identifier: Apache-2.0 */
#include "io/api.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/api_client.h"
#include "io/clock.h"
#include "value/base64.h"
#include "value/json.h"

#define FIRST_WAIT_MS 200
#define LONGEST_WAIT_MS 5000
#define MAX_GROUPS 64

int api_open(struct api **out, const struct api_options *o, struct error *err)
{
	struct api *api = NEW(struct api);

	*out = NULL;
	api->o = *o;
	api->seed = (unsigned)(clock_ms() ^ getpid());
	if (http_open(&api->http, &o->http, err))
		return -1;
	*out = api;
	return 0;
}

void api_close(struct api *api)
{
	if (api)
		http_close(api->http);
}

const char *api_server(const struct api *api)
{
	return api->o.http.origin;
}

size_t api_requests(const struct api *api)
{
	return api->requests;
}

/* A line break in a value would begin a header of its own. */
static bool one_line(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value < 0x20 || *value == 0x7f)
			return false;
	return true;
}

struct header_list {
	struct http_header items[MAX_GROUPS + 8];
	size_t n;
	bool broken;
};

static void add(struct header_list *list, const char *name, const char *value)
{
	if (!value)
		return;
	if (list->n == sizeof(list->items) / sizeof(*list->items) || !one_line(value))
		list->broken = true;
	else
		list->items[list->n++] = (struct http_header){name, value};
}

static const char *authorization(const struct credentials *c)
{
	const char *pair;

	if (c->token)
		return arena_printf("Bearer %s", c->token);
	if (!c->user)
		return NULL;
	pair = arena_printf("%s:%s", c->user, c->password ? c->password : "");
	return arena_printf("Basic %s", base64_encode(pair, strlen(pair)));
}

static int set_headers(struct api *api, const struct credentials *c, struct error *err)
{
	struct header_list list = {.n = 0};
	const char *const *group = api->o.as_groups;

	add(&list, "Accept", "application/json");
	add(&list, "User-Agent", "perch/" PERCH_VERSION);
	add(&list, "Impersonate-User", api->o.as);
	while (group && *group)
		add(&list, "Impersonate-Group", *group++);
	add(&list, "Impersonate-Uid", api->o.as_uid);
	for (size_t i = 0; i < api->o.as_extra_count; i++)
		add(&list, api->o.as_extra[i].name, api->o.as_extra[i].value);
	if (list.broken)
		return error_set(err, ERR_USAGE, "a name to impersonate has a line break, or there are too many");
	add(&list, "Authorization", authorization(c));
	if (list.broken)
		return error_set(err, ERR_INPUT, "a token, user or password has a line break in it");
	http_headers(api->http, list.items, list.n);
	return 0;
}

int api_authenticate(struct api *api, bool refused, struct error *err)
{
	struct credentials c = {0};

	if (api->asked && !refused && (api->expires == 0 || clock_now() < api->expires))
		return 0;
	if (api->o.credentials && api->o.credentials(api->o.arg, &c, refused, err))
		return -1;
	if (set_headers(api, &c, err))
		return -1;
	if ((c.certificate.data || c.certificate.file) &&
	    http_certificate(api->http, &c.certificate, &c.key, err))
		return -1;
	api->asked = true;
	api->expires = c.expires;
	return 0;
}

static bool is_read(const struct http_request *r)
{
	return strcmp(r->method, "GET") == 0;
}

/* 429, and 503 with a date to come back at, are said before anything is done. */
static bool may_repeat(const struct api_call *call)
{
	const struct http_request *r = &call->http;

	return is_read(r) || call->repeatable || (r->status == 0 && !r->sent) || r->status == 429 ||
	       (r->status == 503 && r->retry_after_ms >= 0);
}

static bool is_transient(int status)
{
	return status == 429 || status == 500 || (status >= 502 && status <= 504);
}

/* A 500 about the request itself, an apply of a field that the CRD doesn't declare: it stays so. */
static bool is_lasting(const struct api_call *call)
{
	return strstr(call->message, "failed to create typed patch object");
}

static bool is_answer(const struct api_call *call)
{
	int status = call->http.status;

	if (call->optional && status / 100 == 4)
		return status != 401 && !is_transient(status);
	return status == 404 || status == 409 || status == 410 || status == 422;
}

static int whole_json(struct api_call *call, struct error *err)
{
	const struct http_request *r = &call->http;

	call->object = json_parse(buffer_text(&r->answer), r->answer.len, "answer", err);
	return call->object ? 0 : -1;
}

enum judgement { ANSWERED, AGAIN, UNAUTHORIZED, FAILED };

static enum judgement broken_answer(struct api *api, struct attempt *a)
{
	struct http_request *r = &a->call->http;
	struct error cause = a->err;

	error_set(&a->err, ERR_PARTIAL, "the answer of '%s' to %s '%.*s' is cut off or no JSON: %.300s",
		  api_server(api), r->method, (int)strcspn(r->path, "?"), r->path, cause.text);
	return may_repeat(a->call) ? AGAIN : FAILED;
}

static enum judgement judge(struct api *api, struct attempt *a)
{
	struct api_call *call = a->call;
	const struct http_request *r = &call->http;

	call->object = call->status = NULL;
	call->message = call->reason = "";
	if (r->status == 0) {
		a->err = r->failure;
		if (r->sent && !is_read(r))
			error_wrap(&a->err, "it is not known whether %s '%.*s' was done", r->method,
				   (int)strcspn(r->path, "?"), r->path);
		return may_repeat(call) && !r->permanent && !clock_passed(api->o.http.deadline) ? AGAIN : FAILED;
	}
	if (r->status / 100 == 2) {
		int broken = a->check ? a->check(a->arg, call, &a->err) : whole_json(call, &a->err);

		return broken ? broken_answer(api, a) : ANSWERED;
	}
	api_read_status(call);
	api_refusal(api, call, &a->err);
	call->refusal = a->err;
	if (is_answer(call))
		return ANSWERED;
	if (r->status == 401)
		return UNAUTHORIZED;
	if (!is_transient(r->status) || is_lasting(call))
		return FAILED;
	if (may_repeat(call))
		return AGAIN;
	error_wrap(&a->err, "it is not known whether it was done");
	return FAILED;
}

/* Doubles with each retry; half of it is chance, so that many clients don't come back at once. */
static int64_t wait_before(struct api *api, const struct attempt *a)
{
	int64_t wait = FIRST_WAIT_MS;

	if (a->call->http.retry_after_ms >= 0)
		return a->call->http.retry_after_ms;
	for (int i = 1; i < a->retries && wait < LONGEST_WAIT_MS; i++)
		wait *= 2;
	if (wait > LONGEST_WAIT_MS)
		wait = LONGEST_WAIT_MS;
	return wait / 2 + rand_r(&api->seed) % (wait / 2);
}

static int give_up(const struct attempt *a, struct error *err)
{
	*err = a->err;
	if (a->retries > 0)
		error_wrap(err, "given up after %d tries", a->retries + 1);
	return -1;
}

static void send_pending(struct api *api, struct attempt *attempts, size_t n)
{
	struct http_request **requests = NEW_ARRAY(struct http_request *, n + 1);
	size_t pending = 0;

	for (size_t i = 0; i < n; i++)
		if (!attempts[i].answered)
			requests[pending++] = &attempts[i].call->http;
	http_perform(api->http, requests, pending);
	api->requests += pending;
}

/* Judges what came back. `wait`: before the next round, -1 if there needs none. */
static int judge_round(struct api *api, struct attempt *attempts, size_t n, bool *refused,
		       int64_t *wait, struct error *err)
{
	*wait = -1;
	*refused = false;
	for (size_t i = 0; i < n; i++) {
		struct attempt *a = &attempts[i];
		enum judgement judgement = a->answered ? ANSWERED : judge(api, a);
		int64_t its = 0;

		a->answered = judgement == ANSWERED;
		if (a->answered)
			continue;
		if (judgement == FAILED || (judgement == AGAIN && a->retries == api->o.retries))
			return give_up(a, err);
		if (judgement == UNAUTHORIZED) {
			*refused = true;
			*err = a->err;
		} else {
			a->retries++;
			its = wait_before(api, a);
		}
		if (its > clock_left(api->o.http.deadline)) {
			*err = a->err;
			err->kind = ERR_TIMEOUT;
			return error_wrap(err, "no time left to try again");
		}
		*wait = its > *wait ? its : *wait;
	}
	return 0;
}

int api_attempts(struct api *api, struct attempt *attempts, size_t n, struct error *err)
{
	bool renewed = false, refused = false;
	int64_t wait;

	for (;;) {
		if (api_authenticate(api, refused, err))
			return -1;
		send_pending(api, attempts, n);
		if (judge_round(api, attempts, n, &refused, &wait, err))
			return -1;
		if (wait < 0)
			return 0;
		if (refused && (renewed || !api->o.credentials))
			return -1;
		renewed = renewed || refused;
		clock_sleep(wait);
	}
}

int api_perform(struct api *api, struct api_call *const *calls, size_t n, struct error *err)
{
	struct attempt *attempts = NEW_ARRAY(struct attempt, n + 1);

	for (size_t i = 0; i < n; i++)
		attempts[i].call = calls[i];
	return api_attempts(api, attempts, n, err);
}

int api_call(struct api *api, struct api_call *call, struct error *err)
{
	return api_perform(api, &call, 1, err);
}
