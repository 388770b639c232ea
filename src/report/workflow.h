/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GitHub's workflow commands and files, as its runner reads them. An annotation is a line on standard
 * output, `::warning file=…,line=…,title=…::TEXT`; of a step it shows ten. Outputs go to the file
 * GITHUB_OUTPUT in the form with a delimiter, the summary to GITHUB_STEP_SUMMARY; where they aren't
 * set nothing is written. Source: GitHub's "Workflow commands" page and the runner's ActionCommand.
 */
#ifndef PERCH_REPORT_WORKFLOW_H
#define PERCH_REPORT_WORKFLOW_H

#include "base/error.h"

#define WORKFLOW_ANNOTATIONS 10

struct workflow {
	unsigned annotations, left_out;
};

struct annotation {
	const char *level; /* "warning" or "notice" */
	const char *file;  /* within the workspace; NULL: none */
	unsigned line;     /* 0: none */
	const char *title, *text;
};
/* Prints it, or counts it as left out. */
void workflow_annotate(struct workflow *w, const struct annotation *a);

/*
 * A file of the work tree as annotations name it, relative to GITHUB_WORKSPACE. A relative name that
 * is no file here is taken as it is, as one in a Git commit. NULL: it lies outside.
 */
const char *workflow_path(const char *file);

/* The value of one or more lines; the runner drops its last end of line. */
int workflow_output(const char *name, const char *value, struct error *err);
int workflow_summary(const char *markdown, struct error *err);

#endif
