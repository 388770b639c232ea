/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a kubeconfig: it is read or refused in one line. No credential plugin is run. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "source/kubeconfig.h"
#include "value/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("kubeconfig", 0);
	struct kubeconfig_options o = {.pod_folder = "/nonexistent"};
	struct error err = {ERR_NONE, ""};
	struct notes warnings = {0};
	struct access access;

	tree_init();
	o.kubeconfig = arena_printf("/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, data, size) == (ssize_t)size &&
	    kubeconfig_access(&access, &o, &warnings, &err) != 0 && (!err.text[0] || strchr(err.text, '\n')))
		BUG("an error without a text");
	close(fd);
	arena_release();
	return 0;
}
