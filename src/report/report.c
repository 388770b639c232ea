/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/terminal.h"

static const struct format *const formats[] = {
	&format_human,
	&format_json,
	&format_tsv,
	&format_name,
};
#define N_FORMATS (sizeof(formats) / sizeof(*formats))

int report_open(struct report *out, const char *format, struct error *err)
{
	struct buffer names = {.max = 256};

	*out = (struct report){.format = formats[0], .colour = terminal_colour(STDOUT_FILENO)};
	if (!format)
		return 0;
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (strcmp(formats[i]->name, format) == 0) {
			out->format = formats[i];
			return 0;
		}
		buffer_printf(&names, "%s%s", i ? ", " : "", formats[i]->name);
	}
	return error_set(err, ERR_USAGE, "unknown format '%s', there are %s", format, buffer_text(&names));
}

int report_close(struct report *r, struct error *err)
{
	(void)r;
	if (fflush(stdout) != 0 || ferror(stdout))
		return error_set(err, ERR_INPUT, "can't write the output: %s", strerror(errno));
	return 0;
}

void report_write(const struct buffer *b)
{
	fwrite(buffer_text(b), 1, b->len, stdout);
}
