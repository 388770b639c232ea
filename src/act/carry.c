/* SPDX-License-Identifier: Apache-2.0 */
#include "act/carry.h"

#include "act/answer.h"
#include "act/via.h"
#include "act/via_write.h"

int carry_send(const struct tree **answer, struct outcome *out, const struct actor *a, const struct write *w,
	       const char *path, struct error *err)
{
	struct api_call call = {.optional = true, .repeatable = true};
	struct buffer body = {0};

	tree_print(&body, w->body, 0);
	call.http.method = "PATCH";
	call.http.path = path;
	call.http.content_type = w->content_type;
	call.http.body = buffer_text(&body);
	call.http.body_len = body.len;
	*err = (struct error){ERR_NONE, ""};
	api_call(a->api, &call, err);
	*answer = call.object;
	return answer_read(out, w, &call, err);
}

int carry_out(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
	      struct error *err)
{
	const struct tree *answer;

	if (w->via)
		return via_carry(out, a, w, c, err);
	if (a->dry == DRY_CLIENT) {
		out->kind = OUTCOME_DONE;
		return 0;
	}
	if (carry_send(&answer, out, a, w, write_path(w, a->dry == DRY_SERVER), err) != 0)
		return -1;
	if (out->kind != OUTCOME_DONE || a->dry == DRY_SERVER) /* what isn't stored isn't written on */
		return 0;
	return canary_read(c, via_kept(c, answer), err);
}
