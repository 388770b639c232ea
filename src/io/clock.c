/* SPDX-License-Identifier: Apache-2.0 */
#include "io/clock.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"

int64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_deadline(int64_t in_ms)
{
	int64_t now = clock_ms();

	if (in_ms == 0)
		return 0;
	return in_ms < INT64_MAX - now ? now + in_ms : INT64_MAX;
}

int64_t clock_left(int64_t deadline)
{
	int64_t now = clock_ms();

	if (deadline == 0)
		return INT64_MAX;
	return deadline > now ? deadline - now : 0;
}

bool clock_passed(int64_t deadline)
{
	return clock_left(deadline) == 0;
}

void clock_sleep(int64_t ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	if (ms > 0)
		nanosleep(&t, NULL);
}

int64_t clock_now(void)
{
	return (int64_t)time(NULL);
}

const char *clock_text(int64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!gmtime_r(&t, &tm))
		return "";
	return arena_printf("%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
			    tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Exactly `digits` digits of a value in [low, high], and the byte after them. */
static bool field(const char **p, int digits, int low, int high, const char *after, int *out)
{
	*out = 0;
	for (int i = 0; i < digits; i++, (*p)++) {
		if (!isdigit((unsigned char)**p))
			return false;
		*out = *out * 10 + (**p - '0');
	}
	if (*out < low || *out > high)
		return false;
	if (!after)
		return true;
	return **p && strchr(after, *(*p)++);
}

static bool offset(const char **p, int *seconds)
{
	int sign, hours, minutes;

	*seconds = 0;
	if (**p == 'Z' || **p == 'z') {
		(*p)++;
		return true;
	}
	if (**p != '+' && **p != '-')
		return false;
	sign = *(*p)++ == '-' ? -1 : 1;
	if (!field(p, 2, 0, 23, ":", &hours) || !field(p, 2, 0, 59, NULL, &minutes))
		return false;
	*seconds = sign * (hours * 3600 + minutes * 60);
	return true;
}

static bool last_day(int year, int month, int day)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return day <= days[month - 1] + (month == 2 && leap);
}

bool clock_read(int64_t *out, const char *text)
{
	int year, month, day, hour, minute, second, east;
	const char *p = text;
	struct tm tm = {0};

	if (!field(&p, 4, 0, 9999, "-", &year) || !field(&p, 2, 1, 12, "-", &month) ||
	    !field(&p, 2, 1, 31, "Tt", &day) || !field(&p, 2, 0, 23, ":", &hour) ||
	    !field(&p, 2, 0, 59, ":", &minute) || !field(&p, 2, 0, 59, NULL, &second) ||
	    !last_day(year, month, day))
		return false;
	if (*p == '.') {
		size_t digits = strspn(++p, "0123456789");

		if (digits == 0)
			return false;
		p += digits;
	}
	if (!offset(&p, &east) || *p)
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	tm.tm_mday = day;
	tm.tm_hour = hour;
	tm.tm_min = minute;
	tm.tm_sec = second;
	*out = (int64_t)timegm(&tm) - east;
	return true;
}

#define LONGEST_MS ((double)INT64_MAX / 1000000) /* what Go's time.Duration holds */

static const struct unit {
	const char *name;
	double ms;
} units[] = {
	{"ns", 1e-6}, {"us", 1e-3}, {"µs", 1e-3}, {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3},
};

/* A unit's name ends where a digit, a point or the text begins again or ends. */
static const struct unit *unit(const char **p)
{
	size_t len = strcspn(*p, "0123456789.");

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strlen(units[i].name) == len && memcmp(units[i].name, *p, len) == 0) {
			*p += len;
			return &units[i];
		}
	}
	return NULL;
}

/* Digits with at most one point among them: 1, 1.5, .5 */
static bool amount(const char **p, double *out)
{
	double scale = 1;
	size_t digits = 0;

	for (*out = 0; isdigit((unsigned char)**p); (*p)++, digits++)
		*out = *out * 10 + (**p - '0');
	if (**p == '.') {
		for ((*p)++; isdigit((unsigned char)**p); (*p)++, digits++)
			*out += (**p - '0') * (scale /= 10);
	}
	return digits > 0;
}

static bool duration(double *ms, const char *text)
{
	const char *p = text;

	*ms = 0;
	if (strcmp(text, "0") == 0)
		return true;
	do {
		const struct unit *u;
		double n;

		if (!amount(&p, &n) || !(u = unit(&p)))
			return false;
		*ms += n * u->ms;
	} while (*p);
	return *ms < LONGEST_MS;
}

int clock_duration(int64_t *out, const char *text, struct error *err)
{
	double ms;

	if (!duration(&ms, text))
		return error_set(err, ERR_USAGE, "'%s' is not a duration such as 45s, 30m or 1h30m", text);
	*out = (int64_t)(ms + 0.5);
	return 0;
}

const char *clock_duration_text(int64_t seconds)
{
	static const struct {
		int64_t seconds;
		char name;
	} parts[] = {{3600, 'h'}, {60, 'm'}, {1, 's'}};
	struct buffer b = {0};

	if (seconds <= 0)
		return "0s";
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (seconds >= parts[i].seconds)
			buffer_printf(&b, "%lld%c", (long long)(seconds / parts[i].seconds), parts[i].name);
		seconds %= parts[i].seconds;
	}
	return buffer_text(&b);
}
