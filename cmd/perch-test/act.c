/* SPDX-License-Identifier: Apache-2.0 */
#include "act/act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/answer.h"
#include "act/steps.h"
#include "base/arena.h"
#include "perch-test/command.h"
#include "perch-test/fixture.h"
#include "value/json.h"

static const char *const outcomes[] = {
	[OUTCOME_NOTHING] = "nothing", [OUTCOME_DONE] = "done",   [OUTCOME_MOVED] = "moved",
	[OUTCOME_GONE] = "gone",       [OUTCOME_OWNED] = "owned", [OUTCOME_REFUSED] = "refused",
	[OUTCOME_LOST] = "lost",
};

/* What the command line asks for: of a flow, or instead of what it decides. */
static struct asked {
	bool show, accept, nudge, set, end, unship;
	const char *value; /* held-for, or a fingerprint */
	struct actor actor;
} asked;

static struct hold_terms terms = {
	.held_for = "upgrade", .by = "perch guard (flagger-7c9d4-x2x)", .at = "2026-11-30T16:00:00Z",
	.until = "2026-11-30T18:00:00Z",
};

static void print_write(const struct write *w, bool first)
{
	const char *body = fixture_json(w->body);

	printf("  %s %s\n", w->would, w->what);
	printf("    PATCH %s\n    %s\n    %s\n", write_path(w, false), w->content_type, body);
	if (!first)
		printf("    with the resourceVersion of the answer before\n");
	for (size_t i = 0; i < w->n_musts; i++)
		printf("    then %s: %s\n", w->musts[i].pointer, fixture_json(w->musts[i].value));
}

static void show_writes(const struct decision *d, const struct subject *s)
{
	struct job job = {&asked.actor, d, s, d->canary};
	bool first = true;

	for (const struct step *step = steps; step->make; step++) {
		const char *why = NULL;
		struct write w;
		enum making making = step->make(&w, &job, &why);

		if (making == MAKING_WRITE)
			print_write(&w, first);
		else if (why)
			printf("  %s: %s\n", making == MAKING_REFUSED ? "refused" : "nothing", why);
		first = first && making != MAKING_WRITE;
		if (making == MAKING_REFUSED)
			return;
	}
}

static int act(struct outcome *out, const struct decision *d, const struct subject *s, struct error *err)
{
	if (asked.accept)
		return act_accept(out, &asked.actor, &d->canary, asked.value, err);
	if (asked.unship)
		return act_unship(out, &asked.actor, &d->canary, d->ship.stale ? d->ship.stale : "as asked", err);
	return asked.nudge ? act_nudge(out, &asked.actor, &d->canary, err)
			   : act_on(out, &asked.actor, d, s, err);
}

static void send_writes(const struct decision *d, const struct subject *s)
{
	struct outcome o;
	struct error err = {ERR_NONE, ""};

	if (act(&o, d, s, &err) != 0)
		printf("  error (exit %d): %s\n", error_exit_code(err.kind), err.text);
	else
		printf("  %s:%s%s%s%s%s %s\n", outcomes[o.kind], o.unshipped ? " [unshipped]" : "",
		       o.hashes ? " [hashes]" : "", o.held ? " [held]" : "", o.shipped ? " [shipped]" : "",
		       o.ended ? " [ended]" : "", o.text);
}

/* The ReplicaSets and ControllerRevisions of the target. */
static void find_history(struct subject *s, const struct fixture *f)
{
	const char *uid = tree_string(tree_path(s->target.object, "metadata", "uid", NULL));

	s->history = NEW_ARRAY(const struct tree *, f->count);
	for (size_t i = 0; uid && i < f->count; i++) {
		const struct tree *owner = tree_at(tree_path(f->objects[i], "metadata", "ownerReferences", NULL), 0);
		enum object_kind kind = object_kind(f->objects[i]);

		if ((kind == KIND_REPLICASET || kind == KIND_CONTROLLERREVISION) &&
		    strcmp(tree_string_or(tree_get(owner, "uid"), ""), uid) == 0)
			s->history[s->history_count++] = f->objects[i];
	}
}

static void show(const struct fixture *f, const struct canary *c, const struct subject *subject)
{
	struct subject whole = *subject, *s = &whole;
	struct flagger flagger = f->flagger;
	struct question q = {.flagger = &flagger, .policy = f->policy, .server_minor = 36, .flow = asked.actor.flow};
	struct decision d;
	struct error err;

	find_history(s, f);
	if (flagger.k8s)
		flagger.evidence = EVIDENCE_FLAG;
	asked.actor.flagger = &flagger;
	if (decide(&d, s, &q, &err) != 0) {
		printf("%s: %s\n", c->name, err.text);
		return;
	}
	if (asked.set || asked.end)
		d.action = (struct action){.hold = asked.set ? HOLD_SET : HOLD_END, .text = ""};
	printf("%s: %s%s%s\n", c->name, verdict_name(d.verdict), d.action.text && *d.action.text ? ", " : "",
	       d.action.text ? d.action.text : "");
	if (asked.show && (asked.accept || asked.nudge || asked.unship))
		BUG("only the writes of an action are shown");
	if (asked.show)
		show_writes(&d, s);
	else
		send_writes(&d, s);
}

