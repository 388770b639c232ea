/* SPDX-License-Identifier: Apache-2.0 */
#include "io/standalone.h"

#include <stddef.h>
#include <stdlib.h>

#ifdef PERCH_STATIC

#include <nss.h>
#include <openssl/crypto.h>
#include <unistd.h>

void standalone_begin(void)
{
	__nss_configure_lookup("hosts", "files dns");
	__nss_configure_lookup("passwd", "files");
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
}

static const char *known_roots(void)
{
	static const char *const files[] = {
		"/etc/ssl/certs/ca-certificates.crt",                /* Debian, Arch, Alpine, and the image */
		"/etc/pki/tls/certs/ca-bundle.crt",                  /* Fedora */
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* RHEL */
		"/etc/ssl/ca-bundle.pem",                            /* SUSE */
		"/etc/ssl/cert.pem",
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (access(files[i], R_OK) == 0)
			return files[i];
	return NULL;
}

#else

void standalone_begin(void)
{
}

static const char *known_roots(void)
{
	return NULL;
}

#endif

const char *standalone_roots(void)
{
	const char *file = getenv("SSL_CERT_FILE");

	return file && *file ? file : known_roots();
}
