/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Credential plugins: the `exec` of a kubeconfig user, client.authentication.k8s.io v1 and v1beta1.
 * The plugin is told what is asked of it in KUBERNETES_EXEC_INFO and answers with an ExecCredential
 * on its standard output; its standard error is people's. Source: client-go's
 * plugin/pkg/client/auth/exec. Nothing of an answer is ever quoted.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_PLUGIN_H
#define PERCH_SOURCE_KUBECONFIG_PLUGIN_H

#include "io/api.h"
#include "source/kubeconfig_files.h"

struct kubeconfig_plugin {
	const char *user;         /* whose it is */
	const char *const *argv;
	const char *const *env;   /* NAME=VALUE; the last slot is kept for KUBERNETES_EXEC_INFO */
	size_t env_count;
	const char *api_version;
	const char *mode;         /* Never, IfAvailable, Always */
	const char *install_hint; /* NULL: none */
	const struct tree *cluster; /* what the plugin is told of it; NULL: not to be told */
};

/* ERR_INPUT with file and line where `exec` can't be used. The plugin may be told of the cluster and its `ca`. */
int kubeconfig_plugin(struct kubeconfig_plugin *out, const struct kubeconfig_entry *user,
		      const struct kubeconfig_entry *cluster, const struct pem *ca, struct error *err);

/*
 * Runs it; the answer is on the arena. ERR_INPUT: it isn't there, or its answer is none;
 * ERR_UNREACHABLE: it failed; ERR_TIMEOUT.
 */
int plugin_run(struct credentials *out, const struct kubeconfig_plugin *p, int64_t deadline,
	       struct error *err);

#endif
