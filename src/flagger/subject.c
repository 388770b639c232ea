/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/subject.h"

static const char *const evidence_names[] = {
	[EVIDENCE_NONE] = "none",
	[EVIDENCE_FLAG] = "flag",
	[EVIDENCE_IMAGE] = "image",
	[EVIDENCE_CONFIGMAP] = "configmap",
	[EVIDENCE_LABEL] = "label",
	[EVIDENCE_GUESS] = "guess",
};

const char *evidence_name(enum evidence evidence)
{
	return evidence_names[evidence];
}

bool flagger_known(const struct flagger *f)
{
	return f->k8s && f->evidence != EVIDENCE_NONE && f->evidence != EVIDENCE_GUESS;
}
