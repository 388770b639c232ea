/* SPDX-License-Identifier: Apache-2.0 */
#include "report/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/terminal.h"
#include "value/tree.h"

#define SOME 20

enum tone { TONE_INFO, TONE_WAITING, TONE_DONE, TONE_WARNING, TONE_ERROR };

static const struct {
	const char *sign, *colour, *level;
} tones[] = {
	[TONE_INFO] = {"►", "\033[36m", "info"},    [TONE_WAITING] = {"◎", "\033[36m", "info"},
	[TONE_DONE] = {"✔", "\033[32m", "info"},    [TONE_WARNING] = {"⚠", "\033[33m", "warn"},
	[TONE_ERROR] = {"✗", "\033[31m", "error"},
};

static bool as_json, in_runner;

void talk_in_runner(void)
{
	in_runner = true;
}

int talk_format(const char *name, struct error *err)
{
	as_json = name && strcmp(name, "json") == 0;
	if (name && !as_json && strcmp(name, "text") != 0)
		return error_set(err, ERR_USAGE, "unknown log format '%s', there are text, json", name);
	return 0;
}

bool talk_is_text(void)
{
	return !as_json;
}

/* As zap writes it for Flagger: ISO 8601 with milliseconds. */
static void add_time(struct buffer *b)
{
	struct timespec now;
	struct tm utc;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc);
	buffer_printf(b, "%s.%03ldZ", text, now.tv_nsec / 1000000);
}

static void json_line(struct buffer *b, enum tone tone, const char *namespace, const char *name, const char *text)
{
	buffer_printf(b, "{\"level\":\"%s\",\"ts\":\"", tones[tone].level);
	add_time(b);
	buffer_str(b, "\",\"msg\":");
	tree_print_string(b, text);
	if (name) {
		struct buffer canary = {.max = 1024};

		buffer_printf(&canary, "%s.%s", name, namespace);
		buffer_str(b, ",\"canary\":");
		tree_print_string(b, buffer_text(&canary));
	}
	buffer_char(b, '}');
}

static void text_line(struct buffer *b, enum tone tone, const char *namespace, const char *name, const char *text)
{
	bool coloured = terminal_colour(STDERR_FILENO);

	buffer_printf(b, "%s%s%s ", coloured ? tones[tone].colour : "", tones[tone].sign,
		      coloured ? "\033[0m" : "");
	if (name) {
		terminal_text(b, namespace);
		buffer_char(b, '/');
		terminal_text(b, name);
		buffer_str(b, ": ");
	}
	terminal_text(b, text);
}

/* GitHub's runner obeys `##[command]` anywhere in a line; `::command::` only where one begins. */
static void break_commands(struct buffer *b)
{
	struct buffer broken = {.max = b->max};
	const char *from = buffer_text(b), *at;

	while ((at = strstr(from, "##["))) {
		buffer_add(&broken, from, (size_t)(at - from));
		buffer_str(&broken, "##\\x5b");
		from = at + 3;
	}
	buffer_str(&broken, from);
	*b = broken;
}

static void line(enum tone tone, const char *namespace, const char *name, const char *text)
{
	struct buffer b = {.max = 16384};

	if (as_json)
		json_line(&b, tone, namespace, name, text);
	else
		text_line(&b, tone, namespace, name, text);
	if (in_runner)
		break_commands(&b);
	fflush(stdout);
	fprintf(stderr, "%s\n", buffer_text(&b));
}

#define TALK(tone, fmt) \
	do { \
		char text[2048]; \
		va_list ap; \
		va_start(ap, fmt); \
		vsnprintf(text, sizeof(text), fmt, ap); \
		va_end(ap); \
		line(tone, NULL, NULL, text); \
	} while (0)

void talk_info(const char *fmt, ...)
{
	TALK(TONE_INFO, fmt);
}

void talk_trace(void *arg, const char *line)
{
	(void)arg;
	talk_info("%s", line);
}

void talk_waiting(const char *fmt, ...)
{
	TALK(TONE_WAITING, fmt);
}

void talk_done(const char *fmt, ...)
{
	TALK(TONE_DONE, fmt);
}

void talk_warning(const char *fmt, ...)
{
	TALK(TONE_WARNING, fmt);
}

void talk_error(const char *text)
{
	line(TONE_ERROR, NULL, NULL, text);
}

void talk_canary_info(const char *namespace, const char *name, const char *text)
{
	line(TONE_INFO, namespace, name, text);
}

void talk_canary_warning(const char *namespace, const char *name, const char *text)
{
	line(TONE_WARNING, namespace, name, text);
}

/* Other objects have their kind in front. */
static bool is_canary(const char *about)
{
	const char *slash = about ? strchr(about, '/') : NULL;

	return slash && !strpbrk(slash + 1, "/ ") && !strchr(about, ' ');
}

static void warning_about(const char *about, const char *text)
{
	const char *slash = is_canary(about) ? strchr(about, '/') : NULL;
	char namespace[512];

	if (!slash || (size_t)(slash - about) >= sizeof(namespace)) {
		talk_warning("%s%s%s", about ? about : "", about ? ": " : "", text);
		return;
	}
	snprintf(namespace, sizeof(namespace), "%.*s", (int)(slash - about), about);
	talk_canary_warning(namespace, slash + 1, text);
}

void talk_warnings(const struct notes *warnings, const char *about)
{
	note_each(n, warnings)
		warning_about(about, n->text);
}

void talk_some(struct talk_some *t, const struct notes *warnings, const char *about)
{
	if (t->all || t->said + warnings->count <= SOME) {
		t->said += warnings->count;
		talk_warnings(warnings, about);
	} else {
		t->left += warnings->count;
	}
}

void talk_rest(const struct talk_some *t)
{
	if (t->left)
		talk_warning("%zu more warnings, -v says them all", t->left);
}
