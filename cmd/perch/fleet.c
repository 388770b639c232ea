/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/fleet.h"

#include <string.h>

#include "base/arena.h"
#include "fleet/plain_diff.h"
#include "perch/app_scope.h"
#include "perch/live.h"
#include "report/talk.h"
#include "source/ask.h"

/* `configmap/NAME` and `secret/NAME` are changes of configs; NULL for all else. */
static const struct manifest *config_of(const struct inputs *in, const struct decision *d,
					const struct change *c)
{
	const char *namespace = d->canary.namespace;

	if (strncmp(c->path, "configmap/", 10) == 0)
		return manifests_find(&in->desired, KIND_CONFIGMAP, namespace, c->path + 10);
	if (strncmp(c->path, "secret/", 7) == 0)
		return manifests_find(&in->desired, KIND_SECRET, namespace, c->path + 7);
	return NULL;
}

/* A config is tracked as a whole: the first key that D changes stands for it. */
static void place_config(const struct inputs *in, const struct manifest *m, struct change *c)
{
	struct seen live = dump_find(&in->dump, m->kind, m->id.namespace, m->id.name);
	struct changes keys = {0}, left_over = {0};

	config_diff(&keys, &left_over, live.object, m->object);
	if (!keys.count)
		return; /* live already */
	manifest_place(m, &keys.first, 1);
	c->origin = "git";
	c->file = keys.first->file;
	c->line = keys.first->line;
}

/* Gives changes and warnings their file and line where D has them. */
static void place(const struct inputs *in, struct decision *d)
{
	struct changes *const lists[] = {&d->changes, &d->ignored};
	struct change **of_target = NEW_ARRAY(struct change *, d->changes.count + d->ignored.count + 1);
	const struct manifest *desired = fleet_desired(&in->fleet, &d->canary);
	size_t n = 0;

	if (desired)
		d->warnings = manifest_place_notes(desired, &d->warnings);
	for (size_t i = 0; in->has_desired && i < sizeof(lists) / sizeof(*lists); i++) {
		change_each(c, lists[i]) {
			const struct manifest *config = config_of(in, d, c);

			if (config)
				place_config(in, config, c);
			else if (desired && c->origin && strcmp(c->origin, "git") == 0)
				of_target[n++] = c;
		}
	}
	if (desired)
		manifest_place(desired, of_target, n);
}

struct flagger fleet_coming(const struct flagger *now, const struct release *to)
{
	struct flagger f = *now;

	f.to_come = true;
	f.settled_k8s = now->k8s;
	f.release = *to;
	f.k8s = release_k8s(to);
	f.evidence = EVIDENCE_FLAG;
	f.problem = NULL;
	return f;
}

/* T′ by the server itself, where there is one to ask. */
static int ask_server(struct subject *s, struct notes *said, const struct fleet_walk *w, struct error *err)
{
	const struct tree *live = s->target.object;
	struct notes ignored = {0}; /* decide() says how the applier was found */
	struct applier applier;

	if (!w->in->asking || !s->desired || !live)
		return 0;
	applier = w->in->has_applier ? w->in->applier : applier_find(live, &ignored);
	return ask_for_applied(&s->applied_by_server, w->in->asking, s->desired, live, &applier, said, err);
}

static int decide_one(struct fleet_walk *w, const struct tree *canary, const char *problem,
		      const struct identity *id, struct error *err)
{
	struct running running = inputs_running(w->in, id->namespace);
	struct question q = {
		.flagger = &running.flagger,
		.policy = w->in->policy,
		.applier = w->in->has_applier ? &w->in->applier : NULL,
		.server_minor = w->in->server_minor,
		.flow = w->flow,
		.brief = w->to,
	};
	struct notes said_by_server = {0};
	struct subject subject;
	struct decision d;

	if (w->to)
		running.flagger = fleet_coming(&running.flagger, w->to);
	fleet_subject(&subject, &w->in->fleet, canary);
	subject.problem = problem;
	if (w->touched_only && !fleet_touched(&w->in->fleet, &subject))
		return 0;
	if (ask_server(&subject, &said_by_server, w, err) != 0)
		return -1;
	if (decide(&d, &subject, &q, err) != 0) {
		const struct manifest *m = fleet_desired(&w->in->fleet, &d.canary);

		return m ? error_wrap(err, "%s:%u", m->text->name, manifest_line(m, "")) : -1;
	}
	if (!d.canary.name) /* of a wrong type throughout: say at least which one */
		d.canary.name = id->name;
	if (!d.canary.namespace)
		d.canary.namespace = id->namespace;
	place(w->in, &d);
	note_each(n, &said_by_server)
		note_add(&d.warnings, "%s", n->text);
	if (!w->quiet)
		talk_some(&w->warnings, &d.warnings, arena_printf("%s/%s", id->namespace, id->name));
	return w->canary(w->arg, &subject, &d, q.flagger, err);
}

