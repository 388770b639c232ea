/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/live.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "k8s/schema.h"
#include "perch/guard_record.h"
#include "perch/live_via.h"
#include "perch/policy_file.h"
#include "report/talk.h"
#include "report/termination.h"
#include "source/ask.h"

#define MAX_TRIES 5 /* of a canary that changes between read and write */

/* One reading of the scope, or of one canary again. */
struct pass {
	struct live_run *r;
	struct inputs in;
	size_t canaries; /* in scope; for how far it is */
	int tries;
};

int live_dry_run(enum dry_run *out, const struct settings *s, struct error *err)
{
	static const char *const words[] = {[DRY_NONE] = "none", [DRY_CLIENT] = "client", [DRY_SERVER] = "server", NULL};
	int how;

	*out = DRY_NONE;
	if (options_word(&how, "--dry-run", s->dry_run, words, err) != 0)
		return -1;
	*out = (enum dry_run)how;
	return 0;
}

const char *live_who(const char *verb)
{
	char host[128] = "";

	gethostname(host, sizeof(host) - 1);
	return *host ? arena_printf("perch %s (%s)", verb, host) : arena_printf("perch %s", verb);
}

bool live_expired(const struct canary *c, int64_t now)
{
	int64_t until;

	if (!c->held || (!*c->held_until && holder_of(c) == HOLDER_POLICY))
		return false;
	return !clock_read(&until, c->held_until) || until <= now;
}

bool live_pause(const struct live *l, int64_t ms)
{
	int64_t left = clock_left(l->deadline);

	clock_sleep(ms < left ? ms : left);
	return !clock_passed(l->deadline);
}

/* Who acts next, where the verb knows it better than any Deployment. */
static void take_running(struct inputs *in, const struct running *running)
{
	struct runnings *all = &in->runnings;

	if (!running)
		return;
	all->items = NEW(struct running);
	all->items[0] = *running;
	all->count = 1;
	all->none = *running;
}

int live_read(struct inputs *in, const struct live_run *r, const struct cluster_scope *scope, struct error *err)
{
	struct running_options running = {"--flagger", r->s->flagger, r->s->k8s, r->s->selector_labels};
	struct cluster_scope wanted = *scope;
	bool no_canaries;

	*in = r->given ? *r->given : (struct inputs){0};
	in->dump.spool = -1;
	in->has_live = true;
	in->live = r->live;
	wanted.desired = in->has_desired && !scope->canaries_only ? &in->desired : NULL;
	if (cluster_read(&in->dump, r->live->api, &wanted, &no_canaries, &in->warnings, err) != 0)
		return -1;
	if (no_canaries)
		note_add(&in->warnings, "crd: the cluster knows no Canary, Flagger isn't installed there");
	else if (!in->dump.canaries.count && scope->namespace && (!scope->names || !scope->names->count))
		note_add(&in->warnings, "scope: there is no canary in namespace '%s'", scope->namespace);
	in->server_minor = in->dump.server_minor ? in->dump.server_minor : schema_newest();
	if (in->asking)
		in->asking->server_minor = in->server_minor;
	in->fleet.dump = &in->dump;
	in->fleet.desired = in->has_desired ? &in->desired : NULL;
	if ((!r->given && policy_file_load(&in->policy, r->s, &in->warnings, err) != 0) ||
	    running_find(&in->runnings, &in->dump, &running, &in->warnings, err) != 0)
		return -1;
	take_running(in, r->running);
	if (live_via_read(in, r, scope, err) != 0)
		return -1;
	if (!r->guard_namespace || in->runnings.count)
		return 0;
	return guard_record_running(&in->runnings, r->live, r->guard_namespace, &in->warnings, err);
}

enum deed live_deed(const struct decision *d, const struct outcome *o)
{
	static const enum deed others[] = {
		[OUTCOME_MOVED] = DEED_MOVED,     [OUTCOME_GONE] = DEED_GONE, [OUTCOME_OWNED] = DEED_OWNED,
		[OUTCOME_REFUSED] = DEED_REFUSED, [OUTCOME_LOST] = DEED_LOST,
	};
	bool waits = d->verdict == VERDICT_RUN || d->verdict == VERDICT_SHIP;

