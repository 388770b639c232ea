/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A static perch (make STATIC=1) runs where its libraries are not, and must never load one: glibc would
 * load name services that nsswitch.conf lists, OpenSSL modules that openssl.cnf lists, of a
 * version that may be another. So names come from files and DNS alone, whatever the machine says,
 * and no configuration of OpenSSL is read. To be called before a name is looked up. In a
 * dynamic perch it does nothing.
 */
#ifndef PERCH_IO_STANDALONE_H
#define PERCH_IO_STANDALONE_H

void standalone_begin(void);

/*
 * The CA certificates that the system trusts, as a PEM file: SSL_CERT_FILE, as Go, OpenSSL and curl
 * know it, else, in a static perch, where distributions have theirs. NULL: the libraries know.
 */
const char *standalone_roots(void);

#endif
