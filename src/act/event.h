/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says on the Canary what became of it: an Event of events.k8s.io/v1, names and paths only, at most
 * a kilobyte. Best effort: one that can't be written is a line of -v and nothing else.
 */
#ifndef PERCH_ACT_EVENT_H
#define PERCH_ACT_EVENT_H

#include "act/act.h"

void event_send(const struct actor *a, const struct outcome *o, const struct canary *c, const char *why);

#endif
