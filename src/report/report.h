/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What verbs found, written to standard output as it comes, one item after another: a fleet's report
 * is never held. Each format is one file and one row of the table in report.c; an entry that a
 * format leaves NULL prints nothing. Values of Secrets are never printed, whatever the format.
 *
 * A verb begins its report, gives its items and ends it; talk (► ⚠ ✗) is not a report and goes to
 * standard error by talk.h.
 */
#ifndef PERCH_REPORT_REPORT_H
#define PERCH_REPORT_REPORT_H

#include <stdio.h>

#include "decide/decide.h"
#include "fleet/doctor.h"
#include "report/tally.h"
#include "source/manifests.h"

struct diff_item {
	struct identity id;
	const struct manifest *manifest; /* whose places are told */
	bool secret;   /* mask its values */
	bool changed;  /* a real change */
	enum answer triggers; /* the hash moves, even where `changed` is false */
	bool created, removed, unread;
	bool unsure;   /* what only the live object has may be the applier's: no owner is known */
	const struct changes *changes, *ignored, *foreign;
	const struct notes *notes, *warnings;
};

/* What plan and explain are about, and predict's two ends. */
struct plan_head {
	const struct flagger *flagger;
	size_t namespace_width, name_width; /* the widest to come */
	bool commit; /* D is at hand: changes say where they come from */
};

struct plan_item {
	const struct decision *decision;
	const struct subject *subject;
	enum flow flow;
	const struct manifest *desired; /* D of its target; NULL: none is at hand */
};

struct plan_summary {
	size_t canaries, verdicts[VERDICT_COUNT];
};

struct predict_head {
	const struct flagger *from, *to;
	size_t namespace_width, name_width;
};

struct predict_item {
	const struct decision *decision;
	enum answer real; /* is there a real change? */
};

struct predict_summary {
	size_t canaries;
	/* Each is in one of these. */
	size_t for_nothing, for_change, start_over, unproved, unknown, quiet;
	size_t retry;     /* of a revision that failed */
	size_t rebuild;   /* the primary is missing */
	size_t suspended; /* would run, but for their suspension */
	size_t queries; /* metric queries an hour of those that run, if all ran at once */
};

struct hash_item {
	const char *file;
	struct identity id;
	const char *hash;
	int minor;
};

/* What a verb that writes did, canary by canary. */
struct outcome_head {
	const char *flow;              /* the verb, as the report calls it: "resume" */
	const struct flagger *flagger; /* NULL: the verb doesn't ask */
	size_t namespace_width, name_width;
};

struct outcome_item {
	const char *namespace, *name;
	const struct decision *decision; /* NULL: the verb decides nothing */
	enum deed deed;
	const char *text;                /* one line: what became of it, or why nothing did */
};

struct status_head {
	size_t namespace_width, name_width;
};

struct status_item {
	const struct canary *canary;
	const char *suspended_by; /* what it is held for; "others"; NULL: it isn't suspended */
	const char *since;        /* for how long: "2h"; "" where perch doesn't hold it */
	bool expired;             /* held-until is over */
	const char *others;       /* who suspends it, where that is no hold; "" */
	const struct tree *leftovers; /* annotations of a hold that it isn't under: a list of keys */
};

struct status_summary {
	size_t canaries, held, expired, shipped, by_others;
};

/* A finding of doctor's; those of one check come together. */
struct doctor_item {
	const struct finding *finding;
	const char *file; /* NULL: live */
	unsigned line;    /* 0 where it can't be told */
	size_t nth, of;   /* among its check's */
};

struct doctor_summary {
	size_t errors, warnings;       /* findings */
	size_t checks, looked, failed; /* checks: all, those that had something to look at, those that found something */
	const struct notes *unread;    /* what couldn't be looked at, and why */
};

struct report;

struct format {
	const char *name;
	bool of_ci; /* of diff and plan alone */
	void (*open)(struct report *r);
	int (*close)(struct report *r, struct error *err);
	void (*diff_begin)(struct report *r);
	void (*diff_item)(struct report *r, const struct diff_item *item);
	void (*diff_end)(struct report *r);
	void (*plan_begin)(struct report *r, const struct plan_head *head);
	void (*plan_item)(struct report *r, const struct plan_item *item);
	void (*plan_end)(struct report *r, const struct plan_summary *summary);
	void (*predict_begin)(struct report *r, const struct predict_head *head);
	void (*predict_item)(struct report *r, const struct predict_item *item);
	void (*predict_end)(struct report *r, const struct predict_summary *summary);
	void (*explain)(struct report *r, const struct plan_head *head, const struct plan_item *item);
	void (*hash_begin)(struct report *r);
	void (*hash_item)(struct report *r, const struct hash_item *item);
	void (*hash_end)(struct report *r);
	void (*outcome_begin)(struct report *r, const struct outcome_head *head);
	void (*outcome_item)(struct report *r, const struct outcome_item *item);
	void (*outcome_end)(struct report *r, const struct tally *tally);
	void (*status_begin)(struct report *r, const struct status_head *head);
	void (*status_item)(struct report *r, const struct status_item *item);
	void (*status_end)(struct report *r, const struct status_summary *summary);
	void (*doctor_begin)(struct report *r);
	void (*doctor_item)(struct report *r, const struct doctor_item *item);
	void (*doctor_end)(struct report *r, const struct doctor_summary *summary);
};

struct report {
	const struct format *format;
	const char *cluster, *server; /* where it was read: its name, its origin; NULL: from files */
	bool colour;
	bool all_minors;  /* hash --all: the minor is a column */
	bool verbose;     /* objects without a change show too */
	size_t items;     /* so far */
	struct github *github; /* what formats for CI gather */
	size_t namespace_width, name_width;
};

/* NULL is human. ERR_USAGE lists the names. */
int report_open(struct report *out, const char *format, struct error *err);
/* The same with the formats for CI, which know diff and plan. */
int report_open_ci(struct report *out, const char *format, struct error *err);
/* Prints what is left; ERR_INPUT where the output can't be written. */
int report_close(struct report *r, struct error *err);
/* Runs an entry if the format has it. */
#define REPORT(r, entry, ...) \
	do { \
		if ((r)->format->entry) \
			(r)->format->entry((r), ##__VA_ARGS__); \
	} while (0)

/* For formats: writes a buffer to standard output. */
void report_write(const struct buffer *b);

/* The entries of a format that begins and ends a fleet's reports, each by a function of its name. */
#define FLEET_ENTRIES \
	.plan_begin = plan_begin, .plan_item = plan_item, .plan_end = plan_end, \
	.predict_begin = predict_begin, .predict_item = predict_item, .predict_end = predict_end

extern const struct format format_human, format_json, format_tsv, format_name, format_markdown, format_github;

#endif
