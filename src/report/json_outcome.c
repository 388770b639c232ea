/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

void json_outcome_begin(struct report *r, const struct outcome_head *head)
{
	struct tree *t = json_head(r, "Outcome");

	json_put_string(t, "flow", head->flow);
	tree_put(t, "flagger", head->flagger ? json_flagger(head->flagger) : tree_new_null());
	json_begin_items(t);
}

void json_outcome_item(struct report *r, const struct outcome_item *item)
{
	const struct decision *d = item->decision;
	struct tree *t = tree_new_map();

	json_put_string(t, "namespace", item->namespace);
	json_put_string(t, "name", item->name);
	json_put_string(t, "verdict", d ? verdict_name(d->verdict) : NULL);
	json_put_string(t, "reason", d ? d->reason : NULL);
	tree_put(t, "action", d ? json_action(&d->action) : tree_new_null());
	json_put_string(t, "outcome", deed_name(item->deed));
	json_put_string(t, "text", item->text);
	json_item(r, t);
}

void json_outcome_end(struct report *r, const struct tally *tally)
{
	json_end_items(r, tally_counts(tally));
}
