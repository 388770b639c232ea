/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/differ.h"

#include <string.h>

#include "base/arena.h"
#include "decide/read_elsewhere.h"
#include "fleet/plain_diff.h"
#include "flagger/hash.h"
#include "k8s/diff.h"
#include "k8s/schema.h"
#include "report/talk.h"

/* One comparison under way. */
struct pair {
	const struct manifest *shown;             /* whose identity and lines are told */
	const struct tree *before, *after;        /* T and T′; NULL where there is none */
	struct changes found, changes, ignored, foreign;
	struct notes notes, warnings;
	bool unread, unsure;
};

static const char *identity_text(const struct identity *id)
{
	return arena_printf("%s %s/%s", id->kind, id->namespace, id->name);
}

static bool is_config(enum object_kind kind)
{
	return kind == KIND_CONFIGMAP || kind == KIND_SECRET;
}

static const char *ignored_by(const struct differ *d, struct pair *p, const struct change *c)
{
	const struct tree *target = p->after ? p->after : p->before;
	struct ruling ruling = policy_judge(d->policy, c, target);
	const char *reader;

	if (ruling.effect != POLICY_IGNORE)
		return NULL;
	reader = read_elsewhere(c, target);
	if (!reader)
		return arena_printf("policy line %u", ruling.line);
	note_add(&p->warnings, "policy: line %u can't ignore %s, %s reads it", ruling.line, c->path,
		 reader);
	return NULL;
}

/* Real or ignored: each change goes to its list, with its place in the manifest. */
static void sort_out(const struct differ *d, struct pair *p)
{
	struct change **all = NEW_ARRAY(struct change *, p->found.count + 1), *next;
	size_t n = 0;

	change_each(c, &p->found)
		all[n++] = c;
	if (p->shown->text && p->after)
		manifest_place(p->shown, all, n);
	for (struct change *c = p->found.first; c; c = next) {
		next = c->next;
		c->by = ignored_by(d, p, c);
		changes_add(c->by ? &p->ignored : &p->changes, c);
	}
}

static enum answer hash_moves(const struct differ *d, const struct pair *p)
{
	char before[HASH_SIZE], after[HASH_SIZE];
	struct error ignored;

	if (!p->before || !p->after)
		return p->unread ? ANSWER_UNKNOWN : ANSWER_YES;
	if (flagger_hash(before, p->before, d->hash_minor, &ignored) != 0 ||
	    flagger_hash(after, p->after, d->hash_minor, &ignored) != 0)
		return ANSWER_UNKNOWN;
	return strcmp(before, after) ? ANSWER_YES : ANSWER_NO;
}

static void print(struct differ *d, struct pair *p)
{
	struct diff_item item = {
		.id = p->shown->id,
		.manifest = p->shown,
		.secret = p->shown->kind == KIND_SECRET,
		.unread = p->unread,
		.unsure = p->unsure,
		.created = !p->before && !p->unread,
		.removed = !p->after,
		.changes = &p->changes,
		.ignored = &p->ignored,
		.foreign = &p->foreign,
		.notes = &p->notes,
		.warnings = &p->warnings,
	};

	sort_out(d, p);
	p->warnings = manifest_place_notes(p->shown, &p->warnings);
	item.changed = p->changes.count > 0 || item.created || item.removed;
	item.triggers = object_is_target(p->shown->kind) ? hash_moves(d, p) : ANSWER_NO;
	d->changed |= item.changed;
	d->objects++;
	d->with_change += item.changed;
	d->unknown |= p->unread || p->unsure;
	talk_some(&d->warnings, &p->warnings, identity_text(&item.id));
	REPORT(&d->report, diff_item, &item);
}

static int wrap(struct error *err, const struct manifest *m)
{
	return error_wrap(err, "%s:%u: %s", m->text->name, manifest_line(m, ""), identity_text(&m->id));
}

