/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/canary.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "flagger/canary_via.h"

static const char *const phase_names[] = {
	[PHASE_NONE] = "",
	[PHASE_INITIALIZING] = "Initializing",
	[PHASE_INITIALIZED] = "Initialized",
	[PHASE_WAITING] = "Waiting",
	[PHASE_PROGRESSING] = "Progressing",
	[PHASE_WAITING_PROMOTION] = "WaitingPromotion",
	[PHASE_PROMOTING] = "Promoting",
	[PHASE_FINALISING] = "Finalising",
	[PHASE_SUCCEEDED] = "Succeeded",
	[PHASE_FAILED] = "Failed",
	[PHASE_TERMINATING] = "Terminating",
	[PHASE_TERMINATED] = "Terminated",
};

#define PHASES (sizeof(phase_names) / sizeof(*phase_names))

enum want { WANT_STRING, WANT_BOOL, WANT_INTEGER, WANT_STRINGS, WANT_MAP, WANT_LIST };

static const char *const want_names[] = {
	[WANT_STRING] = "string", [WANT_BOOL] = "boolean", [WANT_INTEGER] = "integer",
	[WANT_STRINGS] = "map", [WANT_MAP] = "map", [WANT_LIST] = "list",
};

#define NOT_KEPT ((size_t)-1) /* only its type matters: Flagger can't decode the object without it */
#define TO(member) offsetof(struct canary, member)

static const struct field {
	const char *path[4];
	enum want want;
	size_t offset;
} fields[] = {
	{{"metadata", "deletionTimestamp"}, WANT_STRING, NOT_KEPT},
	{{"metadata", "labels"}, WANT_STRINGS, NOT_KEPT},
	{{"metadata", "annotations"}, WANT_STRINGS, NOT_KEPT},
	{{"metadata", "annotations", "perch.dev/held-for"}, WANT_STRING, TO(held_for)},
	{{"metadata", "annotations", "perch.dev/held-by"}, WANT_STRING, TO(held_by)},
	{{"metadata", "annotations", "perch.dev/held-at"}, WANT_STRING, TO(held_at)},
	{{"metadata", "annotations", "perch.dev/held-until"}, WANT_STRING, TO(held_until)},
	{{"metadata", "annotations", "perch.dev/held-reason"}, WANT_STRING, TO(held_reason)},
	{{"metadata", "annotations", "perch.dev/accepted"}, WANT_STRING, TO(accepted)},
	{{"metadata", "annotations", "perch.dev/ship"}, WANT_STRING, TO(ship)},
	{{"spec"}, WANT_MAP, NOT_KEPT},
	{{"spec", "suspend"}, WANT_BOOL, TO(suspended)},
	{{"spec", "skipAnalysis"}, WANT_BOOL, TO(skip_analysis)},
	{{"spec", "revertOnDeletion"}, WANT_BOOL, NOT_KEPT},
	{{"spec", "progressDeadlineSeconds"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "targetRef", "apiVersion"}, WANT_STRING, NOT_KEPT},
	{{"spec", "targetRef", "kind"}, WANT_STRING, NOT_KEPT},
	{{"spec", "targetRef", "name"}, WANT_STRING, TO(target_name)},
	{{"spec", "service", "port"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "interval"}, WANT_STRING, NOT_KEPT},
	{{"spec", "analysis", "threshold"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "iterations"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "maxWeight"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "stepWeight"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "stepWeightPromotion"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "mirrorWeight"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "primaryReadyThreshold"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "canaryReadyThreshold"}, WANT_INTEGER, NOT_KEPT},
	{{"spec", "analysis", "webhooks"}, WANT_LIST, NOT_KEPT},
	{{"status"}, WANT_MAP, NOT_KEPT},
	{{"status", "phase"}, WANT_STRING, NOT_KEPT},
	{{"status", "conditions"}, WANT_LIST, NOT_KEPT},
	{{"status", "canaryWeight"}, WANT_INTEGER, TO(weight)},
	{{"status", "iterations"}, WANT_INTEGER, TO(iterations)},
	{{"status", "failedChecks"}, WANT_INTEGER, TO(failed_checks)},
	{{"status", "lastAppliedSpec"}, WANT_STRING, TO(applied)},
	{{"status", "lastPromotedSpec"}, WANT_STRING, TO(promoted)},
	{{"status", "lastTrackedRevision"}, WANT_STRING, TO(tracked_revision)},
	{{"status", "trackedConfigs"}, WANT_STRINGS, TO(tracked)},
};

