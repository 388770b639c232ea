/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_pod.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"

#define MOUNTED "/var/run/secrets/kubernetes.io/serviceaccount"

static const char *path_of(const char *folder, const char *name)
{
	return arena_printf("%s/%s", folder ? folder : MOUNTED, name);
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

bool pod_is(const char *folder)
{
	struct stat st;

	return variable("KUBERNETES_SERVICE_HOST") && variable("KUBERNETES_SERVICE_PORT") &&
	       stat(path_of(folder, "token"), &st) == 0 && !S_ISDIR(st.st_mode);
}

const char *pod_namespace(const char *folder)
{
	const char *given = variable("POD_NAMESPACE");
	struct text text;
	struct error ignored;
	size_t len;

	if (given)
		return given;
	if (files_read(&text, path_of(folder, "namespace"), &ignored) != 0)
		return "default";
	for (; text.len && isspace((unsigned char)*text.data); text.len--)
		text.data++;
	for (len = text.len; len && isspace((unsigned char)text.data[len - 1]); len--)
		continue;
	return len ? arena_strndup(text.data, len) : "default";
}

int pod_access(struct access *out, struct renewable *who, const char *folder, struct notes *warnings,
	       struct error *err)
{
	const char *host = variable("KUBERNETES_SERVICE_HOST"), *port = variable("KUBERNETES_SERVICE_PORT");
	struct text ca;

	out->in_cluster = true;
	out->cluster = "in-cluster";
	out->namespace = pod_namespace(folder);
	out->api.http.origin = arena_printf(strchr(host, ':') ? "https://[%s]:%s" : "https://%s:%s", host, port);
	if (files_read(&ca, path_of(folder, "ca.crt"), err) == 0)
		out->api.http.ca = (struct pem){.file = ca.name, .data = ca.data, .len = ca.len};
	else
		note_add(warnings, "certificate: %s: the system's authorities are trusted instead", err->text);
	who->who = "the Pod's service account";
	who->token_file = path_of(folder, "token");
	return 0;
}