	if (o->kind != OUTCOME_NOTHING && o->kind != OUTCOME_DONE)
		return others[o->kind];
	if (o->held)
		return DEED_HELD;
	if (o->shipped)
		return DEED_SHIPPED;
	if (o->hashes)
		return d->verdict == VERDICT_BUSY ? DEED_CONTINUES : DEED_ADOPTED;
	if (o->ended)
		return DEED_ENDED;
	if (o->unshipped)
		return DEED_UNSHIPPED;
	if (d->action.hold == HOLD_KEEP)
		return DEED_KEPT;
	if (d->canary.suspended)
		return DEED_LEFT;
	if (d->verdict == VERDICT_NONE || d->verdict == VERDICT_DELETING)
		return DEED_NOTHING;
	if (d->action.hashes != HASHES_LEAVE && d->verdict != VERDICT_BUSY)
		return DEED_NOTHING; /* they are written already */
	return waits ? DEED_RUNS : d->verdict == VERDICT_BUSY ? DEED_CONTINUES : DEED_LEFT;
}

/* Has somebody to look at it? */
static const char *why_open(struct live_run *r, const struct decision *d, enum deed deed, const char *text)
{
	bool unsure = d->verdict == VERDICT_UNKNOWN || d->verdict == VERDICT_UNPROVED ||
		      (deed == DEED_ENDED && d->action.withheld);
	bool unasked = d->action.alert && !r->s->roll; /* past its time */

	if (deed > DEED_GONE)
		return text;
	if (deed == DEED_GONE || !unsure || (deed == DEED_ENDED && !unasked))
		return NULL;
	r->tally.explain = true;
	return verdict_name(d->verdict);
}

void live_refuse(struct live_run *r, const struct flagger *f)
{
	if (r->refusal.kind == ERR_NONE)
		error_set(&r->refusal, ERR_REFUSED, "the running Flagger isn't known: %s",
			  f->problem ? f->problem : "pass --flagger");
}

/* What an unknown release kept back is refused, once the rest is done. */
static void note_release(struct live_run *r, const struct decision *d, const struct flagger *f, enum deed deed)
{
	if (!flagger_known(f) && (deed == DEED_KEPT || (deed == DEED_LEFT && d->verdict == VERDICT_UNKNOWN)))
		live_refuse(r, f);
}

void live_tell(struct live_run *r, const struct outcome_item *item, const char *why)
{
	REPORT(&r->report, outcome_item, item);
	tally_add(&r->tally, item->deed, item->namespace, item->name, why);
}

/* A hold, or a suspension, that isn't this flow's to end is told beside all else. */
static const char *with_holder(const struct decision *d, const char *text)
{
	const char *others = "; suspended by others, left so", *told = strstr(text, others);

	if (d->action.hold != HOLD_LEAVE || !d->canary.suspended)
		return text;
	if (d->canary.held)
		return arena_printf("%.*s; held for %s, left so", (int)(told ? told - text : (long)strlen(text)), text,
				    d->canary.held_for);
	return strstr(text, others + 2) ? text : arena_printf("%s%s", text, others);
}

/* What was done or, where that is nothing, why, unless an alert says that; then what the table says of it. */
static const char *text_of(const struct decision *d, const struct outcome *o, enum deed deed)
{
	static const char report[] = "report"; /* what the table says where there is nothing to do but that */
	bool waits = deed == DEED_RUNS || deed == DEED_CONTINUES || deed == DEED_KEPT;

	if (o->kind != OUTCOME_NOTHING && o->kind != OUTCOME_DONE)
		return o->text;
	if (o->kind == OUTCOME_DONE || d->action.hashes != HASHES_LEAVE)
		return with_holder(d, o->text);
	if (waits && !d->action.alert && *d->reason)
		return d->reason;
	if (strncmp(d->action.text, report, strlen(report)) == 0)
		return arena_printf("%s%s", d->reason, d->action.text + strlen(report));
	return with_holder(d, d->action.text);
}

static void alert(struct live_run *r, const struct decision *d)
{
	struct notes one = {0};

	note_add(&one, "%s: %s", verdict_name(d->verdict), d->reason);
	talk_some(&r->alerts, &one, arena_printf("%s/%s", d->canary.namespace, d->canary.name));
}

