/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Talk: one line each on standard error, in Flux's signs. Only ✗ stands for a failure, and main
 * prints that one.
 */
#ifndef PERCH_REPORT_TALK_H
#define PERCH_REPORT_TALK_H

#include "base/notes.h"

void talk_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* ► */
void talk_done(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* ✔ */
void talk_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* ⚠ */
void talk_error(const char *text);                                             /* ✗ */
/* Each as a warning, after `about` and ": " where it isn't NULL. */
void talk_warnings(const struct notes *warnings, const char *about);

#endif
