/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running release: the Flagger that acts next on a namespace's canaries, read from its own
 * Deployment in the dump (image tag, else --flagger, else its version label) together with how it
 * was started. It is known, never guessed, before anything is written; for verbs that only read,
 * running_guess() names the schema that explains the stored hashes. Unknown is an answer: k8s 0
 * and `problem`.
 */
#ifndef PERCH_FLEET_RUNNING_H
#define PERCH_FLEET_RUNNING_H

#include "base/error.h"
#include "base/notes.h"
#include "flagger/subject.h"
#include "source/dump.h"

struct running_options {
	const char *option;          /* what names the release on this command line: --flagger or --from */
	const char *flagger, *k8s;   /* its value, and --k8s'; NULL: not given */
	const char *selector_labels; /* --selector-labels */
};

struct running {
	struct flagger flagger;
	const char *watches; /* its -namespace; "" is all */
	const char *where;   /* NAMESPACE/NAME of its Deployment or Pod */
	const char *image;   /* of its container; "" where no Flagger was found */
	bool contradicts;    /* the problem is a contradiction, which no guess may settle */
};

struct runnings {
	struct running *items;
	size_t count;
	struct running none; /* where no Flagger was found: what the options say */
};

int running_find(struct runnings *out, const struct dump *dump, const struct running_options *o,
		 struct notes *warnings, struct error *err);
/* The Flagger of one Pod, which may not have started yet. */
int running_pod(struct running *out, const struct tree *pod, const struct running_options *o,
		struct notes *warnings, struct error *err);
/* Of a Pod's spec, the container with an image of Flagger's; NULL: none. */
const struct tree *running_container(const struct tree *pod_spec);
/* Else the one with Flagger in its image's name, be it built by another; the first where none has. */
const struct tree *running_likely_container(const struct tree *pod_spec);
/* Who acts in a namespace (NULL: in any). Two that differ are a contradiction. */
struct running running_for(const struct runnings *all, const char *namespace);

/* The minor whose hashes most settled canaries have stored; 0: none explains any. */
int running_guess(const struct dump *dump);
/* Fills an unknown release with the guess, where there is one and nothing contradicts it. */
void running_settle(struct running *r, int guessed_minor);

#endif
