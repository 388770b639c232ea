/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends one write and reads what the server made of it. The canary is then as its answer has it, with
 * the resourceVersion that the next write needs. In a dry run on the client nothing is sent.
 */
#ifndef PERCH_ACT_CARRY_H
#define PERCH_ACT_CARRY_H

#include "act/act.h"
#include "act/write.h"

/*
 * Sends it to this path and reads the answer into the outcome; `answer` gets the object, NULL where there
 * is none. What failed is in the answer too.
 */
int carry_send(const struct tree **answer, struct outcome *out, const struct actor *a, const struct write *w,
	       const char *path, struct error *err);

int carry_out(struct outcome *out, const struct actor *a, const struct write *w, struct canary *c,
	      struct error *err);

#endif
