/* SPDX-License-Identifier: Apache-2.0 */
#include "act/answer.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/glob.h"
#include "base/utf8.h"

#define MESSAGE_MAX 400
#define PREFIX "perch.dev/"
#define NOTE ".metadata.annotations." PREFIX

static const struct manager {
	const char *glob, *advice;
} managers[] = {
#define MANAGER(glob, advice) {glob, advice},
#include "act/managers.def"
#undef MANAGER
};

static const char *by_hand(const struct write *w, const char *key)
{
	const struct tree *metadata = tree_get(w->body, "metadata");

	return arena_printf("give it back: kubectl -n %s patch canaries.flagger.app %s --type=merge "
			    "-p '{\"spec\":{\"%s\":null}}'",
			    tree_string_or(tree_get(metadata, "namespace"), ""),
			    tree_string_or(tree_get(metadata, "name"), ""), key);
}

static bool is_note(const char *field)
{
	return strncmp(field, NOTE, sizeof(NOTE) - 1) == 0;
}

/* perch's own annotations that somebody has written: all of them at once. */
static const char *notes_by_hand(const struct write *w, const struct tree *causes)
{
	const struct tree *metadata = tree_get(w->body, "metadata");
	struct buffer text = {0};

	buffer_printf(&text, "give it back: kubectl -n %s annotate canaries.flagger.app %s",
		      tree_string_or(tree_get(metadata, "namespace"), ""),
		      tree_string_or(tree_get(metadata, "name"), ""));
	tree_each(cause, causes) {
		const char *field = tree_string_or(tree_get(cause, "field"), "");

		if (is_note(field))
			buffer_printf(&text, " " PREFIX "%s-", field + sizeof(NOTE) - 1);
	}
	return buffer_text(&text);
}

static const char *for_key(const char *advice, const char *key)
{
	struct buffer text = {0};

	for (; *advice; advice++)
		if (*advice == '$')
			buffer_str(&text, key);
		else
			buffer_char(&text, *advice);
	return buffer_text(&text);
}

/* What ends the fight with such a manager; "": nothing that is configured. */
static const char *configuration(const char *manager)
{
	for (size_t i = 0; i < sizeof(managers) / sizeof(*managers); i++)
		if (glob_match(managers[i].glob, manager, ""))
			return managers[i].advice;
	return "";
}

static const char *advice(const struct write *w, const struct tree *causes, const char *manager, const char *field)
{
	const char *key = strncmp(field, ".spec.", 6) == 0 ? field + 6 : NULL, *configured = configuration(manager);

	if (key)
		return *configured ? for_key(configured, key) : by_hand(w, key);
	if (is_note(field) && !*configured)
		return notes_by_hand(w, causes);
	return arena_printf("drop %s from what it applies", field + (*field == '.'));
}

/* `conflict with "helm" using flagger.app/v1beta1`: the name is quoted as Go quotes it. */
static const char *manager_of(const struct tree *cause)
{
	const char *message = tree_string_or(tree_get(cause, "message"), "");
	const char *open = strchr(message, '"'), *close = open ? strchr(open + 1, '"') : NULL;

	return close ? arena_strndup(open + 1, (size_t)(close - open - 1)) : "another manager";
}

static bool is_conflict(const struct tree *cause)
{
	return strcmp(tree_string_or(tree_get(cause, "reason"), ""), "FieldManagerConflict") == 0;
}

/* The first manager in the way, with the cure; and how many more there are. */
static const char *owners_text(const struct write *w, const struct tree *causes)
{
	const char *text = NULL;
	bool notes = false; /* told, all of them */
	size_t more = 0;

	tree_each(cause, causes) {
		const char *manager = manager_of(cause);
		const char *field = tree_string_or(tree_get(cause, "field"), "");

		if (!is_conflict(cause))
			continue;
		if (text) {
			more += !notes || !is_note(field);
			continue;
		}
		notes = is_note(field) && !*configuration(manager);
		text = arena_printf("%s belongs to %s: %s", field + (*field == '.'), manager,
				    advice(w, causes, manager, field));
	}
	return text && more ? arena_printf("%s (and %zu more)", text, more) : text;
}

static const char *one_line(const char *message)
{
	char *text = arena_strndup(message, utf8_cut(message, strlen(message), MESSAGE_MAX));

	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	return text;
}

static void set(struct outcome *out, enum outcome_kind kind, const char *text)
{
	out->kind = kind;
	out->text = text;
}

static void read_conflict(struct outcome *out, const struct write *w, const struct api_call *call)
{
	const char *owned = owners_text(w, tree_path(call->status, "details", "causes", NULL));

	if (owned)
		set(out, OUTCOME_OWNED, owned);
	else if (strstr(call->message, "uid mismatch"))
		set(out, OUTCOME_GONE, "it has been deleted");
	else
		set(out, OUTCOME_MOVED, "it has changed since it was read");
}

static void read_invalid(struct outcome *out, const struct api_call *call)
{
	tree_each(cause, tree_path(call->status, "details", "causes", NULL)) {
		if (strcmp(tree_string_or(tree_get(cause, "field"), ""), "metadata.uid") == 0) {
			set(out, OUTCOME_GONE, "it has been deleted and created anew");
			return;
		}
	}
	set(out, OUTCOME_REFUSED, one_line(call->message));
}

static void read_object(struct outcome *out, const struct write *w, const struct api_call *call)
{
	const char *wrong = write_check(w, call->object);

	if (wrong)
		set(out, OUTCOME_LOST, arena_printf("written, but read back otherwise: %s", wrong));
	else
		set(out, OUTCOME_DONE, "");
}

static bool rbac(const struct api_call *call)
{
	return strstr(call->message, "cannot patch resource") || strstr(call->message, "cannot create resource");
}

int answer_read(struct outcome *out, const struct write *w, const struct api_call *call,
		struct error *err)
{
	switch (call->http.status) {
	case 200:
	case 201:
		if (!call->object) /* cut off */
			break;
		read_object(out, w, call);
		return 0;
	case 404:
		set(out, OUTCOME_GONE, "it has been deleted");
		return 0;
	case 409:
		read_conflict(out, w, call);
		return 0;
	case 422:
		read_invalid(out, call);
		return 0;
	case 403:
		if (rbac(call))
			break;
		set(out, OUTCOME_REFUSED, one_line(call->message));
		return 0;
	case 400:
		set(out, OUTCOME_REFUSED, one_line(call->message));
		return 0;
	case 500:
		if (!strstr(call->message, "field not declared in schema"))
			break;
		set(out, OUTCOME_REFUSED, "the Canary CRD has no spec.suspend: nothing can be held until Flagger's "
					  "CRDs are those of 1.32 or newer");
		return 0;
	}
	if (err->kind)
		return -1;
	if (call->refusal.kind) {
		*err = call->refusal;
		return -1;
	}
	return error_set(err, ERR_PARTIAL, "unexpected answer %d: '%s'", call->http.status,
			 one_line(call->message));
}
