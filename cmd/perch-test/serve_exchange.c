/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/arena.h"
#include "base/glob.h"
#include "io/clock.h"
#include "perch-test/command.h"
#include "perch-test/serve.h"
#include "value/tree.h"

#define MAX_EXCHANGES 1024

struct reader {
	const char *file, *folder;
	unsigned line;
	struct exchange *first, **last;
	struct answer **last_answer;
	unsigned *used; /* shared counts, one per request */
	size_t count;
};

static _Noreturn void broken(const struct reader *r, const char *what, const char *word)
{
	fprintf(stderr, "✗ %s:%u: %s '%s'\n", r->file, r->line, what, word);
	exit(2);
}

const char *exchange_status(int code, const char *message)
{
	static const struct {
		int code;
		const char *reason;
	} reasons[] = {
		{400, "BadRequest"}, {401, "Unauthorized"}, {403, "Forbidden"},
		{404, "NotFound"}, {405, "MethodNotAllowed"}, {409, "Conflict"}, {410, "Expired"},
		{422, "Invalid"}, {429, "TooManyRequests"}, {500, "InternalError"},
		{503, "ServiceUnavailable"}, {504, "Timeout"},
	};
	struct tree *t = tree_new_map();
	struct buffer out = {0};
	const char *reason = "";

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].code == code)
			reason = reasons[i].reason;
	tree_add(t, "kind", tree_new_string("Status"));
	tree_add(t, "apiVersion", tree_new_string("v1"));
	tree_add(t, "metadata", tree_new_map());
	tree_add(t, "status", tree_new_string("Failure"));
	tree_add(t, "message", tree_new_string(message ? message : reason));
	tree_add(t, "reason", tree_new_string(reason));
	tree_add(t, "code", tree_new_int(code));
	tree_print(&out, t, 0);
	return buffer_text(&out);
}

/* The next word of a line; "" at its end. */
static const char *word(char **p)
{
	char *begin;

	*p += strspn(*p, " \t");
	begin = *p;
	*p += strcspn(*p, " \t");
	if (**p)
		*(*p)++ = '\0';
	return begin;
}

static void read_request(struct reader *r, char *line)
{
	struct exchange *e = NEW(struct exchange);
	const char *flag;
	char *query;

	e->method = word(&line);
	e->path = word(&line);
	e->line = r->line;
	if (*e->path != '/' && *e->path != '*')
		broken(r, "not a path:", e->path);
	query = strchr(e->path, '?');
	while (query) {
		*query++ = '\0';
		strings_add(&e->query, query);
		query = strchr(query, '&');
	}
	for (flag = word(&line); *flag && *flag != '#'; flag = word(&line)) {
		if (strcmp(flag, "required") != 0)
			broken(r, "not a flag of a request:", flag);
		e->required = true;
	}
	if (r->count == MAX_EXCHANGES)
		broken(r, "too many requests at", e->path);
	e->used = &r->used[r->count++];
	*r->last = e;
	r->last = &e->next;
	r->last_answer = (struct answer **)&e->answers;
}

static const char *value_of(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && text[len] == '=' ? text + len + 1 : NULL;
}

/* retry-after=+N is a date, N seconds from when the exchange is read. */
static const char *retry_after(const char *value)
{
	time_t t = (time_t)(clock_now() + strtol(value, NULL, 10));
	char date[64];
	struct tm tm;

	if (*value != '+' || !gmtime_r(&t, &tm))
		return value;
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", &tm);
	return arena_strdup(date);
}

static bool read_fault(struct answer *a, const char *text)
{
	const char *v;

	if ((v = value_of(text, "retry-after")))
		a->retry_after = retry_after(v);
	else if ((v = value_of(text, "slow")))
		a->slow_ms = (int)strtol(v, NULL, 10);
	else if ((v = value_of(text, "cut")))
		a->cut = strtoul(v, NULL, 10);
	else if ((v = value_of(text, "type")))
		a->type = v;
	else if ((v = value_of(text, "merged")))
		a->stored = v;
	else
		return false;
	return true;
}

