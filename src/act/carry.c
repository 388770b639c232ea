/* SPDX-License-Identifier: Apache-2.0 */
#include "act/carry.h"

#include "act/answer.h"
#include "act/via.h"
#include "act/via_write.h"

int carry_out(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
	      struct error *err)
{
	struct api_call call = {.optional = true, .repeatable = true};
	struct buffer body = {0};

	if (w->via)
		return via_carry(out, a, w, c, err);
	if (a->dry == DRY_CLIENT) {
		out->kind = OUTCOME_DONE;
		return 0;
	}
	tree_print(&body, w->body, 0);
	call.http.method = "PATCH";
	call.http.path = write_path(w, a->dry == DRY_SERVER);
	call.http.content_type = w->content_type;
	call.http.body = buffer_text(&body);
	call.http.body_len = body.len;
	*err = (struct error){ERR_NONE, ""};
	api_call(a->api, &call, err); /* what failed is in the answer too */
	if (answer_read(out, w, &call, err) != 0)
		return -1;
	if (out->kind != OUTCOME_DONE || a->dry == DRY_SERVER) /* what isn't stored isn't written on */
		return 0;
	return canary_read(c, via_kept(c, call.object), err);
}
