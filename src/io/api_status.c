/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "io/api_client.h"
#include "value/json.h"

#define EXCERPT 160

/* The words of a page that a proxy or load balancer sent: markup left out, blanks folded. */
static const char *excerpt(const char *text, size_t len)
{
	struct buffer out = {0};
	bool markup = false, blank = false;

	for (size_t i = 0; i < len && out.len < EXCERPT; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '<' || c == '>') {
			markup = c == '<';
			blank = true;
		} else if (c <= 0x20 || c == 0x7f) {
			blank = true;
		} else if (!markup) {
			if (blank && out.len)
				buffer_char(&out, ' ');
			blank = false;
			buffer_char(&out, (char)c);
		}
	}
	return buffer_text(&out);
}

void api_read_status(struct api_call *call)
{
	const struct buffer *answer = &call->http.answer;
	struct error ignored;
	const struct tree *t = json_parse(buffer_text(answer), answer->len, "answer", &ignored);

	if (strcmp(tree_string_or(tree_get(t, "kind"), ""), "Status") == 0) {
		call->status = t;
		call->message = tree_string_or(tree_get(t, "message"), "");
		call->reason = tree_string_or(tree_get(t, "reason"), "");
	} else {
		call->message = excerpt(buffer_text(answer), answer->len);
	}
}

/* RBAC says who cannot do what; anything else that forbids is admission: a policy, a quota. */
static bool by_admission(const char *message)
{
	const char *why = strstr(message, "is forbidden: ");

	return why && strncmp(why + strlen("is forbidden: "), "User \"", strlen("User \"")) != 0;
}

static int forbidden(const struct api *api, const struct api_call *call, struct error *err)
{
	if (by_admission(call->message))
		return error_set(err, ERR_REFUSED, "%.700s", call->message);
	return error_set(err, ERR_FORBIDDEN, "%.500s; %.400s",
			 *call->message ? call->message : "forbidden",
			 api_missing_rule(api, call));
}

int api_refusal(const struct api *api, const struct api_call *call, struct error *err)
{
	const struct http_request *r = &call->http;
	const char *server = api_server(api);
	int path = (int)strcspn(r->path, "?");

	if (r->status / 100 == 3)
		return error_set(err, ERR_REFUSED, "'%s' redirects %s '%.*s' to '%.300s', which is not "
				 "followed: is that the API server's address?", server, r->method, path,
				 r->path, r->location ? r->location : "");
	if (r->status == 401)
		return error_set(err, ERR_REFUSED, "'%s' doesn't accept the credentials (401%s%.300s): log in "
				 "again, or see the user of the kubeconfig's context", server,
				 *call->message ? " " : "", call->message);
	if (r->status == 403 && call->status)
		return forbidden(api, call, err);
	return error_set(err, r->status >= 500 || r->status == 429 ? ERR_UNREACHABLE : ERR_REFUSED,
			 "'%s' answers %d to %s '%.*s'%s%.500s", server, r->status, r->method, path, r->path,
			 *call->message ? ": " : "", call->message);
}
