/* SPDX-License-Identifier: Apache-2.0 */
#include "io/http.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "io/files.h"
#include "io/http_client.h"
#include "io/signals.h"

#define POLL_MS 20 /* libcurl 7.88 may keep an answer of HTTP/2 that it has read already until it is called again */
#define MAX_CONNECTIONS 6L /* where there is no HTTP/2 */
#define LONGEST_WAIT_S ((int64_t)24 * 3600)
#define HELD ((size_t)64 << 10) /* of a body that may be spooled */

int http_open(struct http **out, const struct http_options *o, struct error *err)
{
	struct http *h = NEW(struct http);

	*out = NULL;
	h->o = *o;
	h->origin = arena_strdup(o->origin);
	if (http_origin(h, err))
		return -1;
	curl_global_init(CURL_GLOBAL_DEFAULT);
	h->multi = curl_multi_init();
	if (!h->multi)
		return error_set(err, ERR_UNREACHABLE, "libcurl can't start");
	curl_multi_setopt(h->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
	curl_multi_setopt(h->multi, CURLMOPT_MAX_HOST_CONNECTIONS, MAX_CONNECTIONS);
	for (size_t i = 0; i < HTTP_PARALLEL; i++) {
		h->transfers[i].http = h;
		if (http_set_up(&h->transfers[i], err)) {
			http_close(h);
			return -1;
		}
	}
	http_headers(h, NULL, 0);
	*out = h;
	return 0;
}

static void forget_headers(struct http *h)
{
	for (struct curl_slist *s = h->headers; s; s = s->next)
		explicit_bzero(s->data, strlen(s->data));
	curl_slist_free_all(h->headers);
	h->headers = NULL;
}

static void add_header(struct http *h, const char *line)
{
	struct curl_slist *longer = curl_slist_append(h->headers, line);

	if (!longer)
		BUG("out of memory for a header");
	h->headers = longer;
}

void http_headers(struct http *h, const struct http_header *headers, size_t n)
{
	forget_headers(h);
	add_header(h, "Expect:"); /* no round trip before a body */
	if (h->host_header)
		add_header(h, h->host_header);
	for (size_t i = 0; i < n; i++) {
		char *line = arena_printf("%s: %s", headers[i].name, headers[i].value);

		add_header(h, line);
		explicit_bzero(line, strlen(line));
	}
}

/* TLS and HTTP/2 say goodbye, to a server that may have gone. */
void http_close(struct http *h)
{
	struct sigaction before;

	if (!h)
		return;
	signals_spare_pipe(&before);
	for (size_t i = 0; i < HTTP_PARALLEL; i++)
		curl_easy_cleanup(h->transfers[i].easy);
	curl_multi_cleanup(h->multi);
	forget_headers(h);
	curl_slist_free_all(h->connect_to);
	curl_global_cleanup();
	signals_heed_pipe(&before);
}

/* What isn't a 2xx is read as a whole. */
static bool is_long(const struct transfer *t, size_t more)
{
	const struct http_request *r = t->request;
	long status = 0;

	if (!r->spool || r->answer.len + more < HELD)
		return false;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	return status / 100 == 2;
}

/* What an earlier try left in the file is written over. */
static int spool(struct http_request *r)
{
	struct http_spool *s = r->spool;
	struct buffer *answer = &r->answer;

	if (s->fd < 0)
		s->fd = files_spool(&r->failure);
	if (s->fd < 0)
		return -1;
	lseek(s->fd, (off_t)s->size, SEEK_SET);
	if (files_write(s->fd, buffer_text(answer), answer->len, &r->failure) != 0)
		return -1;
	s->size += answer->len;
	answer->len = 0;
	return 0;
}

static bool is_too_large(const struct http_request *r)
{
	return r->answer.full || (r->spool && r->spool->size + r->answer.len > HTTP_MAX_BODY);
}

static size_t take_answer(char *data, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	struct http_request *r = t->request;

	(void)size;
	if (is_long(t, n) && spool(r) != 0)
		return 0;
	buffer_add(&r->answer, data, n);
	return is_too_large(r) ? 0 : n;
}

static size_t give_body(char *buf, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	size_t left = t->request->body_len - t->body_sent;

	if (n > left)
		n = left;
	memcpy(buf, t->request->body + t->body_sent, n);
	t->body_sent += n;
	return n * size;
}

/*
 * A body is an upload that can't be rewound: so libcurl doesn't repeat a write by itself where a
 * connection it had kept open turns out to be closed, and the caller decides whether to.
 */
static void add_body(struct transfer *t)
{
	struct http_request *r = t->request;
	struct curl_slist *headers = t->http->headers;
	bool body = r->content_type != NULL;

	if (body) {
		snprintf(t->content_type_text, sizeof(t->content_type_text), "Content-Type: %s",
			 r->content_type);
		t->content_type = (struct curl_slist){t->content_type_text, headers};
		headers = &t->content_type;
		curl_easy_setopt(t->easy, CURLOPT_UPLOAD, 1L);
		curl_easy_setopt(t->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)r->body_len);
	} else {
		curl_easy_setopt(t->easy, CURLOPT_HTTPGET, 1L);
	}
	t->body_sent = 0;
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, r->method);
}

static void start(struct http *h, struct transfer *t, struct http_request *r)
{
	struct arena_mark mark = arena_mark();
	int64_t left = clock_left(h->o.deadline);

	t->request = r;
	t->detail[0] = '\0';
	if (h->o.request_ms > 0 && left > h->o.request_ms)
		left = h->o.request_ms;
	curl_easy_setopt(t->easy, CURLOPT_URL, arena_printf("%s%s", h->url, r->path));
	arena_rewind(mark);
	curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS, left < INT32_MAX ? (long)left : 0L);
	add_body(t);
	curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
	curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(t->easy, CURLOPT_READDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, give_body);
	curl_multi_add_handle(h->multi, t->easy);
}

