/* SPDX-License-Identifier: Apache-2.0 */
#include "report/workflow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "report/report.h"
#include "report/visible.h"

/* What the runner takes back; line ends never get this far. A property ends at a comma or a colon. */
static void escaped(struct buffer *b, const char *text, bool property)
{
	for (text = visible_text(text); *text; text++) {
		if (*text == '%' || (property && (*text == ':' || *text == ',')))
			buffer_printf(b, "%%%02X", (unsigned char)*text);
		else
			buffer_char(b, *text);
	}
}

static void property(struct buffer *b, const char *separator, const char *name, const char *value)
{
	buffer_printf(b, "%s%s=", separator, name);
	escaped(b, value, true);
}

void workflow_annotate(struct workflow *w, const struct annotation *a)
{
	struct buffer b = {0};

	if (w->annotations == WORKFLOW_ANNOTATIONS) {
		w->left_out++;
		return;
	}
	w->annotations++;
	buffer_printf(&b, "::%s ", a->level);
	if (a->file) {
		property(&b, "", "file", a->file);
		if (a->line)
			buffer_printf(&b, ",line=%u", a->line);
	}
	property(&b, a->file ? "," : "", "title", a->title);
	buffer_str(&b, "::");
	escaped(&b, a->text, false);
	buffer_char(&b, '\n');
	report_write(&b);
}

static const char *below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

const char *workflow_path(const char *file)
{
	const char *workspace = getenv("GITHUB_WORKSPACE"), *found = NULL;
	char *real, *root;

	if (strcmp(file, "stdin") == 0)
		return NULL;
	real = realpath(file, NULL);
	root = workspace && *workspace ? realpath(workspace, NULL) : NULL;
	if (!real)
		found = *file == '/' || strncmp(file, "../", 3) == 0 ? NULL : file;
	else if (!root)
		found = *file == '/' ? NULL : file;
	else if (below(real, root))
		found = arena_strdup(below(real, root));
	free(real);
	free(root);
	return found;
}

/* Both files are the runner's; they hold what steps before this one wrote. */
static int append(const char *variable, const struct buffer *b, struct error *err)
{
	const char *path = getenv(variable);
	bool written;
	FILE *f;

	if (!path || !*path)
		return 0;
	f = fopen(path, "ae");
	written = f && fwrite(buffer_text(b), 1, b->len, f) == b->len;
	if (f && fclose(f) != 0)
		written = false;
	return written ? 0 : error_set(err, ERR_INPUT, "can't write %s '%s': %s", variable, path, strerror(errno));
}

/* Nobody can know it beforehand, and it isn't in the value. */
static int find_delimiter(const char **out, const char *value, struct error *err)
{
	uint64_t random[2];

	do {
		if (getrandom(random, sizeof(random), 0) != sizeof(random))
			return error_set(err, ERR_INPUT, "no random number: %s", strerror(errno));
		*out = arena_printf("perch_%016jx%016jx", (uintmax_t)random[0], (uintmax_t)random[1]);
	} while (strstr(value, *out));
	return 0;
}

static bool ends_line(const char *text)
{
	size_t len = strlen(text);

	return len && text[len - 1] == '\n';
}

int workflow_output(const char *name, const char *value, struct error *err)
{
	struct buffer b = {0};
	const char *delimiter = NULL;

	if (find_delimiter(&delimiter, value, err) != 0)
		return -1;
	buffer_printf(&b, "%s<<%s\n%s%s%s\n", name, delimiter, value, ends_line(value) ? "" : "\n", delimiter);
	return append("GITHUB_OUTPUT", &b, err);
}

int workflow_summary(const char *markdown, struct error *err)
{
	struct buffer b = {0};

	buffer_str(&b, markdown);
	return append("GITHUB_STEP_SUMMARY", &b, err);
}
