/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/proof.h"

#include <string.h>

#include "base/arena.h"
#include "flagger/carried.h"
#include "flagger/explain.h"
#include "flagger/fingerprint.h"
#include "flagger/pending.h"
#include "flagger/primary.h"
#include "flagger/writers.h"
#include "k8s/diff.h"
#include "value/pointer.h"

struct judge {
	struct proof *out;
	const struct canary *c;
	const struct tree *target, *primary;
	const struct owner *owners; /* of P; NULL: managedFields are not in the input */
	bool garbled;              /* what of it is Flagger's can't be read in full */
	const struct flagger *flagger;
	const struct lookup *lookup;
	const struct ignore *ignore;
	struct notes *notes;
	struct changes difference; /* P → T, all of it, in T's terms */
	struct changes doubts;     /* copies of it, and what is equal but may not be Flagger's doing */
	struct changes vouched;    /* of the latter, what a stored hash vouches for: no doubt (any more) */
	struct changes back;       /* the same seen from T: its pointers of replaced values lead into P */
	bool limited;              /* the running release doesn't know all of T … */
	struct changes promotion;  /* … and this is all that a promotion by it would change in P */
	bool unexcused;            /* some drift is not excused */
	size_t foreign;            /* places that are equal, and others' */
	const char *foreign_path, *foreign_manager; /* the first of them */
};

/* The place in P of a change from P to T. */
static const char *primary_pointer(const struct judge *j, const struct change *c)
{
	if (c->op != CHANGE_REPLACE)
		return c->pointer;
	change_each(b, &j->back)
		if (strcmp(b->path, c->path) == 0)
			return b->pointer;
	return c->pointer;
}

/* The transform changes names but no places, so the values in T's terms are where they were. */
static struct change *in_terms_of_target(const struct judge *j, const struct change *c,
					 const struct tree *backward)
{
	const struct tree *old = pointer_get(backward, primary_pointer(j, c));
	const struct tree *new = pointer_get(j->target, c->pointer);
	struct change *copy = NEW(struct change);

	*copy = *c;
	if (c->old_value && old)
		copy->old_value = old;
	if (c->new_value && new)
		copy->new_value = new;
	return copy;
}

static void compare(struct judge *j, const struct tree *comparable, const struct tree *forward)
{
	enum object_kind kind = j->c->target_kind;
	const struct tree *backward = comparable;
	struct changes raw = {0};

	if (tree_same(object_content(comparable, kind), object_content(forward, kind)))
		return;
	diff_content(&raw, comparable, forward);
	if (!raw.count)
		return;
	diff_content(&j->back, forward, comparable);
	if (kind != KIND_SERVICE)
		backward = primary_backward(j->c, j->primary, j->flagger->selector_labels);
	for (struct change *c = raw.first, *next; c; c = next) {
		next = c->next;
		changes_add(&j->difference, in_terms_of_target(j, c, backward));
	}
}

/* Is one of two places in the other? `steps` are the bytes that begin a step further down. */
static bool overlap(const char *a, const char *b, const char *steps)
{
	size_t n = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
	const char *rest = a[n] ? a + n : b + n;

	return strncmp(a, b, n) == 0 && (!*rest || strchr(steps, *rest));
}

/* The running release knows no more of it than the one that promoted: P would stay as it is. */
static bool unknowable(const struct judge *j, const struct change *c)
{
	change_each(p, &j->promotion)
		/* An item may have a key in one of the two and none in the other. */
		if (overlap(c->path, p->path, ".[") || overlap(c->pointer, p->pointer, "/"))
			return false;
	return j->limited;
}

static void limit(struct judge *j, const struct tree *comparable, const struct tree *forward)
{
	int minor = j->flagger->k8s;
	const struct tree *known;

	if (!minor || !j->difference.count || minor_knows_all(minor, j->c->target_kind, j->target))
		return;
	known = carried(forward, j->c->target_kind, minor);
	if (!known)
		return;
	j->limited = true;
	diff_content(&j->promotion, comparable, known);
}

