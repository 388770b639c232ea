/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the human format share: colour, text made safe for a terminal, columns, and
 * the block of one change. The look is that of Flux, dyff and argo rollouts.
 */
#ifndef PERCH_REPORT_HUMAN_H
#define PERCH_REPORT_HUMAN_H

#include "report/report.h"

enum paint { PAINT_NONE, PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_CYAN };

struct human {
	struct buffer text;
	bool colour;
	size_t column; /* where a tree's second column begins */
};

void human_paint(struct human *h, enum paint paint, const char *text); /* made safe */
void human_printf(struct human *h, enum paint paint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The text, then blanks up to the width. */
void human_cell(struct human *h, enum paint paint, const char *text, size_t width);
void human_char(struct human *h, char c);
/* Prints and empties. */
void human_flush(struct human *h);

/* A value in one line: strings as they are, the rest as JSON. */
const char *human_value(const struct tree *value);
/* "1 real change", "2 real changes" */
const char *human_count(size_t n, const char *noun);
const char *human_place(const struct change *c); /* "out/podinfo.yaml:23", "" where unknown */

/* Fleet tables: widths that the contents bound are fixed, so that rows can be printed as they come. */
#define HUMAN_PHASE_WIDTH 16
#define HUMAN_VERDICT_WIDTH 15

struct human human_begin(const struct report *r);
void human_columns(struct report *r, size_t namespace_width, size_t name_width);
void human_names(struct human *h, const struct report *r, const char *namespace, const char *name,
		 const char *phase);
enum paint human_verdict_paint(enum verdict v);

void human_outcome_begin(struct report *r, const struct outcome_head *head);
void human_outcome_item(struct report *r, const struct outcome_item *item);
void human_status_begin(struct report *r, const struct status_head *head);
void human_status_item(struct report *r, const struct status_item *item);
void human_status_end(struct report *r, const struct status_summary *summary);
void human_doctor_item(struct report *r, const struct doctor_item *item);
void human_doctor_end(struct report *r, const struct doctor_summary *summary);
void human_diff_item(struct report *r, const struct diff_item *item);
void human_explain(struct report *r, const struct plan_head *head, const struct plan_item *item);
/* Path, place, class, and what changed; under a two-blank indent in plan and explain. */
void human_change_line(struct human *h, const char *indent, const struct change *c);

#endif
