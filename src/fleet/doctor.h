/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would make perch's flows fail or fight, found in objects of a cluster, of a dump or of rendered
 * manifests. Each check is a row of doctor.def and a pure function. Objects are shown one at a time
 * (doctor_see), each may be gone after; what is kept of one are a few names. Checks that need several
 * objects run at the end (doctor_conclude). That something isn't there is said only of kinds that were
 * listed (doctor_listed). No value of a Secret, an environment or an argument is ever in a finding.
 */
#ifndef PERCH_FLEET_DOCTOR_H
#define PERCH_FLEET_DOCTOR_H

#include <stdint.h>

#include "k8s/object.h"
#include "source/manifests.h"

enum severity {
	SEVERITY_ERROR,   /* a flow fails, or never ends what it began */
	SEVERITY_WARNING, /* it works less well, or not always */
};

const char *severity_name(enum severity severity); /* "error", "warning" */

/* What a check looks at, as bits. */
enum doctor_about {
	ABOUT_CANARY = 1 << 0,
	ABOUT_WORKLOAD = 1 << 1, /* Deployments and DaemonSets, Flagger's among them */
	ABOUT_FLAGGER = 1 << 2,  /* Deployments that run Flagger */
	ABOUT_SERVICE = 1 << 3,
	ABOUT_JOB = 1 << 4,      /* Jobs, and Pods that are hooks */
	ABOUT_CRONJOB = 1 << 5,
	ABOUT_CRD = 1 << 6,
	ABOUT_ARGO = 1 << 7,     /* Argo CD's Applications */
	ABOUT_FLUX = 1 << 8,     /* Kustomizations of kustomize-controller */
	ABOUT_HELM = 1 << 9,     /* HelmReleases */
	ABOUT_SOURCE = 1 << 10,  /* OCIRepositories */
	ABOUT_POLICY = 1 << 11,  /* ValidatingAdmissionPolicyBindings */
	ABOUT_RIGHTS = 1 << 12,
};

struct doctor_check;

struct finding {
	const struct doctor_check *check;
	struct identity id;
	const char *path;                /* of the place in it; "" is all of it */
	const struct manifest *manifest; /* NULL: live */
	const char *text;                /* what is so, one line */
	struct finding *next;
};

struct doctor;

struct doctor_check {
	const char *id;
	enum severity severity;
	unsigned each;  /* run on each object of this kind; 0: at the end */
	unsigned needs; /* it says something once one of each was seen or listed */
	const char *title, *remedy;
	void (*run)(struct doctor *d, const struct tree *object); /* NULL at the end */
};

struct doctor *doctor_new(int64_t now); /* seconds since the epoch */
/* One object, live or (`manifest`) rendered. Kinds that no check is about are passed over. */
void doctor_see(struct doctor *d, const struct tree *object, const struct manifest *manifest);
/* The room that doctor_see() needs for what it keeps; to be called before the object is on the arena. */
void doctor_make_room(struct doctor *d);
/* All of these kinds, in scope, were or will be shown. */
void doctor_listed(struct doctor *d, unsigned about);
/* Some of it may not be read: then that something isn't there is said of none. */
void doctor_unread(struct doctor *d, unsigned about);
/* The kinds that an object of this group and kind counts as; 0: none. */
unsigned doctor_kind(const char *group, const char *kind);
/* Namespaces that Flagger runs in, as seen so far; NULL ends it. */
const char *const *doctor_flagger_namespaces(const struct doctor *d);

/* Runs what is left; then the findings, errors first, in the order of the table, then by place. */
void doctor_conclude(struct doctor *d);
const struct finding *doctor_findings(const struct doctor *d);
/* How many checks there are, and how many had something to look at. */
size_t doctor_checks(void);
size_t doctor_looked(const struct doctor *d);

#endif
