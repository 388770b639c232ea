/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "io/clock.h"
#include "perch-test/serve.h"

#define MAX_CONNECTIONS 64
#define CHUNK 16384

struct connection {
	int fd;
	struct buffer in;             /* what was read and not yet answered */
	bool begun;                   /* the first bytes have been looked at */
	const struct answer *pending; /* to be sent when it is due */
	int64_t due;
};

/* A request within a connection's bytes. */
struct message {
	const char *method, *target, *headers, *body;
	size_t body_len, len;
};

void server_open(struct server *s)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);

	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&address, len) != 0 ||
	    listen(s->listener, MAX_CONNECTIONS) != 0 ||
	    getsockname(s->listener, (struct sockaddr *)&address, &len) != 0) {
		perror("✗ can't listen");
		exit(2);
	}
	s->port = ntohs(address.sin_port);
}

static void consume(struct connection *c, size_t n)
{
	memmove(c->in.data, c->in.data + n, c->in.len - n);
	c->in.len -= n;
	c->in.data[c->in.len] = '\0';
}

static void hang_up(struct connection *c)
{
	close(c->fd);
	c->fd = -1;
}

static void send_all(struct connection *c, const char *data, size_t len)
{
	while (len > 0 && c->fd >= 0) {
		ssize_t n = send(c->fd, data, len, MSG_NOSIGNAL);

		if (n <= 0) {
			hang_up(c);
			return;
		}
		data += n;
		len -= (size_t)n;
	}
}

static void send_answer(struct connection *c, const struct answer *a)
{
	struct arena_mark mark = arena_mark();
	struct buffer head = {0};
	bool whole = a->cut >= a->len;

	if (a->status == 0) {
		hang_up(c);
		return;
	}
	buffer_printf(&head, "HTTP/1.1 %d Recorded\r\nContent-Type: %s\r\nContent-Length: %zu\r\n", a->status,
		      a->type, a->len);
	if (a->retry_after)
		buffer_printf(&head, "Retry-After: %s\r\n", a->retry_after);
	if (a->location)
		buffer_printf(&head, "Location: %s\r\n", a->location);
	if (a->status == 401)
		buffer_str(&head, "WWW-Authenticate: Basic realm=\"test\"\r\n");
	buffer_str(&head, "\r\n");
	send_all(c, head.data, head.len);
	arena_rewind(mark);
	send_all(c, a->body, whole ? a->len : a->cut);
	if (!whole && c->fd >= 0)
		hang_up(c);
}

/* A header's value; NULL where there is none. */
static const char *header(const struct message *m, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = m->headers; *p && *p != '\r'; p = strstr(p, "\r\n") + 2) {
		if (strncasecmp(p, name, len) == 0 && p[len] == ':') {
			p += len + 1;
			p += strspn(p, " \t");
			return arena_strndup(p, strcspn(p, "\r\n"));
		}
	}
	return NULL;
}

/* Is there a whole request? What a proxy is asked for names the host too: that is left out. */
static bool parse(struct message *m, const struct connection *c)
{
	const char *end = c->in.len ? strstr(c->in.data, "\r\n\r\n") : NULL, *p = c->in.data, *length;

	if (!end)
		return false;
	m->method = arena_strndup(p, strcspn(p, " \r"));
	p += strcspn(p, " \r") + 1;
	if (strncmp(p, "http://", strlen("http://")) == 0)
		p += strcspn(p + strlen("http://"), "/ ") + strlen("http://");
	m->target = arena_strndup(p, strcspn(p, " \r"));
	m->headers = strstr(p, "\r\n") + 2;
	length = header(m, "Content-Length");
	m->body = end + 4;
	m->body_len = length ? strtoul(length, NULL, 10) : 0;
	m->len = (size_t)(m->body - c->in.data) + m->body_len;
	return c->in.len >= m->len;
}

static void log_request(const struct server *s, const struct message *m, bool known)
{
	struct buffer line = {0};
	char *names = arena_strdup(s->shown), *name;

	buffer_printf(&line, "%s%s %s", known ? "" : "!", m->method, m->target);
	while ((name = strsep(&names, ",")))
		if (*name && header(m, name))
			buffer_printf(&line, " [%s: %s]", name, header(m, name));
	if (m->body_len > 0) {
		const char *type = header(m, "Content-Type");

		buffer_printf(&line, " %s ", type ? type : "-");
		for (size_t i = 0; i < m->body_len; i++)
			buffer_char(&line, m->body[i] == '\n' ? ' ' : m->body[i]);
	}
	buffer_char(&line, '\n');
	if (write(s->log, line.data, line.len) < 0)
		perror("✗ can't log");
}

static const struct answer *not_recorded(void)
{
	static struct answer a = {.status = 404, .type = "application/json", .cut = SIZE_MAX};

	if (!a.body) {
		a.body = exchange_status(404, "no such exchange is recorded");
		a.len = strlen(a.body);
	}
	return &a;
}

/* A tunnel's client gets the port that was named; without one this server goes on itself. */
static void open_tunnel(const struct server *s, struct connection *c, const char *ready, size_t len)
{
	send_all(c, ready, len);
	if (!s->tunnel || c->fd < 0)
		return;
	tunnel_start(c->fd, s->tunnel);
	hang_up(c);
}

