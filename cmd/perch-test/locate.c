/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "perch-test/command.h"
#include "value/yaml.h"

int test_locate(int argc, char **argv)
{
	size_t len;
	char *text;

	if (argc < 4)
		return 2;
	text = test_read(argv[1], &len);
	for (int i = 3; i < argc; i++)
		printf("%u %s\n", locate(text, len, strtoul(argv[2], NULL, 10), argv[i]), argv[i]);
	return 0;
}
