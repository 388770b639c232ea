/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How to reach a cluster, and as whom: kubeconfig as kubectl reads it, else the service account of a
 * Pod. KUBECONFIG is a list of files that are merged (the first to say something wins, relative paths
 * are of the file that names them); --kubeconfig names one; else ~/.kube/config. Credentials come
 * as client-go gives them: certificates, token, tokenFile (read again as it rotates), basic auth,
 * exec plugins v1 and v1beta1 (their answer is kept until it expires or is refused). Source: client-go's
 * clientcmd and exec plugin documentation. Errors name file and line and never quote a secret.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_H
#define PERCH_SOURCE_KUBECONFIG_H

#include "base/notes.h"
#include "base/options.h"
#include "io/api.h"

struct kubeconfig_options {
	const char *kubeconfig, *context; /* --kubeconfig, --context */
	const char *as;                                   /* --as */
	struct strings as_groups;                         /* --as-group */
	const char *pod_folder; /* instead of where a Pod's account is mounted, for tests; NULL */
};

struct access {
	struct api_options api;  /* ready for api_open() but for http.deadline, trace and retries */
	const char *cluster;     /* what people call it: the context's name, or "in-cluster" */
	const char *namespace;   /* the context's, or the Pod's; "default" */
	bool in_cluster;
};

/*
 * ERR_USAGE where a context or a file that was named isn't there; ERR_INPUT where a file can't be
 * read as a kubeconfig. Nothing named and nothing found, outside of a Pod: ERR_USAGE that says so.
 */
int kubeconfig_access(struct access *out, const struct kubeconfig_options *o, struct notes *warnings,
		      struct error *err);

/* Until when requests may take, and a credential plugin's runs; clock.h. */
void kubeconfig_deadline(struct access *access, int64_t deadline);

#endif
