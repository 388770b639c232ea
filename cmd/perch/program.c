/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/program.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "perch/verb.h"

static const struct program {
	const char *file, *name;
	bool completes;
} programs[] = {
	{"perch", "perch", false},
	{"kubectl-perch", "kubectl perch", false},
	{"flux-perch", "flux perch", false},
	{"kubectl_complete-perch", "kubectl perch", true},
};
static const struct program *program = &programs[0];

void program_begin(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL, *file = slash ? slash + 1 : argv0;

	for (size_t i = 0; file && i < sizeof(programs) / sizeof(*programs); i++)
		if (strcmp(programs[i].file, file) == 0)
			program = &programs[i];
}

const char *program_name(void)
{
	return program->name;
}

bool program_completes(void)
{
	return program->completes;
}

/* Does a call of perch begin here? "perch" may also be a word of a sentence, or of perch.dev/ship. */
static bool is_call(const char *text, const char *at)
{
	const char *word = at + strlen("perch ");
	size_t len = strcspn(word, " \t\n'`:,.)");

	if (at > text && (isalnum((unsigned char)at[-1]) || strchr("-./_", at[-1])))
		return false;
	for (const struct verb *v = verbs; v->name; v++)
		if (strlen(v->name) == len && memcmp(v->name, word, len) == 0)
			return true;
	return len == strlen("VERB") && memcmp(word, "VERB", len) == 0;
}

const char *program_text(const char *text)
{
	struct buffer out = {.max = (size_t)1 << 16};
	const char *from = text;

	for (const char *at = text; (at = strstr(at, "perch ")); at++) {
		if (!is_call(text, at))
			continue;
		buffer_printf(&out, "%.*s%s", (int)(at - from), from, program->name);
		from = at + strlen("perch");
	}
	buffer_printf(&out, "%s", from);
	return buffer_text(&out);
}
