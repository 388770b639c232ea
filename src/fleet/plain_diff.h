/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Differences of objects that have no schema here: ConfigMaps and Secrets key by key, and anything
 * else value by value (KUBECTL_EXTERNAL_DIFF and a git diff driver see every kind). Lists go by
 * index. What the server writes for itself is left out.
 */
#ifndef PERCH_FLEET_PLAIN_DIFF_H
#define PERCH_FLEET_PLAIN_DIFF_H

#include "k8s/change.h"

/* Either may be NULL: then the whole object comes or goes, as one change. */
void plain_diff(struct changes *out, const struct tree *old_object, const struct tree *new_object);

/*
 * data and binaryData, a Secret's stringData folded into its data as the server does; class config.
 * Keys that only the old object has go to `left_over` unless that is NULL. Where a dump has a
 * Secret's checksum instead of its data, a difference is one change of `data` without values.
 */
void config_diff(struct changes *out, struct changes *left_over, const struct tree *old_object,
		 const struct tree *new_object);

#endif
