/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A canary whose holds go by a ConfigMap (act/via.h). Its object then has one member more than the
 * server's, which no API server keeps:
 *
 *     perch: {configMap: {namespace, name}, variable: cart, record: {…}, taken: shop/a.b}
 *
 * `record` is what that ConfigMap says of this canary, absent where it says nothing: held-for, held-by,
 * held-at, held-until, held-reason, ship, ended. A null held-for or ship is one that was taken back.
 * `taken` is set where the variable is another canary's.
 */
#ifndef PERCH_FLAGGER_CANARY_VIA_H
#define PERCH_FLAGGER_CANARY_VIA_H

#include "flagger/canary.h"

#define CANARY_VIA "perch"

/*
 * What is written counts, not what Flux has applied so far: so a hold that was only just written can be
 * ended, and one that was only just ended can be set again. `c->pending` says that they differ. A
 * suspension that is on the Canary for another reason (by hand, by perch itself) stays what it is.
 */
void canary_take_via(struct canary *c);

/*
 * A Canary in Git says `${perch_hold_cart:=false}` where the API server gets a boolean. False: this text is
 * no variable of Flux's; else *out is its default.
 */
bool canary_variable(bool *out, const char *text);

/* Does some manager's entry own this field of spec ("f:suspend")? Whoever applies the Canary must. */
bool canary_names(const struct tree *object, const char *field);

#endif