static int apply_to_live(struct differ *d, struct pair *p, const struct manifest *desired,
			 struct error *err)
{
	struct applier found = d->applier ? *d->applier : applier_find(p->before, &p->warnings);
	const struct tree *by_server = NULL;

	if (d->asking &&
	    ask_for_applied(&by_server, d->asking, desired->object, p->before, &found, &p->warnings, err) != 0)
		return -1;
	p->after = apply(desired->object, p->before, &found, d->server_minor, &p->warnings, err);
	if (by_server)
		p->after = by_server;
	if (!p->after)
		return wrap(err, desired);
	diff_content(&p->found, p->before, p->after);
	if (!p->before)
		return 0;
	diff_foreign(&p->foreign, desired->object, p->before, p->after);
	diff_notes(&p->notes, p->before, p->after);
	/* Two-way never says "same" of what only the live object has: whose is it? */
	p->unsure = found.kind == APPLIER_TWO_WAY && p->foreign.count && !p->found.count;
	return 0;
}

static void first_problem(void *arg, enum schema_problem problem, const char *path,
			  const struct tree *value, const char *text)
{
	const char **first = arg;

	(void)value;
	if (problem == SCHEMA_WRONG_TYPE && !*first)
		*first = arena_printf("%s: %s", path, text);
}

/* Why a live object can't be compared with; NULL where it can. */
static const char *unusable(const struct differ *d, const struct seen *live, enum object_kind kind)
{
	const char *first = NULL;

	if (live->reading == READ_BAD)
		return live->problem;
	if (live->reading == READ_UNREAD)
		return d->unread;
	if (live->object && schema_root(kind))
		schema_check(live->object, schema_root(kind), schema_newest(), "", first_problem, &first);
	return first;
}

int differ_live(struct differ *d, const struct manifest *desired, const struct seen *live,
		struct error *err)
{
	struct pair p = {.shown = desired, .before = live->object, .after = desired->object};
	const char *problem = unusable(d, live, desired->kind);

	p.unread = problem != NULL;
	if (problem)
		note_add(&p.warnings, "live: nothing to compare with: %s", problem);
	else if (is_config(desired->kind) && live->object)
		config_diff(&p.found, &p.foreign, live->object, desired->object);
	else if (object_is_target(desired->kind) && apply_to_live(d, &p, desired, err) != 0)
		return -1;
	print(d, &p);
	return 0;
}

static int created(const struct tree **out, const struct differ *d, const struct manifest *m,
		   struct notes *warnings, struct error *err)
{
	const struct applier replace = {APPLIER_REPLACE, NULL, "rendered"};

	*out = NULL;
	if (!m)
		return 0;
	*out = apply(m->object, NULL, &replace, d->server_minor, warnings, err);
	if (*out)
		return 0;
	return wrap(err, m);
}

int differ_rendered(struct differ *d, const struct manifest *before, const struct manifest *after,
		    struct error *err)
{
	struct pair p = {.shown = after ? after : before};
	struct notes said_before = {0};

	if (is_config(p.shown->kind)) {
		p.before = before ? before->object : NULL;
		p.after = after ? after->object : NULL;
		if (before && after)
			config_diff(&p.found, NULL, p.before, p.after);
	} else {
		if (created(&p.before, d, before, &said_before, err) != 0 ||
		    created(&p.after, d, after, &p.warnings, err) != 0)
			return -1;
		diff_content(&p.found, p.before, p.after);
		diff_notes(&p.notes, p.before, p.after);
	}
	print(d, &p);
	return 0;
}

void differ_as_is(struct differ *d, const struct manifest *before, const struct manifest *after)
{
	struct pair p = {
		.shown = after ? after : before,
		.before = before ? before->object : NULL,
		.after = after ? after->object : NULL,
	};

	if (object_is_target(p.shown->kind)) {
		diff_content(&p.found, p.before, p.after);
		diff_notes(&p.notes, p.before, p.after);
	} else if (p.before && p.after) {
		plain_diff(&p.found, p.before, p.after);
	}
	print(d, &p);
}
