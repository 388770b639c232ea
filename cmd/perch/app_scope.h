/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canaries of one app: those that -l picks and whose target carries the app's mark (of a target
 * that is absent or unread the Canary's own counts), and those that this app holds, whatever has
 * become of their marks: who began a hold ends it.
 */
#ifndef PERCH_APP_SCOPE_H
#define PERCH_APP_SCOPE_H

#include "flagger/canary.h"
#include "k8s/selector.h"
#include "perch/settings.h"
#include "source/dump.h"

struct app_scope {
	const char *app;    /* --app or PERCH_APP; NULL: marks don't count */
	const char *holder; /* what its holds are for: commit/HOLDER, policy/HOLDER */
	const struct selector *selector;
};

/* The app, or else NAMESPACE:SELECTOR (* without -l), names the holder, so that the same arguments agree. */
int app_scope_read(struct app_scope *out, const struct settings *s, const char *namespace, struct error *err);
bool app_scope_has(const struct app_scope *scope, const struct dump *dump, const struct tree *canary);
/* Is this canary held for commit/HOLDER or policy/HOLDER? */
bool app_scope_holds(const struct app_scope *scope, const struct canary *c);
/* Some apps that the dump's targets are of, "web (Argo CD), shop/cart (Flux)"; "" for none. */
const char *app_scope_others(const struct dump *dump);

#endif
