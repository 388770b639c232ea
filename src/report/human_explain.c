/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "flagger/hash.h"
#include "flagger/writers.h"
#include "report/human.h"

#define NAME_COLUMN 34 /* at least */
#define BRANCH_WIDTH 4

/* One line of the tree under the canary: what it is, and what is to be said of it. */
static void branch(struct human *h, bool last, const char *name, const char *says)
{
	human_paint(h, PAINT_DIM, last ? "└── " : "├── ");
	human_cell(h, PAINT_NONE, name, *says ? h->column - BRANCH_WIDTH : 0);
	human_printf(h, PAINT_NONE, "%s%s", *says ? " " : "", says);
	human_char(h, '\n');
}

static const char *sign_of(const struct canary *c)
{
	if (c->suspended)
		return "॥";
	if (c->phase == PHASE_FAILED)
		return "✖";
	return phase_in_flight(c->phase) ? "◐" : "✔";
}

static const char *held_text(const struct canary *c)
{
	if (!c->suspended)
		return "";
	if (!c->held)
		return ", suspended by others";
	return arena_printf(", held for %s%s%s", c->held_for, *c->held_until ? " until " : "", c->held_until);
}

static void root(struct human *h, const struct canary *c)
{
	human_paint(h, PAINT_CYAN, sign_of(c));
	human_char(h, ' ');
	human_cell(h, PAINT_BOLD, arena_printf("Canary %s/%s", c->namespace, c->name), h->column - 2);
	human_printf(h, PAINT_NONE, " %s%s", c->phase == PHASE_NONE ? "no phase yet" : phase_name(c->phase),
						held_text(c));
	if (c->phase == PHASE_PROGRESSING || c->phase == PHASE_WAITING_PROMOTION)
		human_printf(h, PAINT_NONE, ", weight %lld, iteration %lld, failed checks %lld",
							(long long)c->weight, (long long)c->iterations,
							(long long)c->failed_checks);
	human_char(h, '\n');
}

/* The first container's tag or digest: enough to tell two templates apart at a glance. */
static const char *image_text(const struct tree *object)
{
	const struct tree *first = tree_first(tree_path(object, "spec", "template", "spec", "containers", NULL));
	const char *image = tree_string_or(tree_get(first, "image"), ""), *tag;

	if (!*image)
		return "";
	tag = strrchr(image, '/');
	tag = strchr(tag ? tag : image, ':');
	return arena_printf("image %s", tag ? tag + 1 : image);
}

static const char *replicas_text(const struct tree *object)
{
	const char *replicas = tree_number(tree_path(object, "spec", "replicas", NULL));

	if (!replicas)
		return "";
	return strcmp(replicas, "0") == 0 ? "replicas 0 (Flagger's)" : arena_printf("replicas %s", replicas);
}

/* The parts that there are, three blanks apart. */
static const char *joined(const char *const *parts, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		if (*parts[i])
			text = *text ? arena_printf("%s   %s", text, parts[i]) : parts[i];
	return text;
}

static const char *missing_text(const struct seen *seen)
{
	switch (seen->reading) {
	case READ_UNREAD:
		return "not in the input";
	case READ_ABSENT:
		return "missing";
	case READ_BAD:
		return seen->problem;
	case READ_PRESENT:
		break;
	}
	return NULL;
}

/* "applied server-side by kustomize-controller" */
static const char *applier_text(const struct tree *object)
{
	struct notes ignored = {0};
	struct applier a = applier_find(object, &ignored);

	if (a.kind == APPLIER_TWO_WAY)
		return "";
	return arena_printf("applied %s%s%s", applier_name(a.kind), a.manager ? " by " : "",
			    a.manager ? a.manager : "");
}

static void take_manager(void *arg, const char *path, const char *pointer, const char *manager)
{
	const char **names = arg;

	(void)path;
	(void)pointer;
	if (!*names)
		*names = manager;
	else if (!strstr(*names, manager))
		*names = arena_printf("%s and %s", *names, manager);
}

/* Who wrote the primary's template: Flagger alone, or others after it. */
static const char *writers_text(const struct tree *primary)
{
	const struct owner *owners = owners_read(primary);
	const char *names = NULL;

	if (!owners)
		return "";
	writers_foreign(owners, primary, take_manager, &names);
	return names ? arena_printf("written by flagger, then %s", names) : "written by flagger";
}

static const char *target_says(const struct plan_item *item)
{
	const struct tree *t = item->subject->target.object;
	const char *missing = missing_text(&item->subject->target);

	if (missing)
		return missing;
	return joined((const char *const[]){
		image_text(t),
		replicas_text(t),
		applier_text(t),
		item->subject->desired ? arena_printf("rendered in %s", item->subject->desired_file) : "",
	}, 4);
}

static const char *primary_says(const struct plan_item *item)
{
	const struct proof *p = &item->decision->proof;
	const struct tree *t = item->subject->primary.object;
	const char *missing = missing_text(&item->subject->primary), *says = "";

	if (missing)
		return missing;
	if (p->primary == PRIMARY_EQUAL)
		says = "✔ same template through Flagger's transform";
	else if (p->primary == PRIMARY_ACCEPTED)
		says = "✔ same template but for what is accepted, unknowable or drift";
	else if (p->primary == PRIMARY_DIFFERS)
		says = arena_printf("✗ %s in %s", p->real.count == 1 ? "1 path differs" :
				    arena_printf("%zu paths differ", p->real.count), changes_classes(&p->real, NULL));
	return joined((const char *const[]){image_text(t), says, writers_text(t)}, 3);
}

