/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a promotion would really write: a Flagger decodes the target into the types of its own
 * k8s.io/api and so loses every field that this minor doesn't know; the API server then fills the
 * holes with defaults (an image volume comes out as an emptyDir).
 */
#ifndef PERCH_FLAGGER_CARRIED_H
#define PERCH_FLAGGER_CARRIED_H

#include "k8s/object.h"

/* forward(T) as a Flagger of this minor would store it; NULL where it could not decode it. */
const struct tree *carried(const struct tree *forward, enum object_kind kind, int minor);

#endif
