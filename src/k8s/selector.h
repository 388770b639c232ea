/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label selectors in kubectl's spelling: `app=web,tier!=cache,env in (a,b),x notin (c),y,!z`.
 * Source: apimachinery's labels.Parse; an absent label satisfies != and notin, as there.
 */
#ifndef PERCH_K8S_SELECTOR_H
#define PERCH_K8S_SELECTOR_H

#include <stdbool.h>

#include "base/error.h"
#include "value/tree.h"

struct selector; /* NULL selects everything */

int selector_parse(const struct selector **out, const char *text, struct error *err);
bool selector_match(const struct selector *s, const struct tree *labels);
bool selector_picks(const struct selector *s, const struct tree *object); /* by metadata.labels */

#endif
