/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of a kubeconfig cluster as http.h wants it, and the certificates of cluster and user,
 * read and looked at, so that a fault is told with the line that names the file and not by a TLS
 * library half-way through a handshake.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_TLS_H
#define PERCH_SOURCE_KUBECONFIG_TLS_H

#include "base/notes.h"
#include "io/http.h"
#include "source/kubeconfig_files.h"

/*
 * Fills in origin, proxy and, for https, how the server proves itself. A server without a scheme is
 * an http one, and over http nobody's credentials are sent, as with client-go (*secure is false).
 */
int kubeconfig_server(struct http_options *out, bool *secure, const struct kubeconfig_entry *cluster,
		      struct notes *warnings, struct error *err);
/* The client certificate, where there is one. */
int kubeconfig_certificate(struct http_options *out, const struct kubeconfig_entry *user, struct error *err);

#endif