static void answer_connect(const struct server *s, struct connection *c, const struct message *m)
{
	static const char ready[] = "HTTP/1.1 200 Connection established\r\n\r\n";

	log_request(s, m, true);
	open_tunnel(s, c, ready, sizeof(ready) - 1);
}

/* An answer of its own, which outlives the arena's mark as the recorded ones do. */
static const struct answer *merge_request(const struct answer *a, const struct message *m)
{
	const char *type = header(m, "Content-Type");
	struct answer *merged = malloc(sizeof(*merged));

	if (!merged)
		abort();
	*merged = *a;
	merged->status = serve_merge(&merged->body, a->stored, type ? type : "", m->body, m->body_len,
				     strstr(m->target, "dryRun=All"));
	merged->body = strdup(merged->body);
	merged->len = strlen(merged->body);
	return merged;
}

static void take_request(const struct server *s, struct connection *c, const struct message *m)
{
	const struct exchange *e = exchange_find(s->all, m->method, m->target);

	if (strcmp(m->method, "CONNECT") == 0) {
		answer_connect(s, c, m);
		return;
	}
	log_request(s, m, e);
	c->pending = e ? exchange_answer(e) : not_recorded();
	if (c->pending->stored)
		c->pending = merge_request(c->pending, m);
	c->due = clock_ms() + c->pending->slow_ms;
}

static void answer_due(struct connection *c)
{
	const struct answer *a = c->pending;

	if (!a || c->fd < 0 || clock_ms() < c->due)
		return;
	c->pending = NULL;
	send_answer(c, a);
}

/* SOCKS5 (RFC 1928) without authentication, to a name; both of its messages come at once or not. */
static bool greet_socks(const struct server *s, struct connection *c)
{
	static const char ready[] = {5, 0, 0, 1, 0, 0, 0, 0, 0, 0};
	const unsigned char *p = (const unsigned char *)c->in.data;
	size_t hello = c->in.len > 1 ? 2 + (size_t)p[1] : 2, name;

	if (c->in.len < hello)
		return false;
	if (c->in.len == hello) {
		send_all(c, "\5\0", 2);
		return false;
	}
	name = c->in.len > hello + 4 ? p[hello + 4] : 255;
	if (c->in.len < hello + 5 + name + 2)
		return false;
	dprintf(s->log, "SOCKS5 %.*s\n", (int)name, (const char *)p + hello + 5);
	consume(c, hello + 5 + name + 2);
	open_tunnel(s, c, ready, sizeof(ready));
	return true;
}

static void serve_some(const struct server *s, struct connection *c)
{
	struct message m;

	if (!c->begun && c->in.len > 0 && c->in.data[0] == 5 && !greet_socks(s, c))
		return;
	c->begun = c->begun || c->in.len > 0;
	while (c->fd >= 0 && !c->pending) {
		struct arena_mark mark = arena_mark();
		bool whole = parse(&m, c);

		if (whole)
			take_request(s, c, &m);
		arena_rewind(mark);
		if (!whole)
			return;
		consume(c, m.len);
		answer_due(c);
	}
}

static void read_some(struct connection *c)
{
	char chunk[CHUNK];
	ssize_t n = recv(c->fd, chunk, sizeof(chunk), 0);

	if (n <= 0)
		hang_up(c);
	else
		buffer_add(&c->in, chunk, (size_t)n);
}

static void accept_one(const struct server *s, struct connection *connections)
{
	int fd = accept(s->listener, NULL, NULL), on = 1;

	for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
		if (connections[i].fd < 0) {
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			connections[i] = (struct connection){.fd = fd, .in = connections[i].in};
			connections[i].in.len = 0;
			return;
		}
	}
	close(fd);
}

static int until_due(const struct connection *connections)
{
	int64_t wait = 60000, now = clock_ms();

	for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
		const struct connection *c = &connections[i];

		if (c->fd >= 0 && c->pending && c->due - now < wait)
			wait = c->due > now ? c->due - now : 0;
	}
	return (int)wait;
}

_Noreturn void server_run(const struct server *s)
{
	struct connection connections[MAX_CONNECTIONS];
	struct pollfd fds[MAX_CONNECTIONS + 1];

	not_recorded(); /* once: what a request needs of the arena goes with it */
	signal(SIGCHLD, SIG_IGN);
	for (size_t i = 0; i < MAX_CONNECTIONS; i++)
		connections[i] = (struct connection){.fd = -1};
	for (;;) {
		fds[MAX_CONNECTIONS] = (struct pollfd){.fd = s->listener, .events = POLLIN};
		for (size_t i = 0; i < MAX_CONNECTIONS; i++)
			fds[i] = (struct pollfd){.fd = connections[i].fd, .events = POLLIN};
		if (poll(fds, MAX_CONNECTIONS + 1, until_due(connections)) < 0)
			continue;
		for (size_t i = 0; i < MAX_CONNECTIONS; i++) {
			struct connection *c = &connections[i];

			if (c->fd >= 0 && fds[i].revents)
				read_some(c);
			answer_due(c);
			if (c->fd >= 0)
				serve_some(s, c);
		}
		if (fds[MAX_CONNECTIONS].revents)
			accept_one(s, connections);
	}
}
