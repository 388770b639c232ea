/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report in GitHub's Markdown, of at most 64 KiB whatever it is about: a title, a table with a row
 * per object, and for each with changes a fold with a diff. What doesn't fit is left out whole and
 * counted. It serves as a job's summary and as a comment on a pull request (65,536 characters there).
 *
 * No text from outside is markup: in prose and cells all that Markdown, HTML or GitHub would read is
 * written as an entity, in a diff every line begins with a sign, and the fence is longer than any run
 * of backticks within.
 *
 * Room is taken at the beginning, so that the arena may be rewound between items.
 */
#ifndef PERCH_REPORT_MARKDOWN_H
#define PERCH_REPORT_MARKDOWN_H

#include "base/buffer.h"
#include "base/notes.h"
#include "k8s/change.h"

#define MARKDOWN_MAX ((size_t)64 << 10)

struct markdown {
	const char *const *columns; /* ends with NULL */
	struct buffer rows, folds;
	size_t rows_left, folds_left;
};

void markdown_begin(struct markdown *m, const char *const *columns);
/* A row's cells, as markdown_prose() or markdown_code() made them; the last is NULL. */
void markdown_row(struct markdown *m, const char *cell, ...) __attribute__((sentinel));
/* Changes of one object under a line of prose, then its notes; values of a `secret` are masked. */
void markdown_fold(struct markdown *m, const char *prose, const struct changes *changes,
		   const struct notes *notes, bool secret);
/* All of it, under a title and a sentence. */
const char *markdown_text(const struct markdown *m, const char *title, const char *sentence);

/* Text as prose, and as code within it. */
const char *markdown_prose(const char *text);
const char *markdown_code(const char *text);

#endif
