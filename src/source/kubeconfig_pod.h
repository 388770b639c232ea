/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service account of the Pod that this process runs in: KUBERNETES_SERVICE_HOST and _PORT, and
 * the files that the kubelet mounts. Source: client-go's rest.InClusterConfig and clientcmd.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_POD_H
#define PERCH_SOURCE_KUBECONFIG_POD_H

#include "base/notes.h"
#include "source/kubeconfig.h"
#include "source/kubeconfig_credentials.h"

/* `folder` holds token, ca.crt and namespace; NULL: where the kubelet mounts them. */
bool pod_is(const char *folder);
int pod_access(struct access *out, struct renewable *who, const char *folder, struct notes *warnings,
	       struct error *err);
/* POD_NAMESPACE, else the mounted one, else "default". */
const char *pod_namespace(const char *folder);

#endif
