/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The config tracker (flagger.md §4): which ConfigMaps and Secrets a target refers to, their
 * checksums, and whether Flagger would see a change. `fires` is Flagger's answer by its own rule;
 * `changed` is whether data really differ from what was tracked. Both are unknown where a ref is
 * unread and those that were read don't settle it. A Secret in a dump has its checksum in annotation
 * `perch.dev/data-checksum` instead of its data.
 */
#ifndef PERCH_FLAGGER_CONFIGS_H
#define PERCH_FLAGGER_CONFIGS_H

#include "base/notes.h"
#include "flagger/canary.h"
#include "flagger/subject.h"
#include "k8s/change.h"

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

struct configs {
	enum answer fires;      /* HasConfigChanged */
	enum answer changed;    /* data of a tracked config differ, one came, one went */
	struct changes changes; /* class config, path `configmap/NAME` or `secret/NAME` */
	size_t refs, unread;
	const char *missing;    /* a mandatory ref that isn't there: Flagger's tick ends; NULL: none */
};

void configs_compare(struct configs *out, const struct canary *c, const struct tree *target,
		     const struct flagger *flagger, const struct lookup *lookup, struct notes *notes);

#endif
