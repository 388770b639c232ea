/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "value/base64.h"
#include "value/yaml_scalar.h"

static char *valid_utf8(const unsigned char *p, size_t len)
{
	const unsigned char *end = p + len;
	struct buffer out = {0};

	while (p < end) {
		size_t n = utf8_length(p, end);

		if (n)
			buffer_add(&out, (const char *)p, n);
		else
			buffer_str(&out, "\xEF\xBF\xBD");
		p += n ? n : 1;
	}
	return out.len ? out.data : arena_strdup("");
}

const char *scalar_binary(const char *base64)
{
	size_t len;
	const char *bytes = base64_decode(base64, &len);

	if (!bytes || memchr(bytes, '\0', len))
		return NULL;
	return valid_utf8((const unsigned char *)bytes, len);
}

/* One or two digits within [low, high]; -1 otherwise. */
static int field(const char **p, int low, int high)
{
	int n = -1;

	if (isdigit((unsigned char)**p))
		n = *(*p)++ - '0';
	if (n >= 0 && isdigit((unsigned char)**p))
		n = n * 10 + *(*p)++ - '0';
	return n >= low && n <= high ? n : -1;
}

static int days_in(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

static bool date(const char **p)
{
	int year = 0, month;

	for (int i = 0; i < 4; i++) {
		if (!isdigit((unsigned char)**p))
			return false;
		year = year * 10 + *(*p)++ - '0';
	}
	if (*(*p)++ != '-')
		return false;
	month = field(p, 1, 12);
	if (month < 0 || *(*p)++ != '-')
		return false;
	return field(p, 1, days_in(year, month)) > 0;
}

static bool clock_time(const char **p)
{
	if (field(p, 0, 23) < 0 || *(*p)++ != ':')
		return false;
	if (field(p, 0, 59) < 0 || *(*p)++ != ':')
		return false;
	if (field(p, 0, 59) < 0)
		return false;
	if ((**p == '.' || **p == ',') && isdigit((unsigned char)(*p)[1]))
		for (++*p; isdigit((unsigned char)**p);)
			++*p;
	return true;
}

static bool zone(const char *p)
{
	if (strcmp(p, "Z") == 0)
		return true;
	if ((*p != '+' && *p != '-') || strlen(p) != 6 || p[3] != ':')
		return false;
	p++;
	return field(&p, 0, 24) >= 0 && *p++ == ':' && field(&p, 0, 59) >= 0 && !*p;
}

bool scalar_is_timestamp(const char *text)
{
	const char *p = text;

	if (!date(&p))
		return false;
	if (!*p)
		return true;
	switch (*p++) {
	case 'T':
	case 't':
		return clock_time(&p) && zone(p);
	case ' ':
		return clock_time(&p) && !*p;
	default:
		return false;
	}
}
