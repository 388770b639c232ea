/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a host's ssh key the one that is known? By a known_hosts file as sshd(8) has it: names and patterns
 * with commas between, [name]:port, hashed names, @revoked lines; an authority's lines count for
 * nothing here.
 */
#ifndef PERCH_IO_GIT_KNOWN_HOSTS_H
#define PERCH_IO_GIT_KNOWN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

/* `host` is a name, or [name]:port for another port than 22; `key` is as the wire has it. */
bool known_host(const char *text, size_t len, const char *host, const unsigned char *key, size_t key_len);

#endif