static bool excused(const struct judge *j, const struct change *c)
{
	return explained_knowing(j->c->promoted, j->target, j->c->target_kind, primary_pointer(j, c));
}

/* Drift, or real? What is absent from P is never drift. */
static void judge_writer(struct judge *j, struct change *c)
{
	const char *manager = "";
	enum writer writer = c->op == CHANGE_ADD
				     ? WRITER_FLAGGER
				     : writer_of(&manager, j->owners, j->primary, primary_pointer(j, c));

	if (j->garbled && writer != WRITER_FLAGGER)
		writer = WRITER_UNKNOWN;
	/* Unread owners: T is as it was promoted, so P may well have moved; nobody can tell. */
	if (writer == WRITER_FLAGGER || (writer == WRITER_UNKNOWN && !excused(j, c))) {
		changes_add(&j->out->real, c);
		return;
	}
	if (writer == WRITER_OTHER)
		note_add(j->notes, "primary-drift: %s of the primary was last written by %s, not by Flagger",
			 c->path, manager);
	else if (writer == WRITER_NOBODY)
		note_add(j->notes, "primary-drift: %s of the primary belongs to nobody, as what a webhook "
			 "adds", c->path);
	else
		note_add(j->notes, "primary-drift: %s of the primary has no known owner: managedFields %s",
			 c->path, j->garbled ? "can't be read" : "aren't in the input");
	j->unexcused = j->unexcused || writer == WRITER_UNKNOWN || !excused(j, c);
	changes_add(&j->out->drift, c);
}

static void judge_change(struct judge *j, struct change *c)
{
	if (j->ignore && j->ignore->match(j->ignore->arg, c)) {
		changes_add(&j->out->accepted, c);
	} else if (unknowable(j, c)) {
		note_add(j->notes, "schema: %s differs, and k8s.io/api 0.%d can't carry it to the primary",
			 c->path, j->flagger->k8s);
		changes_add(&j->out->unknowable, c);
	} else {
		judge_writer(j, c);
	}
}

static void copy_all(struct changes *to, const struct changes *from)
{
	change_each(c, from) {
		struct change *copy = NEW(struct change);

		*copy = *c;
		copy->next = NULL;
		changes_add(to, copy);
	}
}

/*
 * The operator's word, or the policy's, stands for exactly these doubts. Once it was adopted, its own
 * hash vouches for what is equal: the word was for that too.
 */
static bool accepted_before(const struct judge *j)
{
	char print[FINGERPRINT_SIZE];
	struct changes all = {0};

	if (!j->doubts.count || !*j->c->accepted)
		return false;
	if (strcmp(j->c->accepted, j->out->fingerprint) == 0 || !j->vouched.count)
		return strcmp(j->c->accepted, j->out->fingerprint) == 0;
	copy_all(&all, &j->doubts);
	copy_all(&all, &j->vouched);
	fingerprint(print, &all, j->primary);
	return strcmp(j->c->accepted, print) == 0;
}

static void judge_difference(struct judge *j)
{
	bool accepted = j->out->remembered;

	for (struct change *c = j->difference.first, *next; c; c = next) {
		next = c->next;
		if (accepted)
			changes_add(&j->out->accepted, c);
		else
			judge_change(j, c);
	}
}

static void doubt(struct changes *doubts, const char *path, const struct tree *old, const struct tree *new)
{
	struct change *c = NEW(struct change);

	c->path = path;
	c->old_value = old;
	c->new_value = new;
	changes_add(doubts, c);
}

/* A place that others wrote and that is equal to T's proves nothing by being equal. */
static void judge_foreign(void *arg, const char *path, const char *pointer, const char *manager)
{
	struct judge *j = arg;
	struct changes *doubts = &j->doubts;

	change_each(b, &j->back)
		if (b->op != CHANGE_REMOVE && overlap(pointer, b->pointer, "/"))
			return;
	if (explained_knowing(j->c->promoted, j->target, j->c->target_kind, pointer))
		doubts = &j->vouched;
	doubt(doubts, path, pointer_get(j->primary, pointer), pointer_get(j->target, pointer));
	if (doubts == &j->doubts && !j->foreign++) {
		j->foreign_path = path;
		j->foreign_manager = manager;
	}
}

