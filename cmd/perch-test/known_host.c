/* SPDX-License-Identifier: Apache-2.0 */
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "io/git_known_hosts.h"
#include "perch-test/command.h"

int test_known_host(int argc, char **argv)
{
	size_t len, key_len;
	const char *text;
	unsigned char *key;

	if (argc < 4) {
		fputs("usage: perch-test known_host FILE KEY HOST...\n", stderr);
		return 2;
	}
	text = test_read(argv[1], &len);
	key_len = strlen(argv[2]);
	key = arena_alloc(key_len + 1);
	EVP_DecodeBlock(key, (const unsigned char *)argv[2], (int)key_len);
	key_len = key_len / 4 * 3 - (argv[2][key_len - 1] == '=') - (argv[2][key_len - 2] == '=');
	for (int i = 3; i < argc; i++)
		printf("%s %s\n", argv[i], known_host(text, len, argv[i], key, key_len) ? "known" : "unknown");
	return 0;
}
