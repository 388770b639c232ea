/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

/* The Unicode Standard's table 3-7: what the first byte allows for the second. */
static const struct {
	unsigned char first_low, first_high, second_low, second_high;
	size_t length;
} forms[] = {
	{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
	{0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
	{0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

size_t utf8_length(const unsigned char *p, const unsigned char *end)
{
	if (p < end && *p < 0x80)
		return 1;
	for (size_t i = 0; p < end && i < sizeof(forms) / sizeof(*forms); i++) {
		if (*p < forms[i].first_low || *p > forms[i].first_high)
			continue;
		if ((size_t)(end - p) < forms[i].length || p[1] < forms[i].second_low ||
		    p[1] > forms[i].second_high)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((p[k] & 0xC0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

unsigned utf8_code_point(const unsigned char *p, size_t len)
{
	unsigned c = len == 1 ? *p : *p & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

size_t utf8_cut(const char *text, size_t len, size_t max)
{
	if (len <= max)
		return len;
	while (max && ((unsigned char)text[max] & 0xC0) == 0x80)
		max--;
	return max;
}