/* Who wrote P isn't known, and no schema vouches for T: that they are equal may be chance. */
static bool nobody_vouches(const struct judge *j)
{
	return !j->owners && !j->out->provenance;
}

/* All that an operator would take on by accepting, named by one fingerprint. */
static void find_doubts(struct judge *j, const struct tree *comparable)
{
	enum object_kind kind = j->c->target_kind;

	if (kind != KIND_SERVICE)
		writers_foreign(j->owners, comparable, judge_foreign, j);
	if (nobody_vouches(j) && !j->difference.count)
		doubt(&j->doubts, kind == KIND_SERVICE ? "spec" : "spec.template", object_content(comparable, kind),
		      object_content(j->target, kind));
	change_each(c, &j->difference)
		doubt(&j->doubts, c->path, c->old_value, c->new_value);
	if (j->doubts.count)
		fingerprint(j->out->fingerprint, &j->doubts, j->primary);
	j->out->remembered = accepted_before(j);
}

static void note_foreign(struct judge *j)
{
	if (!j->foreign)
		return;
	note_add(j->notes, "primary-drift: %s%s of the primary equals the target's but was written by %s, "
		 "not by Flagger", j->foreign_path,
		 j->foreign > 1 ? arena_printf(" (and %zu more)", j->foreign - 1) : "", j->foreign_manager);
	j->unexcused = true;
}

/* What stands on equality alone needs to know that Flagger wrote it. */
static void judge_equal(struct judge *j)
{
	if (j->out->remembered)
		return;
	j->unexcused = j->unexcused || nobody_vouches(j);
	note_foreign(j);
}

static void conclude(struct judge *j)
{
	struct proof *out = j->out;

	out->proved = out->real.count == 0 && !j->unexcused;
	if (j->difference.count == 0)
		out->primary = PRIMARY_EQUAL;
	else if (out->real.count || j->unexcused)
		out->primary = PRIMARY_DIFFERS;
	else
		out->primary = PRIMARY_ACCEPTED;
}

/* An entry that can't be read owns nothing; if it is Flagger's, nobody else is known to have written. */
static void note_garbled(struct judge *j)
{
	for (const struct owner *o = j->owners; o; o = o->next) {
		if (!o->garbled)
			continue;
		note_add(j->notes, "owners: managedFields of '%s' on the primary can't be read, so what it wrote "
			 "isn't known", o->manager);
		j->garbled |= writer_is_flagger(o);
	}
}

static int judge_workload(struct judge *j, struct error *err)
{
	const char *labels = j->flagger->selector_labels;
	const struct tree *forward = primary_forward(j->c, j->target, j->primary, labels, err);
	const struct tree *comparable;

	if (!forward)
		return -1;
	j->owners = owners_read(j->primary);
	note_garbled(j);
	comparable = primary_comparable(j->primary);
	compare(j, comparable, forward);
	limit(j, comparable, forward);
	find_doubts(j, comparable);
	judge_difference(j);
	judge_equal(j);
	conclude(j);
	pending_notes(j->notes, j->c, j->target, j->primary, j->lookup);
	return 0;
}

/* What the server gave a Service of its own accord, and so differs between any two. */
static const struct tree *without_allocations(const struct tree *service)
{
	static const char *const allocated[] = {"clusterIP", "clusterIPs", "healthCheckNodePort"};
	struct tree *copy = tree_copy(service);
	struct tree *spec = tree_get_mutable(copy, "spec");
	struct tree *ports = tree_get_mutable(spec, "ports");

	for (size_t i = 0; spec && i < sizeof(allocated) / sizeof(*allocated); i++)
		tree_remove(spec, allocated[i]);
	for (size_t i = 0; i < tree_len(ports); i++)
		tree_remove(tree_at_mutable(ports, i), "nodePort");
	return copy;
}

