/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perch-test dns ADDRESS NAME=IPV4… -- COMMAND…
 *
 * Runs COMMAND with a name server on ADDRESS:53 (UDP) that knows these names and no others, then
 * prints the names whose IPv4 address was asked for, each once, in their first order. The exit code is
 * COMMAND's, or 77 where nobody may listen there.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/options.h"
#include "perch-test/command.h"

#define HEADER 12
#define MAX_PACKET 512
#define TYPE_A 1

struct zone {
	char **names; /* NAME=IPV4 */
	int n;
};

/* The question's name with dots; the bytes that the question takes, 0 where it is none. */
static size_t question(char *name, const unsigned char *packet, size_t len)
{
	size_t at = HEADER, out = 0;

	while (at < len && packet[at]) {
		size_t label = packet[at];

		if (label > 63 || at + 1 + label >= len || out + label + 2 > MAX_PACKET)
			return 0;
		if (out)
			name[out++] = '.';
		memcpy(name + out, packet + at + 1, label);
		out += label;
		at += 1 + label;
	}
	name[out] = '\0';
	return at + 5 <= len ? at + 5 - HEADER : 0;
}

static const char *look_up(const struct zone *zone, const char *name)
{
	for (int i = 0; i < zone->n; i++) {
		size_t len = strcspn(zone->names[i], "=");

		if (strlen(name) == len && strncasecmp(zone->names[i], name, len) == 0)
			return zone->names[i] + len + 1;
	}
	return NULL;
}

static void say_once(const char *name)
{
	static struct strings asked;

	for (size_t i = 0; i < asked.count; i++)
		if (strcmp(asked.items[i], name) == 0)
			return;
	strings_add(&asked, arena_strdup(name));
	printf("%s\n", name);
	fflush(stdout);
}

/* Turns the question into its answer; the length of that. */
static size_t answer(unsigned char *packet, size_t len, const struct zone *zone)
{
	static const unsigned char record[] = {0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4};
	char name[MAX_PACKET + 1];
	size_t asked = question(name, packet, len), end = HEADER + asked;
	const char *address = look_up(zone, name);
	bool is_a = asked && packet[end - 3] == TYPE_A;

	if (!asked)
		return 0;
	if (is_a)
		say_once(name);
	packet[2] = 0x84 | (packet[2] & 1);   /* an answer, and by who knows */
	packet[3] = address ? 0x80 : 0x83;    /* or there is no such name */
	memset(packet + 6, 0, 6);
	if (!address || !is_a)
		return end;
	packet[7] = 1;
	memcpy(packet + end, record, sizeof(record));
	inet_pton(AF_INET, address, packet + end + sizeof(record));
	return end + sizeof(record) + 4;
}

static _Noreturn void serve(int fd, const struct zone *zone)
{
	unsigned char packet[MAX_PACKET * 2];
	struct sockaddr_in from;

	for (;;) {
		socklen_t size = sizeof(from);
		ssize_t got = recvfrom(fd, packet, MAX_PACKET, 0, (struct sockaddr *)&from, &size);
		size_t len = got > HEADER ? answer(packet, (size_t)got, zone) : 0;

		if (len)
			sendto(fd, packet, len, 0, (struct sockaddr *)&from, size);
	}
}

static int listen_on(const char *address)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(53)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || inet_pton(AF_INET, address, &at.sin_addr) != 1 ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		return -1;
	return fd;
}

int test_dns(int argc, char **argv)
{
	struct zone zone = {argv + 2, 0};
	int fd = argc > 4 ? listen_on(argv[1]) : -1, status;
	pid_t server, command;

	while (zone.n < argc - 2 && strcmp(zone.names[zone.n], "--") != 0)
		zone.n++;
	if (fd < 0 || zone.n + 3 >= argc) {
		fprintf(stderr, "✗ can't serve names on %s\n", argc > 1 ? argv[1] : "nothing");
		return 77;
	}
	server = fork();
	if (server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(fd, &zone);
	}
	command = fork();
	if (command == 0) {
		execvp(argv[zone.n + 3], argv + zone.n + 3);
		_exit(127);
	}
	waitpid(command, &status, 0);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
