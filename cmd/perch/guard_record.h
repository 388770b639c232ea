/* SPDX-License-Identifier: Apache-2.0 */
/* ConfigMap `perch-guard` in Flagger's namespace (fleet/guarded.h), read and published. */
#ifndef PERCH_GUARD_RECORD_H
#define PERCH_GUARD_RECORD_H

#include "fleet/guarded.h"
#include "perch/live.h"

/* `found` is false where there is none, or none that can be used. */
int guard_record_read(struct guarded *out, bool *found, const struct live *l, const char *namespace,
		      struct error *err);
/* Where it is looked for: as given, else PERCH_FLAGGER_NAMESPACE, else flagger-system. */
const char *guard_record_namespace(const char *given);
/*
 * For the commit flow, whose account may read this one ConfigMap where it may not list Flagger's
 * Deployments. `all` has none and gets that one, or why it isn't known; the warnings that those Deployments
 * gave are taken out where the ConfigMap answers. Fails only where the API does.
 */
int guard_record_running(struct runnings *all, const struct live *l, const char *namespace,
			 struct notes *warnings, struct error *err);
/*
 * Guard has begun with another Flagger, or is done, since the release of this one was read from there: what
 * was written for it is for one that won't act.
 */
int guard_record_overtook(bool *overtook, const struct flagger *f, const struct live *l, const char *namespace,
			  struct error *err);
/* Before guard's first write: beside `last`, whom it makes way for. Where others own it, publish says so. */
int guard_record_begin(const struct guarded *last, const struct guarded *now, const struct live *l,
		       const char *namespace, enum dry_run dry, struct error *err);
/* Where others own it, it is left to them, with a warning: then the next guard looks at the fleet again. */
int guard_record_publish(const struct guarded *g, const struct live *l, const char *namespace,
			 enum dry_run dry, struct error *err);

#endif
