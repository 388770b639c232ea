/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: one struct, owned by the caller and passed last. A function that fails fills it once and
 * returns -1, so a failure is one line: `return error_set(err, ERR_INPUT, "...")`. error_wrap() puts
 * context in front and never replaces the cause. Text is one line, lower case, without full stop,
 * cause first, subject in single quotes. Nothing here allocates. Expected outcomes (absent, no
 * change) are values, not errors. The table of kinds in error.c gives the exit code of each.
 */
#ifndef PERCH_BASE_ERROR_H
#define PERCH_BASE_ERROR_H

enum error_kind {
	ERR_NONE,
	ERR_USAGE,       /* the command line is off */
	ERR_INPUT,       /* a file, a document or a Git object can't be used */
	ERR_UNREACHABLE, /* API or Git unreachable, retries spent */
	ERR_FORBIDDEN,   /* RBAC said no */
	ERR_REFUSED,     /* a safety rule said no */
	ERR_TIMEOUT,
	ERR_PARTIAL,     /* done in part, unknown or unproved */
	ERR_FAILED,      /* the canary failed (wait) */
};

struct error {
	enum error_kind kind;
	char text[1024];
};

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int error_wrap(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The exit code of DESIGN.md §4 for a kind. */
int error_exit_code(enum error_kind kind);

#define EXIT_CHANGED 1
#define EXIT_BUG 70

/* A broken invariant: says where, then exits 70. */
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
