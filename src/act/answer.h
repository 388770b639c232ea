/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an API server's answer to a write means. Seen on a real one (1.36): a stale resourceVersion is
 * 409 without causes; another uid is 422 on metadata.uid; an apply to what was deleted is 409 "uid
 * mismatch"; a field of another manager is 409 with a cause per manager and field; an admission
 * policy says 422 or 403, a webhook 400 or what it likes, RBAC always "cannot patch resource"; and
 * a CRD without spec.suspend makes an apply of it a 500.
 */
#ifndef PERCH_ACT_ANSWER_H
#define PERCH_ACT_ANSWER_H

#include "act/act.h"
#include "act/write.h"

/*
 * 0: `kind` and `text` of the outcome are set (DONE where all that must hold does). -1: it is no
 * outcome but an error of the API's, which err gets.
 */
int answer_read(struct outcome *out, const struct write *w, const struct api_call *call,
		struct error *err);

#endif
