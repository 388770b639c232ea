/* SPDX-License-Identifier: Apache-2.0 */
#include "act/hold.h"
#include "base/arena.h"
#include "io/clock.h"
#include "perch/live.h"
#include "perch/verb.h"
#include "report/talk.h"

const struct option status_options[] = {
	VIA_OPTION,
	SCOPE_OPTIONS,
	LIVE_OPTIONS,
	CLUSTER_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char status_about[] =
	"What each canary is doing, and which are held: for what, since when, until when, why; and which are\n"
	"shipped, promoted without analysis. A hold past its time is marked; `perch resume --expired` decides it\n"
	"again. Writes nothing, reads canaries only.\n"
	"\n"
	"examples:\n"
	"  perch status -A\n"
	"  perch status -n shop -o json\n"
	"  perch status -A -o name | wc -l\n"
	"\n"
	"exit codes: 0 told, 2 usage, 3 API unreachable, 4 forbidden, 6 timeout\n";

struct run {
	struct report report;
	struct status_summary summary;
	int64_t now;
};

static const char *suspended_by(const struct canary *c)
{
	return !c->suspended ? NULL : c->held ? c->held_for : "others";
}

/* To the minute; after two days to the hour, after eight to the day, as kubectl has ages. */
static const char *age_text(int64_t seconds)
{
	int64_t hours = seconds / 3600;

	if (hours < 48)
		return clock_duration_text(seconds / 60 * 60);
	if (hours >= 8 * 24 || hours % 24 == 0)
		return arena_printf("%lldd", (long long)hours / 24);
	return arena_printf("%lldd%lldh", (long long)hours / 24, (long long)hours % 24);
}

static const char *since(const struct run *r, const struct canary *c)
{
	int64_t at;

	if (!c->held || !clock_read(&at, c->held_at))
		return "";
	return age_text(r->now > at ? r->now - at : 0);
}

static void tell(struct run *r, const struct canary *c)
{
	struct status_item item = {
		.canary = c, .suspended_by = suspended_by(c), .since = since(r, c), .expired = live_expired(c, r->now),
		.leftovers = hold_leftovers(c), .others = c->suspended && !c->held ? hold_others(c->object) : "",
	};

	r->summary.canaries++;
	r->summary.held += c->held;
	r->summary.shipped += c->shipped;
	r->summary.by_others += c->suspended && !c->held;
	r->summary.expired += item.expired;
	REPORT(&r->report, status_item, &item);
}

static int tell_all(struct run *r, const struct settings *s, const struct inputs *in, struct error *err)
{
	for (size_t i = 0; i < in->dump.canaries.count; i++) {
		struct arena_mark mark = arena_mark();
		const struct tree *object = dump_fetch(&in->dump, index_at(&in->dump.canaries, i), err);
		struct identity id = object_identity(object, "default");
		struct canary c;
		struct error bad;

		if (!object)
			return -1;
		if (inputs_wanted(s, &id) && selector_picks(in->selector, object)) {
			if (canary_read(&c, object, &bad) != 0)
				talk_canary_warning(id.namespace, id.name, bad.text);
			tell(r, &c);
		}
		arena_rewind(mark);
	}
	return 0;
}

static int run(const struct settings *s, struct inputs *in, struct error *err)
{
	struct run r = {.now = clock_now()};
	struct status_head head = {in->dump.namespace_width, in->dump.name_width};

	if (report_open(&r.report, s->output, err) != 0 || fleet_named(s, in, err) != 0)
		return -1;
	inputs_label(in, &r.report);
	inputs_talk(in, s);
	REPORT(&r.report, status_begin, &head);
	if (tell_all(&r, s, in, err) != 0)
		return -1;
	REPORT(&r.report, status_end, &r.summary);
	return report_close(&r.report, err);
}

static int run_live(const struct settings *s, struct error *err)
{
	struct live live;
	struct live_run reader = {.s = s, .live = &live};
	struct cluster_scope scope;
	struct inputs in;
	int result;

	if (live_connect(&live, s, err) != 0)
		return -1;
	scope = live_scope(&live, s);
	scope.canaries_only = scope.release_known = true; /* none is asked for */
	result = live_read(&in, &reader, &scope, err);
	if (result == 0) {
		result = run(s, &in, err);
		dump_close(&in.dump);
	}
	live_close(&live);
	return result;
}

int verb_status(const struct settings *s, struct error *err)
{
	struct inputs in;
	int result;

	if (inputs_refuse_contradictions(s, err) != 0)
		return -1;
	if (!s->live.count)
		return run_live(s, err);
	if (inputs_load(&in, s, err) != 0)
		return -1;
	result = run(s, &in, err);
	inputs_close(&in);
	return result;
}
