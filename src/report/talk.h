/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Talk: one line each on standard error, in Flux's signs. Only ✗ stands for a failure, and main
 * prints that one. As JSON a line has the keys of Flagger's own log: level, ts, msg, and canary
 * (NAME.NAMESPACE) where it is about one.
 */
#ifndef PERCH_REPORT_TALK_H
#define PERCH_REPORT_TALK_H

#include <stdbool.h>

#include "base/error.h"
#include "base/notes.h"

/* --log-format: text or json; NULL is text. ERR_USAGE for any other. */
int talk_format(const char *name, struct error *err);
bool talk_is_text(void);
/* A runner reads what is said: nothing in it may be a command to it. */
void talk_in_runner(void);

void talk_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* ► */
void talk_trace(void *arg, const char *line); /* the same, for what -v is told line by line */
void talk_waiting(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* ◎ */
void talk_done(const char *fmt, ...) __attribute__((format(printf, 1, 2)));    /* ✔ */
void talk_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* ⚠ */
void talk_error(const char *text);                                             /* ✗ */
/* Of one canary: "shop/cart: text". */
void talk_canary_info(const char *namespace, const char *name, const char *text);
void talk_canary_warning(const char *namespace, const char *name, const char *text);
/* Each as a warning, after `about` and ": " where it isn't NULL; NAMESPACE/NAME is a canary. */
void talk_warnings(const struct notes *warnings, const char *about);

/* Of a fleet's warnings the first few are said and the rest counted: 400 lines are read by nobody. */
struct talk_some {
	bool all; /* -v */
	size_t said, left;
};

void talk_some(struct talk_some *t, const struct notes *warnings, const char *about);
void talk_rest(const struct talk_some *t);

#endif
