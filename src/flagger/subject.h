/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that is at hand about one canary: the objects themselves and, where one is missing,
 * whether it is absent or merely unread. The difference decides: absent is a fact, unread is unknown.
 */
#ifndef PERCH_FLAGGER_SUBJECT_H
#define PERCH_FLAGGER_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "flagger/releases.h"
#include "k8s/object.h"

enum reading { READ_UNREAD, READ_ABSENT, READ_PRESENT, READ_BAD };

struct seen {
	enum reading reading;
	const struct tree *object; /* READ_PRESENT only */
	const char *problem;       /* READ_BAD: why it can't be used, one line */
};

/* Looks an object up; called for what a canary refers to (ConfigMaps, Secrets, its autoscaler). */
struct lookup {
	struct seen (*find)(void *arg, enum object_kind kind, const char *namespace, const char *name);
	void *arg;
};

struct subject {
	const struct tree *canary;
	const char *problem;               /* why no more of the canary is known than whose it is; NULL: it is */
	const char *rival;                 /* another canary on the same target; NULL: none is known */
	struct seen target, primary;
	const struct tree *desired;        /* D, or NULL: then T is judged as it is */
	const char *desired_file;
	const struct tree *applied_by_server; /* T′ as a dry run gave it; NULL: apply() has to do */
	const struct tree **history;       /* T's ReplicaSets or ControllerRevisions, any order */
	size_t history_count;
	struct lookup configs;             /* find NULL: no config was read */
};

/* The Flagger that will act next, and how it was started. */
enum evidence {
	EVIDENCE_NONE,
	EVIDENCE_FLAG,
	EVIDENCE_IMAGE,
	EVIDENCE_CONFIGMAP,
	EVIDENCE_LABEL,
	EVIDENCE_GUESS,
};

struct flagger {
	struct release release;      /* zero with k8s set alone (--k8s) */
	int k8s;                     /* minor of its k8s.io/api; 0: unknown */
	bool to_come;                /* an upgrade brings it: it isn't the one that runs */
	bool begun;                  /* guard is at work for it: neither it nor another runs */
	int settled_k8s;             /* of the Flagger before it, which wrote status; 0: the same */
	enum evidence evidence;
	bool config_tracking;        /* -enable-config-tracking, default true */
	const char *selector_labels; /* -selector-labels, comma-separated */
	const char *problem;         /* why the release is unknown, one line */
};

const char *evidence_name(enum evidence evidence);
/* Is the release known, not guessed? Only then may a hash of its be written. */
bool flagger_known(const struct flagger *f);

#endif
