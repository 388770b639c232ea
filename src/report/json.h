/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the JSON format share: the head, the items one to a line, and how a value that
 * isn't there is written (null).
 */
#ifndef PERCH_REPORT_JSON_H
#define PERCH_REPORT_JSON_H

#include "report/report.h"

void json_put_string(struct tree *map, const char *key, const char *value);
void json_put_answer(struct tree *map, const char *key, enum answer a);
void json_put_minor(struct tree *map, const char *key, int minor);
void json_put_release(struct tree *map, const char *key, const struct flagger *f);
struct tree *json_flagger(const struct flagger *f);
struct tree *json_action(const struct action *a);

/* apiVersion, kind and, where one was read, cluster. */
struct tree *json_head(const struct report *r, const char *kind);
/* The head and the opening of its list of items; then each; then what follows the list (or NULL). */
void json_begin_items(const struct tree *head);
void json_item(struct report *r, const struct tree *item);
void json_end_items(struct report *r, const struct tree *summary);

void json_outcome_begin(struct report *r, const struct outcome_head *head);
void json_outcome_item(struct report *r, const struct outcome_item *item);
void json_outcome_end(struct report *r, const struct tally *tally);
void json_status_begin(struct report *r, const struct status_head *head);
void json_status_item(struct report *r, const struct status_item *item);
void json_status_end(struct report *r, const struct status_summary *summary);
void json_doctor_begin(struct report *r);
void json_doctor_item(struct report *r, const struct doctor_item *item);
void json_doctor_end(struct report *r, const struct doctor_summary *summary);

#endif