/* Seconds, or a date, as RFC 9110 has it. */
static int64_t retry_after(CURL *easy)
{
	struct curl_header *header;
	int64_t seconds;

	if (curl_easy_header(easy, "Retry-After", 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
		return -1;
	if (isdigit((unsigned char)header->value[0])) {
		seconds = strtoll(header->value, NULL, 10);
	} else {
		time_t date = curl_getdate(header->value, NULL);

		if (date == -1)
			return -1;
		seconds = (int64_t)date - clock_now();
	}
	if (seconds < 0)
		seconds = 0;
	return (seconds < LONGEST_WAIT_S ? seconds : LONGEST_WAIT_S) * 1000;
}

/* A query may carry what only its receiver should see. */
static const char *location(CURL *easy)
{
	char *url = NULL;

	curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url);
	return url ? arena_strndup(url, strcspn(url, "?#")) : NULL;
}

static void trace(const struct http *h, const struct transfer *t)
{
	const struct http_request *r = t->request;
	const char *token = strstr(r->path, "continue=");
	int shown = token ? (int)(token - r->path) + 9 : (int)strlen(r->path);
	size_t bytes = r->answer.len + (r->spool ? (size_t)r->spool->size : 0);
	curl_off_t us = 0;
	long version = 0, connects = 0;

	if (!h->o.trace)
		return;
	curl_easy_getinfo(t->easy, CURLINFO_TOTAL_TIME_T, &us);
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
	curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connects);
	h->o.trace(h->o.arg, arena_printf("%s %.*s%s: %s, %zu bytes, %lld ms%s%s", r->method, shown,
					  r->path, token ? "…" : "",
					  r->status ? arena_printf("%d", r->status) : r->failure.text,
					  bytes, (long long)us / 1000,
					  version == CURL_HTTP_VERSION_2_0 ? ", HTTP/2" : "",
					  connects > 0 ? ", new connection" : ""));
}

/* With a 401 over HTTP/2 kube-apiserver ends the connection, and libcurl then loses the body, which
 * says no more than the status does. */
static bool is_told(CURLcode code, long status)
{
	return code == CURLE_OK || (status == 401 && (code == CURLE_PARTIAL_FILE || code == CURLE_HTTP2_STREAM));
}

static void finish(struct http *h, struct transfer *t, CURLcode code)
{
	struct http_request *r = t->request;
	long status = 0;

	curl_multi_remove_handle(h->multi, t->easy);
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	if (is_told(code, status)) {
		r->status = (int)status;
		r->sent = true;
		r->retry_after_ms = retry_after(t->easy);
		r->location = r->status / 100 == 3 ? location(t->easy) : NULL;
	} else {
		http_fail(t, code);
	}
	trace(h, t);
	t->request = NULL;
}

/* Takes what has ended; gives how many. */
static size_t reap(struct http *h)
{
	size_t ended = 0;
	CURLMsg *message;
	int more;

	while ((message = curl_multi_info_read(h->multi, &more))) {
		char *t = NULL;

		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
		finish(h, (struct transfer *)t, message->data.result);
		ended++;
	}
	return ended;
}

/* libcurl doesn't count the time that a transfer waits for a connection. */
static size_t end_late(struct http *h)
{
	size_t ended = 0;

	if (!clock_passed(h->o.deadline))
		return 0;
	for (size_t i = 0; i < HTTP_PARALLEL; i++) {
		if (h->transfers[i].request) {
			finish(h, &h->transfers[i], CURLE_OPERATION_TIMEDOUT);
			ended++;
		}
	}
	return ended;
}

static void reset_answer(struct http_request *r)
{
	r->answer.len = 0;
	r->answer.full = false;
	r->answer.max = HTTP_MAX_BODY;
	if (r->spool)
		r->spool->size = 0;
	r->status = 0;
	r->retry_after_ms = -1;
	r->sent = r->permanent = false;
	r->location = NULL;
	r->failure = (struct error){0};
}

/* Past the deadline nothing is sent any more. */
static bool too_late(struct http *h, struct http_request *const *requests, size_t n)
{
	if (!clock_passed(h->o.deadline))
		return false;
	for (size_t i = 0; i < n; i++) {
		reset_answer(requests[i]);
		error_set(&requests[i]->failure, ERR_TIMEOUT, "no time left to ask '%s'", h->origin);
	}
	return true;
}

static size_t start_some(struct http *h, struct http_request *const *requests, size_t n)
{
	size_t started = 0;

	for (size_t i = 0; i < HTTP_PARALLEL && started < n; i++) {
		if (h->transfers[i].request)
			continue;
		reset_answer(requests[started]);
		start(h, &h->transfers[i], requests[started++]);
	}
	return started;
}

void http_perform(struct http *h, struct http_request *const *requests, size_t n)
{
	size_t started = 0, ended = 0;
	struct sigaction before;
	int running;

	signals_spare_pipe(&before);
	while (ended < n) {
		int64_t left = clock_left(h->o.deadline);

		if (started < n && too_late(h, requests + started, n - started))
			n = started;
		started += start_some(h, requests + started, n - started);
		curl_multi_perform(h->multi, &running);
		ended += reap(h);
		ended += end_late(h);
		if (running > 0 && ended < started)
			curl_multi_poll(h->multi, NULL, 0, left < POLL_MS ? (int)left : POLL_MS, NULL);
	}
	signals_heed_pipe(&before);
}
