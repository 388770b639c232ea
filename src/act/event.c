/* SPDX-License-Identifier: Apache-2.0 */
#include "act/event.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "io/clock.h"

#define NOTE_MAX 1000
#define HOST_MAX 128

static const struct api_kind events = {"events.k8s.io", "v1", "events"};

/* What an outcome is called, the most telling first. */
static const struct telling {
	const char *reason, *action, *type;
} tellings[] = {
	{"PerchRefused", "Refuse", "Warning"},
	{"PerchHeld", "Hold", "Normal"},
	{"PerchShipped", "Ship", "Normal"},
	{"PerchAdopted", "Adopt", "Normal"},
	{"PerchEnded", "End", "Normal"},
	{"PerchUnshipped", "Unship", "Normal"},
};

/* Of what was written, whatever came after. */
static const struct telling *telling_of_done(const struct outcome *o)
{
	return o->held ? &tellings[1] : o->shipped ? &tellings[2] : o->hashes ? &tellings[3]
	       : o->ended ? &tellings[4] : o->unshipped ? &tellings[5] : NULL;
}

static const struct telling *telling_of(const struct outcome *o)
{
	switch (o->kind) {
	case OUTCOME_OWNED:
	case OUTCOME_REFUSED:
	case OUTCOME_LOST:
		return &tellings[0];
	case OUTCOME_DONE:
	case OUTCOME_MOVED: /* before a later write */
		return telling_of_done(o);
	case OUTCOME_NOTHING:
	case OUTCOME_GONE:
		break;
	}
	return NULL;
}

static const char *host(void)
{
	char name[HOST_MAX + 1] = "";

	if (gethostname(name, sizeof(name) - 1) != 0 || !*name)
		return "unknown";
	return arena_strdup(name);
}

static void put(struct tree *map, const char *key, const char *value)
{
	tree_put(map, key, tree_new_string(value));
}

static struct tree *regarding(const struct canary *c)
{
	struct tree *map = tree_new_map();

	put(map, "apiVersion", "flagger.app/v1beta1");
	put(map, "kind", "Canary");
	put(map, "namespace", c->namespace);
	put(map, "name", c->name);
	put(map, "uid", tree_string_or(tree_path(c->object, "metadata", "uid", NULL), ""));
	return map;
}

/* MicroTime wants its six digits; the seconds are enough for people. */
static const char *event_time(void)
{
	const char *text = clock_text(clock_now());

	return arena_printf("%.*s.000000Z", (int)strcspn(text, "Z"), text);
}

static const char *note_of(const struct outcome *o, const char *why)
{
	const char *text = arena_printf("%s%s%s", o->text, *why ? ": " : "", why);

	return arena_strndup(text, utf8_cut(text, strlen(text), NOTE_MAX));
}

/* NULL where the outcome is none that is told. */
static const struct tree *event_of(const struct outcome *o, const struct canary *c, const char *why)
{
	const struct telling *telling = telling_of(o);
	struct tree *event = tree_new_map(), *metadata = tree_new_map();

	if (!telling)
		return NULL;
	put(event, "apiVersion", "events.k8s.io/v1");
	put(event, "kind", "Event");
	put(metadata, "generateName", arena_printf("%.200s-", c->name));
	put(metadata, "namespace", c->namespace);
	tree_put(event, "metadata", metadata);
	put(event, "eventTime", event_time());
	put(event, "reportingController", FIELD_MANAGER);
	put(event, "reportingInstance", host());
	put(event, "action", telling->action);
	put(event, "reason", telling->reason);
	put(event, "type", telling->type);
	tree_put(event, "regarding", regarding(c));
	put(event, "note", note_of(o, why));
	return event;
}

static void trace(const struct actor *a, const char *line)
{
	if (a->trace)
		a->trace(a->arg, line);
}

void event_send(const struct actor *a, const struct outcome *o, const struct canary *c, const char *why)
{
	const struct tree *event = a->events && a->dry == DRY_NONE ? event_of(o, c, why) : NULL;
	struct api_call call = {.optional = true};
	struct error err = {ERR_NONE, ""};
	struct buffer body = {0};

	if (!event)
		return;
	tree_print(&body, event, 0);
	call.http.method = "POST";
	call.http.path = api_path(&events, c->namespace, NULL);
	call.http.content_type = "application/json";
	call.http.body = buffer_text(&body);
	call.http.body_len = body.len;
	if (api_call(a->api, &call, &err) != 0)
		trace(a, arena_printf("no Event on '%s/%s': %s", c->namespace, c->name, err.text));
	else if (call.http.status / 100 != 2)
		trace(a, arena_printf("no Event on '%s/%s': %s", c->namespace, c->name, call.message));
}
