/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For doctor*.c alone: what is kept of the objects seen, for checks that need several, and how a check
 * tells what it found. Strings live as long as the doctor.
 */
#ifndef PERCH_FLEET_DOCTOR_FACTS_H
#define PERCH_FLEET_DOCTOR_FACTS_H

#include "fleet/doctor.h"
#include "flagger/releases.h"

/* Which object a fact is of. */
struct at {
	struct identity id;
	const struct manifest *manifest;
};

enum engine { ENGINE_NONE, ENGINE_ARGO, ENGINE_FLUX, ENGINE_HELM };

/* An app by its engine's mark; the namespace may be "". */
struct app {
	enum engine engine;
	const char *namespace, *name;
};
#define APPS_MAX 3

struct canary_fact {
	struct at at;
	struct app apps[APPS_MAX];
	enum object_kind target_kind;
	const char *target, *apex;
	const char *suspend_by;    /* who but perch keeps spec.suspend; "" */
	const char *until;         /* of perch's hold; "" */
	const char *gates;
	const char *replaced_by;   /* its own sync option; "" */
	const char *skipped_by;    /* what keeps Flux from applying it; "" */
	bool held, suspended, in_flight;
	struct canary_fact *next;
};

/* A Deployment, DaemonSet or Service. */
struct workload_fact {
	struct at at;
	struct app apps[APPS_MAX];
	enum object_kind kind;
	const char *replicas_by;   /* who names spec.replicas; "" */
	const char *replaced_by, *skipped_by;
	bool parked;               /* it has Flagger's nodeSelector that fits no node */
	bool of_flagger;           /* a Canary owns it */
	struct workload_fact *next;
};

/* An Application, Kustomization or HelmRelease. */
struct app_fact {
	struct at at;
	enum engine engine;
	bool self_heal, ignores_replicas, substitutes, forces;
	const char *replaces, *replaces_path; /* what makes it replace objects; "" */
	const char *range, *range_path;       /* of versions of Flagger that it follows; "" */
	bool guards;                          /* it patches guard into what it applies */
	int64_t timeout;                      /* seconds; 0: none said */
	struct app_fact *next;
};

/* A Job or Pod of perch's. */
struct job_fact {
	struct at at;
	struct app apps[APPS_MAX];
	const char *verb;          /* "hook", "reconcile"; "" */
	bool post_sync, hook, forced;
	int64_t deadline;          /* seconds; 0: none */
	struct job_fact *next;
};

struct flagger_fact {
	struct at at;
	const char *watches;       /* its -namespace; "" is all */
	bool guard, elects;
	bool known;
	struct release release;
	struct flagger_fact *next;
};

struct crd_fact {
	struct at at;
	unsigned missing;          /* rows of crd_fields.def, as bits */
	struct crd_fact *next;
};

/* What an account may not do. */
struct gap_fact {
	const char *namespace;     /* "" is all */
	const char *what;          /* "flagger.app/canaries" */
	const char *rule;          /* the rule to add */
	bool needed;
	struct gap_fact *next;
};

struct doctor {
	int64_t now;
	const struct doctor_check *check; /* at work */
	struct at at;                     /* the object that it sees */
	unsigned seen, listed, unread;
	bool guard, sweeper, reconciler, policy, installed;
	struct canary_fact *canaries, **aims; /* sorted by target at the end */
	size_t n_canaries;
	struct workload_fact *workloads, **sorted;
	size_t n_workloads;
	struct app_fact *apps;
	struct job_fact *jobs;
	struct flagger_fact *flaggers;
	struct crd_fact *crds;
	struct gap_fact *gaps;
	struct finding *findings;
	char *room;                       /* kept things come from it */
	size_t room_left;
};

#define KEEP(d, type) ((type *)doctor_keep((d), sizeof(type)))
void *doctor_keep(struct doctor *d, size_t size); /* zeroed */
const char *doctor_keep_text(struct doctor *d, const char *text);
struct at doctor_keep_at(struct doctor *d);        /* the object at hand */
void doctor_keep_apps(struct doctor *d, struct app out[APPS_MAX], const struct tree *object);

/* The check at work found this, at a path of the object at hand or of the one named. */
void doctor_find(struct doctor *d, const char *path, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doctor_find_at(struct doctor *d, const struct at *at, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

bool doctor_has_listed(const struct doctor *d, unsigned about);
const struct workload_fact *doctor_workload(const struct doctor *d, enum object_kind kind, const char *namespace,
					    const char *name);
/* The first canary that names it as its target. */
const struct canary_fact *doctor_canary_on(const struct doctor *d, enum object_kind kind, const char *namespace,
					   const char *name);
const struct app_fact *doctor_app(const struct doctor *d, const struct app *app);

/* Keep what is needed of the object at hand. */
void doctor_keep_canary(struct doctor *d, const struct tree *object);
void doctor_keep_workload(struct doctor *d, const struct tree *object);
void doctor_keep_flagger(struct doctor *d, const struct tree *object);
void doctor_keep_argo(struct doctor *d, const struct tree *object);
void doctor_keep_flux(struct doctor *d, const struct tree *object);
void doctor_keep_helm(struct doctor *d, const struct tree *object);
void doctor_keep_source(struct doctor *d, const struct tree *object);
void doctor_keep_job(struct doctor *d, const struct tree *object);
void doctor_keep_cronjob(struct doctor *d, const struct tree *object);
void doctor_keep_crd(struct doctor *d, const struct tree *object);
void doctor_keep_policy(struct doctor *d, const struct tree *object);

#define CHECK(function, id, severity, each, needs, title, remedy) \
	void check_##function(struct doctor *d, const struct tree *object);
#include "fleet/doctor.def"
#undef CHECK

#endif