static int answer(const char *code, const char *path)
{
	static const char cart[] = "{\"metadata\":{\"namespace\":\"shop\",\"name\":\"cart\"}}";
	struct write w = {.would = "hold", .n_musts = 1};
	struct api_call call = {.message = "", .reason = ""};
	struct outcome o = {.text = ""};
	struct error err = {ERR_NONE, ""};
	size_t len;
	const char *text = test_read(path, &len);

	call.http.status = (int)strtol(code, NULL, 10);
	call.object = call.status = json_parse(text, len, path, &err);
	call.message = tree_string_or(tree_get(call.status, "message"), "");
	w.musts[0] = (struct must){"/spec/suspend", tree_new_bool(true)};
	w.body = json_parse(cart, strlen(cart), "body", &err);
	error_set(&err, call.http.status == 403 ? ERR_FORBIDDEN : ERR_UNREACHABLE, "as api.h says it");
	if (answer_read(&o, &w, &call, &err) != 0)
		printf("error (exit %d): %s\n", error_exit_code(err.kind), err.text);
	else
		printf("%s: %s\n", outcomes[o.kind], o.text);
	return 0;
}

/* FLOW, or FLOW:ASK, or FLOW:ASK=VALUE. */
static int read_asked(char *word)
{
	char *ask = strchr(word, ':'), *value;

	if (ask)
		*ask++ = '\0';
	asked.actor.flow = flow_parse(word);
	value = ask ? strchr(ask, '=') : NULL;
	if (value)
		*value++ = '\0';
	asked.value = value;
	if (!ask)
		return 0;
	asked.set = strcmp(ask, "set") == 0;
	asked.actor.take_over = strcmp(ask, "take-over") == 0;
	asked.end = asked.actor.take_over || strcmp(ask, "end") == 0;
	asked.accept = strcmp(ask, "accept") == 0;
	asked.nudge = strcmp(ask, "nudge") == 0;
	asked.unship = strcmp(ask, "unship") == 0;
	asked.actor.ship_or_run = strcmp(ask, "ship-or-run") == 0;
	if (asked.set && value)
		terms.held_for = value;
	return asked.set || asked.end || asked.accept || asked.nudge || asked.unship || asked.actor.ship_or_run ? 0 : -1;
}

static void trace(void *arg, const char *line)
{
	(void)arg;
	fprintf(stderr, "%s\n", line);
}

/* The lab's API server, as the one who may do anything there, or as $LAB_AS. */
static int connect_lab(struct error *err)
{
	struct api_options o = {
		.http = {.origin = getenv("LAB_SERVER"), .ca = {.file = getenv("LAB_CA")},
			 .certificate = {.file = getenv("LAB_CERT")}, .key = {.file = getenv("LAB_KEY")},
			 .request_ms = 30000},
		.as = getenv("LAB_AS"), .retries = 1,
	};

	if (!o.http.origin)
		return error_set(err, ERR_USAGE, "LAB_SERVER isn't set");
	return api_open(&asked.actor.api, &o, err);
}

static bool read_mode(const char *mode)
{
	asked.show = strcmp(mode, "show") == 0;
	if (strcmp(mode, "client") == 0)
		asked.actor.dry = DRY_CLIENT;
	else if (strcmp(mode, "server") == 0)
		asked.actor.dry = DRY_SERVER;
	else if (strcmp(mode, "send") != 0)
		return asked.show;
	asked.actor.events = strcmp(mode, "send") == 0;
	return true;
}

int test_act(int argc, char **argv)
{
	struct error err;
	int code;

	if (argc == 4 && strcmp(argv[1], "answer") == 0)
		return answer(argv[2], argv[3]);
	if (argc < 4 || !read_mode(argv[1]) || read_asked(argv[2]) != 0) {
		fputs("usage: perch-test act show|client|server|send "
		      "FLOW[:set|:end|:take-over|:accept=F|:nudge|:unship|:ship-or-run] [options] FILE [NAME…]\n", stderr);
		return 2;
	}
	asked.actor.terms = &terms;
	asked.actor.trace = trace;
	if (!asked.show && asked.actor.dry != DRY_CLIENT && connect_lab(&err) != 0)
		return test_fail(&err);
	code = fixture_run(argc - 2, argv + 2, show);
	api_close(asked.actor.api);
	return code;
}
