/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is "nothing changed" proved? (DESIGN.md §2.3) (b) primary: forward(T) equals P path by path, or
 * what differs is accepted, unknowable or drift; (a) provenance: a schema whose hash of T is
 * lastPromotedSpec; (d) applied: one that knows every field of T and whose hash is lastAppliedSpec.
 * A hash corroborates, content proves.
 */
#ifndef PERCH_FLAGGER_PROOF_H
#define PERCH_FLAGGER_PROOF_H

#include "base/notes.h"
#include "flagger/canary.h"
#include "flagger/subject.h"
#include "k8s/change.h"

enum primary_answer {
	PRIMARY_UNREAD,
	PRIMARY_MISSING,
	PRIMARY_DIFFERS,
	PRIMARY_ACCEPTED, /* equal but for accepted, unknowable or excused paths */
	PRIMARY_EQUAL,
};

/*
 * Values in changes are in T's terms too: P's suffixes are taken off. A Service's primary is
 * compared for show only: provenance alone proves it. A Knative revision is never proved.
 */
struct proof {
	enum primary_answer primary;
	int provenance;         /* the newest minor that explains lastPromotedSpec; 0: none */
	int applied;            /* the newest minor that explains lastAppliedSpec and knows all of T */
	int explains_applied;   /* the same, whether it knows all of T or not */
	bool proved;
	struct changes real;    /* P → T, in T's terms: what a promotion would change for a reason */
	struct changes accepted, unknowable, drift;
	bool remembered;        /* perch.dev/accepted stands for the whole difference */
	char fingerprint[17];   /* of the whole difference and of doubtful equality (fingerprint.h); "" for neither */
};

/* Which paths are policy-ignored is asked of the caller; NULL ignores nothing. */
struct ignore {
	bool (*match)(void *arg, const struct change *change);
	void *arg;
};

/*
 * `brief`: the stored hashes are explained only where the proof turns on it, not for people to read,
 * which saves hashing T once more. ERR_INPUT where T and P contradict each other.
 */
int proof_judge(struct proof *out, const struct canary *c, const struct subject *s,
		const struct flagger *flagger, const struct ignore *ignore, bool brief,
		struct notes *notes, struct error *err);

#endif