/* "Flagger 1.39.0–1.40.0", the releases built with a minor; "" where there is none. */
static const char *releases_text(int minor)
{
	struct release first, last;

	if (release_first_with(&first, minor) != 0 || release_last_with(&last, minor) != 0)
		return "";
	if (release_compare(&first, &last) == 0)
		return arena_printf(" (Flagger %s)", release_text(&first));
	return arena_printf(" (Flagger %s–%s)", release_text(&first), release_text(&last));
}

static const char *stored_says(const char *hash, int minor)
{
	if (minor)
		return arena_printf("this template under k8s.io/api 0.%d%s", minor, releases_text(minor));
	switch (hash_format(hash)) {
	case HASH_NONE:
		return "empty: Flagger looks again";
	case HASH_V2:
		return "Flagger's announced v2 format, which perch doesn't compute";
	case HASH_FOREIGN:
		return "no hash that Flagger 1.x writes";
	case HASH_SPEW:
		break;
	}
	return "no schema gives this for the template as it is";
}

static const char *or_nothing(const char *hash)
{
	return hash && *hash ? hash : "(none)";
}

static void hashes(struct human *h, const struct plan_head *head, const struct decision *d)
{
	const struct canary *c = &d->canary;
	const struct flagger *f = head->flagger;
	const char *who = !f->k8s ? "unknown release" : f->release.major ? release_text(&f->release) :
									     arena_printf("k8s.io/api 0.%d", f->k8s);

	branch(h, false, arena_printf("# applied %s", or_nothing(c->applied)),
	       stored_says(c->applied, d->explains_applied));
	branch(h, false, arena_printf("# promoted %s", or_nothing(c->promoted)),
	       stored_says(c->promoted, d->explains_promoted));
	branch(h, false, arena_printf("# Flagger %s computes", who),
	       *d->trigger.now ? arena_printf("%s%s", d->trigger.now,
					       f->evidence == EVIDENCE_GUESS ? " (release guessed from the stored hashes)" : "") :
				 !f->k8s && f->problem ? f->problem : arena_printf("nothing: %s", d->trigger.reason));
}

static void would_run(struct human *h, const struct trigger *t)
{
	static const char *const answers[] = {
		[ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNKNOWN] = "unknown",
	};

	branch(h, true, "▷ would run", arena_printf("%s: %s", answers[t->would_run], t->reason));
}

static void list(struct human *h, const char *title, const struct changes *changes)
{
	if (!changes->count)
		return;
	human_paint(h, PAINT_BOLD, title);
	human_char(h, '\n');
	change_each(c, changes)
		human_change_line(h, "  ", c);
}

static void workloads(struct human *h, const struct plan_item *item)
{
	const struct canary *c = &item->decision->canary;
	const char *kind = object_kind_name(c->target_kind);
	const char *target = arena_printf("⧉ %s %s", kind, c->target_name);
	const char *primary = arena_printf("⧉ %s %s", kind, canary_primary_name(c));

	if (h->column < terminal_width(primary) + BRANCH_WIDTH)
		h->column = terminal_width(primary) + BRANCH_WIDTH;
	root(h, c);
	branch(h, false, target, target_says(item));
	branch(h, false, primary, primary_says(item));
}

void human_explain(struct report *r, const struct plan_head *head, const struct plan_item *item)
{
	const struct decision *d = item->decision;
	const struct canary *c = &d->canary;
	struct human h = {.colour = r->colour, .column = NAME_COLUMN};

	if (c->target_name && *c->target_name)
		workloads(&h, item);
	else
		root(&h, c);
	if (!item->subject->problem) /* nothing of its status was read */
		hashes(&h, head, d);
	would_run(&h, &d->trigger);
	list(&h, "real changes", &d->changes);
	list(&h, "accepted", &d->proof.accepted);
	list(&h, "unknowable", &d->proof.unknowable);
	list(&h, "drift", &d->proof.drift);
	note_each(n, &d->notes) {
		human_printf(&h, PAINT_DIM, "note: %s", n->text);
		human_char(&h, '\n');
	}
	if (*d->proof.fingerprint) {
		human_printf(&h, PAINT_DIM, "fingerprint of the difference: %s", d->proof.fingerprint);
		human_char(&h, '\n');
	}
	human_paint(&h, verdict_exit_code(d->verdict) == 7 ? PAINT_RED : PAINT_GREEN,
		    verdict_exit_code(d->verdict) == 7 ? "✗ " : "✔ ");
	human_printf(&h, PAINT_BOLD, "%s: %s", verdict_name(d->verdict), d->reason);
	human_char(&h, '\n');
	if (item->flow != FLOW_NONE) {
		human_printf(&h, PAINT_NONE, "%s: %s", flow_name(item->flow), d->action.text);
		human_char(&h, '\n');
	}
	human_flush(&h);
}
