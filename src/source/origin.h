/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where kustomize says that a rendered object comes from: the annotation config.kubernetes.io/origin
 * (buildMetadata: [originAnnotations]), whose `path` is relative to the folder that was built, or to
 * the root of `repo` for a remote one. It comes with the object, so what it names is only ever read to
 * find a line in it.
 */
#ifndef PERCH_SOURCE_ORIGIN_H
#define PERCH_SOURCE_ORIGIN_H

#include "source/manifests.h"

/* The path, "" where the object has none or comes from another repository. */
const char *origin_path(const struct tree *object);
/* The line in that file of the same object's place; 0 where it can't be told. */
unsigned origin_line(const char *file, const struct manifest *rendered, const char *path);

#endif