const char *phase_name(enum phase phase)
{
	return phase < PHASES ? phase_names[phase] : "unknown";
}

bool phase_settled(enum phase phase)
{
	return phase == PHASE_INITIALIZED || phase == PHASE_SUCCEEDED;
}

bool phase_in_flight(enum phase phase)
{
	switch (phase) {
	case PHASE_INITIALIZING:
	case PHASE_WAITING:
	case PHASE_PROGRESSING:
	case PHASE_WAITING_PROMOTION:
	case PHASE_PROMOTING:
	case PHASE_FINALISING:
		return true;
	default:
		return false;
	}
}

static enum phase phase_parse(const char *text)
{
	for (size_t i = 0; i < PHASES; i++)
		if (strcmp(text, phase_names[i]) == 0)
			return (enum phase)i;
	return PHASE_UNKNOWN;
}

static const struct tree *first_other_than_string(const struct tree *map)
{
	tree_each(value, map)
		if (tree_kind(value) != TREE_STRING)
			return value;
	return NULL;
}

static int wrong_type(const struct field *f, size_t depth, enum want want, const struct tree *got,
		      struct error *err)
{
	const struct tree *entry = want == WANT_STRINGS ? first_other_than_string(got) : NULL;
	struct buffer path = {0};

	for (size_t i = 0; i <= depth; i++)
		buffer_printf(&path, "%s%s", i ? "." : "", f->path[i]);
	if (tree_kind(got) == TREE_MAP && entry) {
		buffer_printf(&path, "[%s]", tree_key(entry));
		want = WANT_STRING;
		got = entry;
	}
	return error_set(err, ERR_INPUT, "expected %s, got %s: '%s'", want_names[want],
			 tree_kind_name(tree_kind(got)), buffer_text(&path));
}

/* Puts the value where it belongs; false where it is of another type. */
static bool take(struct canary *out, const struct field *f, const struct tree *value)
{
	bool keep = f->offset != NOT_KEPT;
	char *place = keep ? (char *)out + f->offset : NULL;
	enum tree_kind kind = tree_kind(value);
	int64_t n;
	bool is;

	switch (f->want) {
	case WANT_STRING:
		if (kind == TREE_STRING && keep)
			*(const char **)place = tree_string(value);
		return kind == TREE_STRING;
	case WANT_BOOL:
		is = tree_true(value);
		if (kind != TREE_BOOL && !canary_variable(&is, tree_string_or(value, "")))
			return false;
		if (keep)
			*(bool *)place = is;
		return true;
	case WANT_INTEGER:
		if (!tree_int64(value, &n))
			return false;
		if (keep)
			*(int64_t *)place = n;
		return true;
	case WANT_STRINGS:
		if (kind != TREE_MAP || first_other_than_string(value))
			return false;
		if (keep)
			*(const struct tree **)place = value;
		return true;
	case WANT_MAP:
		return kind == TREE_MAP;
	case WANT_LIST:
		return kind == TREE_LIST;
	}
	return false;
}

static int read_field(struct canary *out, const struct field *f, struct error *err)
{
	const struct tree *at = out->object;
	size_t depth = 0;

	for (;; depth++) {
		at = tree_get(at, f->path[depth]);
		if (!at || tree_kind(at) == TREE_NULL)
			return 0;
		if (!f->path[depth + 1])
			break;
		if (tree_kind(at) != TREE_MAP)
			return wrong_type(f, depth, WANT_MAP, at, err);
	}
	return take(out, f, at) ? 0 : wrong_type(f, depth, f->want, at, err);
}

static enum object_kind target_kind(const struct tree *ref)
{
	static const char knative[] = "serving.knative.dev/";
	const char *kind = tree_string_or(tree_get(ref, "kind"), "");
	const char *version = tree_string_or(tree_get(ref, "apiVersion"), "");

	if (strcmp(kind, "DaemonSet") == 0)
		return KIND_DAEMONSET;
	if (strcmp(kind, "Service") == 0)
		return strncmp(version, knative, sizeof(knative) - 1) == 0 ? KIND_KNATIVE : KIND_SERVICE;
	return KIND_DEPLOYMENT;
}

