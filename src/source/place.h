/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a place in a tree to its RFC 6901 pointer, which locate() turns into a line: by DESIGN.md's
 * path (`spec.template.spec.containers[web].image`), whose list keys hold in any object of the
 * kind whatever its order, or by the node itself. Pointers live on the arena.
 */
#ifndef PERCH_SOURCE_PLACE_H
#define PERCH_SOURCE_PLACE_H

#include "k8s/object.h"

/* Goes as far as the object has the path; "" is the object itself. */
const char *place_of_path(const struct tree *object, enum object_kind kind, const char *path);
/* NULL where the node is not in the object. */
const char *place_of_node(const struct tree *object, const struct tree *node);

#endif
