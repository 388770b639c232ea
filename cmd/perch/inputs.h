/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command line names, read: the rendered manifests (-f, --git), those they are compared with
 * (--base), the dump (--live) or the cluster, the policy, the applier, and the Flagger that is
 * running. All inputs are read before anything is printed, so a bad one gives its one line and nothing
 * else.
 */
#ifndef PERCH_INPUTS_H
#define PERCH_INPUTS_H

#include "decide/policy.h"
#include "fleet/join.h"
#include "fleet/running.h"
#include "k8s/apply.h"
#include "k8s/selector.h"
#include "perch/settings.h"
#include "report/report.h"

struct app_scope;
struct live;
struct via;

struct inputs {
	bool has_desired, has_base, has_live;
	struct live *live; /* the cluster that the dump was made of; NULL: files */
	struct asking *asking; /* what may be asked of it */
	struct manifests desired, base;
	struct dump dump;
	struct fleet fleet; /* of the above, for joining */
	struct runnings runnings;
	int guessed_minor;  /* what the stored hashes say; 0: nothing */
	const struct policy *policy;
	struct applier applier;
	bool has_applier;
	int server_minor;
	const struct selector *selector; /* -l */
	const struct via *via; /* --via configmap, as it was read; NULL: holds are on the Canaries */
	const struct app_scope *app;     /* of the commit flow, instead of -l; NULL: none */
	struct notes warnings;
};

/* ERR_USAGE for options that exclude each other, whatever they name. inputs_load() asks first. */
int inputs_refuse_contradictions(const struct settings *s, struct error *err);
int inputs_load(struct inputs *out, const struct settings *s, struct error *err);
/* The same for diff: of a cluster only what is rendered is read, and none where there is --base. */
int inputs_load_for_diff(struct inputs *out, const struct settings *s, struct error *err);
/* -f, --git and the policy beside them alone, or only that, into inputs whose `live`, if any, is connected. */
int inputs_load_policy(struct inputs *in, const struct settings *s, struct error *err);
int inputs_load_files(struct inputs *in, const struct settings *s, struct error *err);
void inputs_close(struct inputs *in);
/* The warnings so far, once, and with -v what was read. */
void inputs_talk(struct inputs *in, const struct settings *s);
/* "cluster" or "dump": what has the live objects, as a message calls it. */
const char *inputs_source(const struct inputs *in);
/* Names the cluster in a report. */
void inputs_label(const struct inputs *in, struct report *report);
/* The Flagger of a namespace; guessed where nothing names it. */
struct running inputs_running(const struct inputs *in, const char *namespace);
/* Is this object asked for, by -n and the operands (NAME or NAMESPACE/NAME)? */
bool inputs_wanted(const struct settings *s, const struct identity *id);
/* Is it the one, or one of those, that operand `i` names? */
bool inputs_named(const struct settings *s, size_t i, const struct identity *id);

#endif