/* The labels of a canary that can't be read aren't known: it may be one of those chosen. */
static bool is_asked_for(const struct settings *s, const struct inputs *in, const struct tree *canary,
			 const char *problem)
{
	struct identity id = object_identity(canary, "default");

	if (!inputs_wanted(s, &id))
		return false;
	return in->app ? app_scope_has(in->app, &in->dump, canary)
		       : problem || selector_picks(in->selector, canary);
}

static int one(struct fleet_walk *w, const struct tree *canary, const char *problem, struct error *err)
{
	struct identity id = object_identity(canary, "default");

	if (!is_asked_for(w->s, w->in, canary, problem))
		return 0;
	return decide_one(w, canary, problem, &id, err);
}

int fleet_flow(enum flow *out, const struct settings *s, struct error *err)
{
	*out = s->flow ? flow_parse(s->flow) : FLOW_NONE;
	if (s->flow && *out == FLOW_NONE)
		return error_set(err, ERR_USAGE, "unknown flow '%s', there are guard, reconcile, resume, commit",
				 s->flow);
	return 0;
}

int fleet_count(size_t *out, const struct settings *s, const struct inputs *in, struct error *err)
{
	*out = 0;
	for (size_t i = 0; i < in->dump.canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const char *problem;
		const struct tree *canary = dump_canary(&in->dump, i, &problem, err);

		if (!canary)
			return -1;
		*out += is_asked_for(s, in, canary, problem);
		arena_rewind(mark);
	}
	return 0;
}

static int live_canaries(struct fleet_walk *w, struct error *err)
{
	const struct dump *dump = &w->in->dump;

	for (size_t i = 0; i < dump->canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const char *problem;
		const struct tree *canary = dump_canary(dump, i, &problem, err);

		if (!canary || one(w, canary, problem, err) != 0)
			return -1;
		arena_rewind(mark);
	}
	return 0;
}

/* Rendered, and not there yet. */
static int new_canaries(struct fleet_walk *w, struct error *err)
{
	for (size_t i = 0; i < w->in->desired.count; i++) {
		const struct manifest *m = &w->in->desired.items[i];
		struct arena_mark mark = arena_mark();
		struct seen live;

		if (m->kind != KIND_CANARY)
			continue;
		live = dump_find(&w->in->dump, KIND_CANARY, m->id.namespace, m->id.name);
		if (live.reading == READ_ABSENT || live.reading == READ_UNREAD) {
			if (one(w, m->object, NULL, err) != 0)
				return -1;
		}
		arena_rewind(mark);
	}
	return 0;
}

int fleet_walk(struct fleet_walk *w, struct error *err)
{
	w->warnings = (struct talk_some){.all = w->s->verbose};
	if (live_canaries(w, err) != 0 || (w->in->has_desired && !w->live_only && new_canaries(w, err) != 0))
		return -1;
	talk_rest(&w->warnings);
	return 0;
}

static void meet(bool *met, const struct settings *s, const struct identity *id)
{
	for (size_t i = 0; i < s->operands.count; i++)
		met[i] = met[i] || inputs_named(s, i, id);
}

static int no_such_canary(const struct settings *s, const struct inputs *in, const char *operand,
			  struct error *err)
{
	bool implied = in->live && !s->namespace && !s->all_namespaces && !strchr(operand, '/');

	if (implied)
		return error_set(err, ERR_INPUT, "no such canary in namespace %s: '%s', say NAMESPACE/NAME, -n or -A",
				 in->live->access.namespace, operand);
	return error_set(err, ERR_INPUT, "no such canary in the %s: '%s'", in->live ? "cluster" : "input", operand);
}

int fleet_named(const struct settings *s, const struct inputs *in, struct error *err)
{
	bool *met = NEW_ARRAY(bool, s->operands.count + 1);

	for (size_t i = 0; s->operands.count && i < in->dump.canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const char *problem;
		const struct tree *canary = dump_canary(&in->dump, i, &problem, err);
		struct identity id = object_identity(canary, "default");

		if (!canary)
			return -1;
		meet(met, s, &id);
		arena_rewind(mark);
	}
	for (size_t i = 0; i < in->desired.count; i++)
		if (in->desired.items[i].kind == KIND_CANARY)
			meet(met, s, &in->desired.items[i].id);
	for (size_t i = 0; i < s->operands.count; i++)
		if (!met[i])
			return no_such_canary(s, in, s->operands.items[i], err);
	return 0;
}

int fleet_one(const char *verb, const struct settings *s, const struct inputs *in, struct error *err)
{
	size_t n;

	if (fleet_count(&n, s, in, err) != 0)
		return -1;
	if (n > 1)
		return error_set(err, ERR_USAGE, "%s: %zu canaries are called '%s', say NAMESPACE/NAME", verb, n,
				 s->operands.items[0]);
	return 0;
}

int fleet_open(struct inputs *out, const struct settings *s, struct report *report, struct error *err)
{
	if (inputs_load(out, s, err) != 0)
		return -1;
	if (fleet_named(s, out, err) != 0) {
		inputs_close(out);
		return -1;
	}
	inputs_label(out, report);
	out->guessed_minor = running_guess(&out->dump);
	inputs_talk(out, s);
	return 0;
}
