/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"

static const struct format *const formats[] = {
	&format_human,
	&format_json,
	&format_tsv,
	&format_name,
	&format_markdown,
	&format_github,
};
#define N_FORMATS (sizeof(formats) / sizeof(*formats))

static int open_one(struct report *out, const char *format, bool of_ci, struct error *err)
{
	struct buffer names = {.max = 256};

	*out = (struct report){.format = formats[0], .colour = terminal_colour(STDOUT_FILENO)};
	if (!format)
		return 0;
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (formats[i]->of_ci && !of_ci)
			continue;
		if (strcmp(formats[i]->name, format) == 0) {
			out->format = formats[i];
			if (out->format->open)
				out->format->open(out);
			return 0;
		}
		buffer_printf(&names, "%s%s", i ? ", " : "", formats[i]->name);
	}
	return error_set(err, ERR_USAGE, "unknown format '%s', there are %s", format, buffer_text(&names));
}

int report_open(struct report *out, const char *format, struct error *err)
{
	return open_one(out, format, false, err);
}

int report_open_ci(struct report *out, const char *format, struct error *err)
{
	return open_one(out, format, true, err);
}

int report_close(struct report *r, struct error *err)
{
	if (r && r->format->close && r->format->close(r, err) != 0)
		return -1;
	if (fflush(stdout) != 0 || ferror(stdout))
		return error_set(err, ERR_INPUT, "can't write the output: %s", strerror(errno));
	return 0;
}

void report_write(const struct buffer *b)
{
	fwrite(buffer_text(b), 1, b->len, stdout);
}
