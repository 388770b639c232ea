/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "perch-test/serve.h"

/* Passes on what came; false at the end of it. */
static bool pass_on(int from, int to)
{
	char chunk[16384];
	ssize_t n = recv(from, chunk, sizeof(chunk), 0);

	for (ssize_t sent = 0, m; sent < n; sent += m)
		if ((m = send(to, chunk + sent, (size_t)(n - sent), MSG_NOSIGNAL)) <= 0)
			return false;
	return n > 0;
}

void tunnel_start(int client, unsigned port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int server;

	if (fork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	address.sin_port = htons((uint16_t)port);
	server = socket(AF_INET, SOCK_STREAM, 0);
	if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof(address)) != 0)
		_exit(1);
	for (;;) {
		struct pollfd fds[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};

		poll(fds, 2, -1);
		if ((fds[0].revents && !pass_on(client, server)) || (fds[1].revents && !pass_on(server, client)))
			_exit(0);
	}
}