static int told(struct pass *p, const struct decision *d, const struct flagger *f, const struct outcome *o,
		struct error *err)
{
	struct live_run *r = p->r;
	enum deed deed = live_deed(d, o);
	const char *text = text_of(d, o, deed);
	struct outcome_item item = {d->canary.namespace, d->canary.name, d, deed, text};

	note_release(r, d, f, item.deed);
	live_tell(r, &item, why_open(r, d, item.deed, text));
	if (d->action.alert)
		alert(r, d);
	termination_so_far("%zu of %zu canaries are done", r->tally.canaries, p->canaries);
	return r->after ? r->after(r->arg, d, o, err) : 0;
}

static int on_canary(void *arg, const struct subject *subject, const struct decision *decision,
		     const struct flagger *flagger, struct error *err);

static int walk(struct pass *p, const struct settings *s, struct error *err)
{
	struct fleet_walk w = {
		.s = s, .in = &p->in, .flow = p->r->flow, .quiet = p->tries > 0, .live_only = true,
		.canary = on_canary, .arg = p,
	};

	return fleet_walk(&w, err);
}

/* Reads this one anew and decides again. */
static int again(struct pass *p, const struct decision *d, struct error *err)
{
	struct settings one = *p->r->s;
	struct pass next = {.r = p->r, .canaries = p->canaries, .tries = p->tries + 1};
	struct cluster_scope scope = {.namespace = d->canary.namespace, .names = &one.operands, .for_writing = true};
	struct outcome gone = {.kind = OUTCOME_GONE, .text = "deleted meanwhile"};
	int result;

	one.operands = (struct strings){0};
	one.selector = NULL;
	strings_add(&one.operands, arena_printf("%s/%s", d->canary.namespace, d->canary.name));
	if (live_read(&next.in, p->r, &scope, err) != 0)
		return -1;
	result = next.in.dump.canaries.count ? walk(&next, &one, err)
					     : told(p, d, &next.in.runnings.none.flagger, &gone, err);
	dump_close(&next.in.dump);
	return result;
}

/*
 * Guard notes whom it makes way for before it looks at any canary. So what was written for the one before is
 * seen by guard, unless the note is there by now: then it may have been past this canary.
 */
static int overtaken(bool *is, const struct pass *p, const struct decision *d, const struct outcome *o,
		     const struct flagger *f, struct error *err)
{
	const struct live_run *r = p->r;
	bool wrote = o->hashes || o->shipped || d->action.hashes != HASHES_LEAVE;

	*is = false;
	if (f->evidence != EVIDENCE_CONFIGMAP || !wrote || r->actor.dry != DRY_NONE || p->tries >= MAX_TRIES)
		return 0;
	return guard_record_overtook(is, f, r->live, r->guard_namespace, err);
}

/* A stale ship goes whatever else the verb leaves alone: it would let the next change through unanalysed. */
static int unship(struct pass *p, const struct actor *a, const struct decision *d, struct error *err)
{
	struct outcome_item item = {.namespace = d->canary.namespace, .name = d->canary.name, .decision = d};
	struct outcome o;

	if (act_unship(&o, a, &d->canary, d->ship.stale, err) != 0)
		return -1;
	if (o.kind == OUTCOME_MOVED && p->tries < MAX_TRIES)
		return again(p, d, err);
	live_via_expect(p->r, &d->canary, &o);
	item.deed = live_deed(d, &o);
	item.text = o.text;
	live_tell(p->r, &item, item.deed > DEED_GONE ? o.text : NULL);
	return 0;
}

static int on_canary(void *arg, const struct subject *subject, const struct decision *decision,
		     const struct flagger *flagger, struct error *err)
{
	struct pass *p = arg;
	struct live_run *r = p->r;
	struct decision d = *decision;
	struct outcome o = {.kind = OUTCOME_NOTHING};
	struct actor actor;
	bool skip = false, late;
	int result;

	r->subject = subject;
	r->flagger = flagger;
	if (r->before && r->before(r->arg, &d, &skip, err) != 0)
		return -1;
	actor = r->actor;
	actor.api = r->live->api;
	actor.flow = r->flow;
	actor.flagger = flagger;
	if (skip)
		return d.ship.stale ? unship(p, &actor, &d, err) : 0;
	if (act_on(&o, &actor, &d, subject, err) != 0)
		return -1;
	if (o.kind == OUTCOME_MOVED && p->tries < MAX_TRIES)
		return again(p, &d, err);
	if (overtaken(&late, p, &d, &o, flagger, err) != 0)
		return -1;
	if (!late) {
		live_via_expect(r, &d.canary, &o);
		return told(p, &d, flagger, &o, err);
	}
	talk_canary_info(d.canary.namespace, d.canary.name,
			 arena_printf("%s; guard has begun with another Flagger meanwhile, decided again", o.text));
	r->overtaken = true;
	result = again(p, &d, err);
	r->overtaken = false;
	return result;
}