/* The whole rest of a line: JSON or a page as it stands, "a message" of a Status, or a file. */
static void read_body(const struct reader *r, struct answer *a, const char *rest)
{
	size_t len = strlen(rest);

	if (len == 0 || *rest == '"') {
		const char *message = len > 1 ? arena_strndup(rest + 1, len - 2) : NULL;

		a->body = a->status >= 400 ? exchange_status(a->status, message) : "";
		a->len = strlen(a->body);
	} else if (strchr("{[<", *rest)) {
		a->body = rest;
		a->len = len;
	} else {
		a->body = test_read(arena_printf("%s/%s", r->folder, rest), &a->len);
	}
}

static void read_answer(struct reader *r, char *line)
{
	struct answer *a = NEW(struct answer);
	const char *what = word(&line), *url = value_of(what, "redirect");

	*a = (struct answer){.type = "application/json", .cut = SIZE_MAX, .body = ""};
	if (url) {
		a->status = 302;
		a->location = url;
	} else if (strcmp(what, "garbage") == 0) {
		a->status = 200;
		line = arena_strdup("<html>this is no JSON</html>");
	} else if (isdigit((unsigned char)*what)) {
		a->status = (int)strtol(what, NULL, 10);
	} else if (strcmp(what, "close") != 0) {
		broken(r, "not an answer:", what);
	}
	for (;;) {
		char *rest = line + strspn(line, " \t"), *next = rest;

		if (!*rest || strchr("{[<\"", *rest) || !read_fault(a, word(&next))) {
			line = rest;
			break;
		}
		line = next;
	}
	if (a->stored)
		a->stored = arena_printf("%s/%s", r->folder, a->stored);
	read_body(r, a, line);
	*r->last_answer = a;
	r->last_answer = &a->next;
}

static void read_line(struct reader *r, char *line)
{
	bool indented = *line == ' ' || *line == '\t';

	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return;
	while (isspace((unsigned char)line[strlen(line) - 1]))
		line[strlen(line) - 1] = '\0';
	if (!indented)
		read_request(r, line);
	else if (!r->first)
		broken(r, "an answer without a request:", line);
	else
		read_answer(r, line);
}

struct exchange *exchange_read(const char *file)
{
	struct reader r = {.file = file, .folder = "."};
	const char *slash = strrchr(file, '/');
	size_t len;
	char *text = test_read(file, &len);

	if (slash)
		r.folder = arena_strndup(file, (size_t)(slash - file));
	r.last = &r.first;
	r.used = mmap(NULL, MAX_EXCHANGES * sizeof(*r.used), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r.used == MAP_FAILED)
		broken(&r, "no memory for", file);
	while (text && *text) {
		char *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		r.line++;
		read_line(&r, text);
		text = end;
	}
	for (const struct exchange *e = r.first; e; e = e->next) {
		r.line = e->line;
		if (!e->answers)
			broken(&r, "no answer to", e->path);
	}
	return r.first;
}

/* Is NAME=VALUE, as it is written, one of the target's parameters? */
static bool has_parameter(const char *target, const char *parameter)
{
	size_t len = strlen(parameter);

	for (const char *p = strchr(target, '?'); p; p = strchr(p, '&')) {
		p++;
		if (strncmp(p, parameter, len) == 0 && (!p[len] || p[len] == '&'))
			return true;
	}
	return false;
}

static bool matches(const struct exchange *e, const char *method, const char *target)
{
	struct arena_mark mark = arena_mark();
	bool same = strcmp(e->method, method) == 0 &&
		    glob_match(e->path, arena_strndup(target, strcspn(target, "?")), "/");

	arena_rewind(mark);
	for (size_t i = 0; same && i < e->query.count; i++)
		same = has_parameter(target, e->query.items[i]);
	return same;
}

const struct exchange *exchange_find(const struct exchange *all, const char *method, const char *target)
{
	const struct exchange *best = NULL;

	for (const struct exchange *e = all; e; e = e->next)
		if (matches(e, method, target) && (!best || e->query.count > best->query.count))
			best = e;
	return best;
}

const struct answer *exchange_answer(const struct exchange *e)
{
	const struct answer *a = e->answers;

	for (unsigned i = 0; i < *e->used && a->next; i++)
		a = a->next;
	++*e->used;
	return a;
}
