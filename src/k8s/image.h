/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image references as Kubernetes reads them for the default pull policy: distribution/reference's
 * grammar with Docker Hub's short names, by way of the API server's parsers.ParseImageName.
 */
#ifndef PERCH_K8S_IMAGE_H
#define PERCH_K8S_IMAGE_H

#include <stdbool.h>

/* Is its tag `latest`, said or meant (neither tag nor digest)? A text that is no reference has none. */
bool image_is_latest(const char *image);

#endif