/* Since when the phase is what it is: the condition is replaced with each change of phase. */
static const char *promoted_since(const struct tree *conditions)
{
	tree_each(condition, conditions) {
		const char *updated = tree_string(tree_get(condition, "lastUpdateTime"));

		if (strcmp(tree_string_or(tree_get(condition, "type"), ""), "Promoted") == 0)
			return updated ? updated
				       : tree_string_or(tree_get(condition, "lastTransitionTime"), "");
	}
	return "";
}

static bool has_webhook(const struct tree *analysis, const char *type)
{
	tree_each(hook, tree_get(analysis, "webhooks"))
		if (strcmp(tree_string_or(tree_get(hook, "type"), ""), type) == 0)
			return true;
	return false;
}

/* The gates, in the order in which Flagger comes to them, that are set. */
static const char *gates_of(const struct tree *analysis)
{
	static const char *const types[] = {"confirm-rollout", "confirm-traffic-increase", "confirm-promotion"};
	struct buffer text = {0};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (has_webhook(analysis, types[i]))
			buffer_printf(&text, "%s%s", text.len ? ", " : "", types[i]);
	return buffer_text(&text);
}

static bool perch_owns(const struct tree *object, const char *field)
{
	tree_each(entry, tree_path(object, "metadata", "managedFields", NULL)) {
		if (strcmp(tree_string_or(tree_get(entry, "manager"), ""), "perch") == 0 &&
		    strcmp(tree_string_or(tree_get(entry, "operation"), ""), "Apply") == 0 &&
		    tree_path(entry, "fieldsV1", "f:spec", field, NULL))
			return true;
	}
	return false;
}

static void read_rest(struct canary *out)
{
	const struct tree *spec = tree_get(out->object, "spec");
	const struct tree *status = tree_get(out->object, "status");
	const struct tree *conditions = tree_get(status, "conditions");
	const struct tree *analysis = tree_get(spec, "analysis");

	if (tree_kind(analysis) != TREE_MAP)
		analysis = tree_get(spec, "canaryAnalysis");
	out->target_kind = target_kind(tree_get(spec, "targetRef"));
	out->phase = phase_parse(tree_string_or(tree_get(status, "phase"), ""));
	out->deleting = tree_string(tree_path(out->object, "metadata", "deletionTimestamp", NULL));
	out->has_status = !tree_empty(status);
	out->has_conditions = tree_kind(conditions) == TREE_LIST;
	out->promoted_since = promoted_since(conditions);
	out->skip_analysis = out->skip_analysis || tree_kind(analysis) != TREE_MAP;
	out->gates = gates_of(analysis);
	out->held = out->suspended && *out->held_for && perch_owns(out->object, "f:suspend");
	out->shipped = perch_owns(out->object, "f:skipAnalysis");
	canary_take_via(out);
}

static int check_conditions(const struct tree *conditions, struct error *err)
{
	static const char *const strings[] = {"type", "status", "reason", "lastUpdateTime", "lastTransitionTime"};
	size_t n = 0;

	tree_each(condition, conditions) {
		enum tree_kind kind = tree_kind(condition);

		if (kind != TREE_MAP)
			return error_set(err, ERR_INPUT, "expected map, got %s: 'status.conditions[%zu]'",
					 tree_kind_name(kind), n);
		for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
			const struct tree *value = tree_get(condition, strings[i]);

			kind = tree_kind(value);
			if (value && kind != TREE_STRING && kind != TREE_NULL)
				return error_set(err, ERR_INPUT, "expected string, got %s: 'status.conditions[%zu].%s'",
						 tree_kind_name(kind), n, strings[i]);
		}
		n++;
	}
	return 0;
}

int canary_read(struct canary *out, const struct tree *object, struct error *err)
{
	struct identity id = object_identity(object, "default");

	*out = (struct canary){
		.object = object, .namespace = id.namespace, .name = id.name, .target_name = "",
		.applied = "", .promoted = "", .promoted_since = "", .accepted = "",
		.tracked_revision = "", .held_for = "", .held_by = "", .held_at = "", .held_until = "",
		.held_reason = "", .ship = "", .gates = "",
	};
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (read_field(out, &fields[i], err) < 0)
			return -1;
	if (check_conditions(tree_path(object, "status", "conditions", NULL), err) != 0)
		return -1;
	if (!*out->target_name)
		return error_set(err, ERR_INPUT, "no target is named: 'spec.targetRef.name'");
	read_rest(out);
	return 0;
}

const char *canary_primary_name(const struct canary *c)
{
	return arena_printf("%s-primary", c->target_name);
}
