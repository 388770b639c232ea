/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who owns what of a live object: its metadata.managedFields. Server-side appliers have an Apply
 * entry each, everybody else an Update entry of the fields last written. Entries of subresources
 * (status, scale) are left out: none of them is about content.
 */
#ifndef PERCH_K8S_OWNERS_H
#define PERCH_K8S_OWNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "k8s/fieldset.h"
#include "value/tree.h"

struct owner {
	const char *manager;
	bool apply;       /* operation Apply, else Update */
	const char *time; /* RFC 3339, "" where unknown */
	bool garbled;     /* fieldsV1 is no set of fields: what can't be read of it counts for nothing */
	struct fieldset *fields;
	struct owner *next;
};

/* In the object's order; NULL where it has no managedFields. */
struct owner *owners_read(const struct tree *object);

/*
 * The managers that own the value at a place (RFC 6901) of the object, or anything in it, the newest
 * write first: fills at most `max` and returns how many there are. 0: nobody does.
 */
size_t owners_at(const struct owner **out, size_t max, const struct owner *list,
		 const struct tree *object, const char *pointer);
/* Their names for people: "helm", "argocd-controller and kubectl-edit"; "" for nobody. */
const char *owners_names(const struct owner *list, const struct tree *object, const char *pointer);

/*
 * The fields that count as an applier's when it applies: its own Apply entry and what it folds in
 * before: kustomize-controller the entries of kubectl, before-first-apply and its own Updates
 * (gitops.md §2.2), kubectl the client-side appliers'. *others gets what all others own.
 */
struct fieldset *owners_applied(const struct owner *list, const char *manager,
				const struct tree *desired, const struct tree *live,
				struct fieldset **others);

#endif