int live_begin(struct live_run *r, struct error *err)
{
	if (report_open(&r->report, r->s->output, err) != 0)
		return -1;
	r->report.verbose = r->s->verbose;
	r->report.cluster = r->live->access.cluster;
	r->report.server = api_server(r->live->api);
	r->tally = (struct tally){.verb = r->verb ? r->verb : flow_name(r->flow), .about = r->about};
	if (r->actor.dry != DRY_NONE)
		r->tally.verb = arena_printf("%s (dry run)", r->tally.verb);
	r->alerts = (struct talk_some){.all = r->s->verbose};
	r->begun = false;
	r->refusal = r->unapplied = (struct error){0};
	return 0;
}

void live_head(struct live_run *r, const struct inputs *in)
{
	struct running running = inputs_running(in, r->s->namespace);
	struct outcome_head head = {
		.flow = r->verb ? r->verb : flow_name(r->flow), .flagger = &running.flagger,
		.namespace_width = in->dump.namespace_width, .name_width = in->dump.name_width,
	};

	if (!r->begun)
		REPORT(&r->report, outcome_begin, &head);
	r->begun = true;
}

int live_pass(struct live_run *r, struct error *err)
{
	struct cluster_scope scope = live_scope(r->live, r->s);
	struct arena_mark mark = arena_mark();
	struct pass p = {.r = r};
	bool first = !r->begun;
	int result;

	scope.for_writing = true;
	scope.release_known = r->running;
	if (live_read(&p.in, r, &scope, err) != 0)
		return -1;
	if (first)
		inputs_talk(&p.in, r->s);
	result = fleet_named(r->s, &p.in, err) || fleet_count(&p.canaries, r->s, &p.in, err) ? -1 : 0;
	if (result == 0 && first && (r->flow == FLOW_RECONCILE || r->flow == FLOW_RESUME))
		result = live_confirm(r->s, r->live, p.canaries, r->verb ? r->verb : flow_name(r->flow), err);
	if (result == 0) {
		live_head(r, &p.in);
		live_via_begin(r, &p.in, p.canaries);
		result = (r->opened && r->opened(r->arg, &p.in, err) != 0) || walk(&p, r->s, err) != 0 ||
			 live_via_wait(r, err) != 0 ? -1 : 0;
	}
	dump_close(&p.in.dump);
	arena_rewind(mark);
	return result;
}

int live_end(struct live_run *r, bool failed, struct error *err)
{
	bool open = tally_open(&r->tally) > 0 || r->refusal.kind != ERR_NONE || r->unapplied.kind != ERR_NONE;
	const char *sentence = tally_sentence(&r->tally);
	struct error unwritten;

	if (!r->begun)
		return failed ? -1 : 0;
	REPORT(&r->report, outcome_end, &r->tally);
	talk_rest(&r->alerts);
	if (failed && r->tally.canaries == 0)
		return -1;
	if (open || failed)
		talk_warning("%s", sentence);
	else
		talk_done("%s", sentence);
	termination_tell(sentence, tally_facts(&r->tally));
	if (failed) {
		report_close(&r->report, &unwritten);
		return -1;
	}
	if (report_close(&r->report, err) != 0)
		return -1;
	if (r->refusal.kind != ERR_NONE || r->unapplied.kind != ERR_NONE) {
		*err = r->refusal.kind != ERR_NONE ? r->refusal : r->unapplied;
		return -1;
	}
	return open ? error_exit_code(ERR_PARTIAL) : 0;
}

int live_run(struct live_run *r, struct error *err)
{
	if (live_begin(r, err) != 0)
		return -1;
	return live_end(r, live_pass(r, err) != 0, err);
}