static void judge_service_change(struct judge *j, struct change *c)
{
	if (j->out->proved) {
		note_add(j->notes, "primary-drift: %s of the primary isn't the target's", c->path);
		changes_add(&j->out->drift, c);
	} else if (j->out->remembered || (j->ignore && j->ignore->match(j->ignore->arg, c))) {
		changes_add(&j->out->accepted, c);
	} else {
		changes_add(&j->out->real, c);
	}
}

static void judge_service(struct judge *j, bool explained)
{
	struct proof *out = j->out;
	const struct tree *comparable;

	out->proved = explained;
	if (!j->primary)
		return;
	comparable = without_allocations(j->primary);
	compare(j, comparable, without_allocations(j->target));
	find_doubts(j, comparable);
	for (struct change *c = j->difference.first, *next; c; c = next) {
		next = c->next;
		judge_service_change(j, c);
	}
	out->proved = explained || out->remembered;
	out->primary = !j->difference.count ? PRIMARY_EQUAL
		       : out->proved        ? PRIMARY_ACCEPTED
					    : PRIMARY_DIFFERS;
}

/* Flagger says on the Knative Service which revision it promoted. */
static void judge_knative(struct judge *j)
{
	const struct tree *now = tree_path(j->target, "status", "latestCreatedRevisionName", NULL);
	const struct tree *then = tree_path(j->target, "metadata", "annotations",
					    "flagger.app/primary-revision", NULL);
	struct change *c;

	note_add(j->notes, "knative: only the revision's name is hashed, so no upgrade moves it");
	j->out->primary = PRIMARY_UNREAD;
	if (!now || !then)
		return;
	j->out->primary = PRIMARY_EQUAL;
	if (tree_same(now, then))
		return;
	j->out->primary = PRIMARY_DIFFERS;
	c = NEW(struct change);
	c->path = "status.latestCreatedRevisionName";
	c->pointer = "/status/latestCreatedRevisionName";
	c->class = CLASS_OTHER;
	c->op = CHANGE_REPLACE;
	c->old_value = then;
	c->new_value = now;
	changes_add(&j->out->real, c);
}

static enum primary_answer unread(const struct seen *primary)
{
	return primary->reading == READ_ABSENT ? PRIMARY_MISSING : PRIMARY_UNREAD;
}

/* Settled workloads whose primary says who wrote it are proved by content alone. */
static bool needs_explanation(const struct canary *c, const struct subject *s)
{
	return !phase_settled(c->phase) || c->target_kind == KIND_SERVICE ||
	       !tree_path(s->primary.object, "metadata", "managedFields", NULL);
}

int proof_judge(struct proof *out, const struct canary *c, const struct subject *s,
		const struct flagger *flagger, const struct ignore *ignore, bool brief,
		struct notes *notes, struct error *err)
{
	struct judge j = {.out = out, .c = c, .target = s->target.object, .primary = s->primary.object,
			  .flagger = flagger, .lookup = &s->configs, .ignore = ignore,
			  .notes = notes};
	struct explanation why = {0};

	*out = (struct proof){.primary = unread(&s->primary)};
	if (s->target.reading != READ_PRESENT)
		return 0;
	if (!brief || needs_explanation(c, s))
		explain(&why, c, j.target, flagger->settled_k8s ? flagger->settled_k8s : flagger->k8s);
	out->provenance = why.promoted;
	out->applied = why.applied_all;
	out->explains_applied = why.applied;
	if (c->target_kind == KIND_KNATIVE)
		judge_knative(&j);
	else if (c->target_kind == KIND_SERVICE)
		judge_service(&j, why.promoted_all != 0);
	else if (s->primary.reading == READ_PRESENT)
		return judge_workload(&j, err);
	return 0;
}
