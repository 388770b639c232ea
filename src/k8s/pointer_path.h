/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an RFC 6901 pointer into an object to DESIGN.md's path of the same place:
 * `/spec/template/spec/containers/0/image` → `spec.template.spec.containers[web].image`.
 */
#ifndef PERCH_K8S_POINTER_PATH_H
#define PERCH_K8S_POINTER_PATH_H

#include "k8s/object.h"

/* On the arena. Steps that are absent are spelled all the same. */
const char *pointer_path(const struct tree *object, enum object_kind kind, const char *pointer);

#endif
