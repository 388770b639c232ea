/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "k8s/schema.h"
#include "report/talk.h"

int inputs_refuse_contradictions(const struct settings *s, struct error *err)
{
	const struct strings *const lists[] = {&s->files, &s->base, &s->live};
	size_t n = 0;

	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
		for (size_t i = 0; i < lists[l]->count; i++)
			n += strcmp(lists[l]->items[i], "-") == 0;
	if (n > 1)
		return error_set(err, ERR_USAGE, "standard input can be read once only");
	if (s->git && s->files.count)
		return error_set(err, ERR_USAGE, "-f and --git exclude each other");
	if (!s->git && (s->rev || s->path))
		return error_set(err, ERR_USAGE, "--rev and --path need --git");
	if (s->namespace && s->all_namespaces)
		return error_set(err, ERR_USAGE, "-n and -A exclude each other");
	if (s->selector && s->operands.count)
		return error_set(err, ERR_USAGE, "names and -l exclude each other");
	return 0;
}

static int read_server_version(int *out, const char *text, struct error *err)
{
	const char *minor = text + (*text == 'v');
	bool full = strncmp(minor, "1.", 2) == 0;
	char *end;
	long n;

	minor += full ? 2 : 0;
	n = strtol(minor, &end, 10);
	if (end == minor || (*end && !(full && *end == '.')) || n < 1 || n > 999)
		return error_set(err, ERR_USAGE, "--server-version: '%s' is no version like 1.34", text);
	*out = (int)n;
	return 0;
}

static int load_paths(struct manifests *m, const struct strings *paths, struct error *err)
{
	for (size_t i = 0; i < paths->count; i++)
		if (manifests_add_path(m, paths->items[i], err) != 0)
			return -1;
	return manifests_finish(m, err);
}

static int load_desired(struct inputs *in, const struct settings *s, struct error *err)
{
	struct git_source git = {s->git, s->rev, s->path};

	in->has_desired = s->git || s->files.count;
	if (!in->has_desired)
		return 0;
	if (s->git && manifests_add_git(&in->desired, &git, err) != 0)
		return -1;
	if (load_paths(&in->desired, &s->files, err) != 0)
		return -1;
	if (!in->desired.count && !in->desired.skipped)
		return error_set(err, ERR_INPUT, "nothing rendered: '%s' holds no object",
				 s->git ? s->git : s->files.items[0]);
	return 0;
}

/* The folder of a path that is a file, itself if it is one. */
static const char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return path;
	return slash ? arena_strndup(path, (size_t)(slash - path + 1)) : ".";
}

static int find_policy(struct text *out, const struct settings *s, struct error *err)
{
	struct git_source git = {s->git, s->rev, s->path};
	const char *path = s->policy;

	*out = (struct text){NULL, NULL, 0};
	if (!path && s->git)
		return git_beside(out, &git, ".perch.yaml", err);
	if (!path && s->files.count && strcmp(s->files.items[0], "-") != 0) {
		struct stat st;

		path = arena_printf("%s/.perch.yaml", folder_of(s->files.items[0]));
		if (stat(path, &st) != 0 && errno == ENOENT)
			return 0;
	}
	return path ? files_read(out, path, err) : 0;
}

static int load_policy(struct inputs *in, const struct settings *s, struct error *err)
{
	struct text text;

	if (find_policy(&text, s, err) != 0)
		return -1;
	return text.data ? policy_load(&in->policy, text.data, text.len, text.name, err) : 0;
}

static int load_live(struct inputs *in, const struct settings *s, struct error *err)
{
	in->has_live = s->live.count > 0;
	if (in->has_live && dump_open(&in->dump, &s->live, err) != 0)
		return -1;
	if (in->has_live && in->dump.targets && !in->dump.has_owners)
		note_add(&in->warnings, "owners: the dump has no managedFields, so who owns a field is not known "
					"(kubectl get … --show-managed-fields)");
	if (!in->server_minor)
		in->server_minor = in->has_live ? in->dump.server_minor : 0;
	return 0;
}

static int load_options(struct inputs *in, const struct settings *s, struct error *err)
{
	if (s->server_version && read_server_version(&in->server_minor, s->server_version, err) != 0)
		return -1;
	if (s->selector && selector_parse(&in->selector, s->selector, err) != 0)
		return error_wrap(err, "--selector");
	if (!s->applier)
		return 0;
	in->has_applier = true;
	return applier_parse(&in->applier, s->applier, err);
}

int inputs_load(struct inputs *out, const struct settings *s, struct error *err)
{
	struct running_options running = {
		.option = s->to ? "--from" : "--flagger",
		.flagger = s->to ? s->from : s->flagger,
		.k8s = s->k8s,
		.selector_labels = s->selector_labels,
	};

	*out = (struct inputs){.dump = {.spool = -1}};
	if (inputs_refuse_contradictions(s, err) != 0 || load_options(out, s, err) != 0 ||
	    load_live(out, s, err) != 0)
		return -1;
	if (!out->server_minor)
		out->server_minor = schema_newest();
	out->desired = out->base = (struct manifests){
		.namespace = s->namespace,
		.minor = schema_newest(),
		.warnings = &out->warnings,
	};
	out->has_base = s->base.count > 0;
	if (load_desired(out, s, err) != 0 || load_paths(&out->base, &s->base, err) != 0 ||
	    load_policy(out, s, err) != 0)
		return -1;
	out->fleet.dump = out->has_live ? &out->dump : NULL;
	out->fleet.desired = out->has_desired ? &out->desired : NULL;
	return running_find(&out->runnings, out->fleet.dump, &running, &out->warnings, err);
}

void inputs_close(struct inputs *in)
{
	dump_close(&in->dump);
}

void inputs_talk(struct inputs *in, const struct settings *s)
{
	talk_warnings(&in->warnings, NULL);
	if (!s->verbose)
		return;
	if (in->has_desired)
		talk_info("%zu objects rendered, %zu of kinds that perch doesn't use left out",
			  in->desired.count, in->desired.skipped);
	if (in->has_live)
		talk_info("%zu objects in the dump, %zu canaries", in->dump.index.count,
			  in->dump.canaries.count);
	talk_info("API server 1.%d", in->server_minor);
}

struct running inputs_running(const struct inputs *in, const char *namespace)
{
	struct running r = running_for(&in->runnings, namespace);

	running_settle(&r, in->guessed_minor);
	return r;
}

static bool in_scope(const struct settings *s, const struct identity *id)
{
	return !s->namespace || strcmp(s->namespace, id->namespace) == 0;
}

bool inputs_named(const struct settings *s, size_t i, const struct identity *id)
{
	const char *operand = s->operands.items[i], *slash = strchr(operand, '/');
	size_t len = slash ? (size_t)(slash - operand) : 0;

	if (!in_scope(s, id) || strcmp(slash ? slash + 1 : operand, id->name) != 0)
		return false;
	return !slash || (strlen(id->namespace) == len && strncmp(operand, id->namespace, len) == 0);
}

bool inputs_wanted(const struct settings *s, const struct identity *id)
{
	for (size_t i = 0; i < s->operands.count; i++)
		if (inputs_named(s, i, id))
			return true;
	return s->operands.count == 0 && in_scope(s, id);
}
