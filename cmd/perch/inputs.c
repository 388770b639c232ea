/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "k8s/schema.h"
#include "perch/git_options.h"
#include "perch/live.h"
#include "perch/policy_file.h"
#include "report/talk.h"
#include "source/ask.h"

int inputs_refuse_contradictions(const struct settings *s, struct error *err)
{
	const struct strings *const lists[] = {&s->files, &s->base, &s->live};
	const struct via *via;
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
	if (s->namespace && (!*s->namespace || strchr(s->namespace, '/')))
		return error_set(err, ERR_USAGE, "-n: '%s' is no name of a namespace", s->namespace);
	return via_parse(&via, s->via, err);
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
	struct git_source git;

	if (git_options(&git, s, err) != 0)
		return -1;
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

int inputs_load_policy(struct inputs *in, const struct settings *s, struct error *err)
{
	return policy_file_load(&in->policy, s, &in->warnings, err);
}

static int open_dump(struct inputs *in, const struct settings *s, struct error *err)
{
	if (dump_open(&in->dump, &s->live, err) != 0)
		return -1;
	if (in->dump.targets && !in->dump.has_owners)
		note_add(&in->warnings, "owners: the dump has no managedFields, so who owns a field is not known "
					"(kubectl get … --show-managed-fields)");
	return 0;
}

static int connect(struct inputs *in, const struct settings *s, struct error *err)
{
	in->live = NEW(struct live);
	if (live_connect(in->live, s, err) == 0)
		return 0;
	in->live = NULL;
	return strncmp(err->text, "no cluster", 10) == 0 ? error_wrap(err, "without --live DUMP") : -1;
}

/* Of all that is rendered, if it is one; else NULL: all of them. */
static const char *namespace_of(const struct manifests *m)
{
	for (size_t i = 1; i < m->count; i++)
		if (strcmp(m->items[i].id.namespace, m->items[0].id.namespace) != 0)
			return NULL;
	return m->count ? m->items[0].id.namespace : NULL;
}

static int read_cluster(struct inputs *in, const struct settings *s, bool for_diff, struct error *err)
{
	struct cluster_scope scope = live_scope(in->live, s);
	bool no_canaries;

	scope.desired = in->has_desired ? &in->desired : NULL;
	scope.desired_only = for_diff;
	if (for_diff)
		scope.namespace = s->namespace;
	else if (in->has_desired && !s->namespace && !s->operands.count)
		scope.namespace = s->all_namespaces ? NULL : namespace_of(&in->desired);
	if (cluster_read(&in->dump, in->live->api, &scope, &no_canaries, &in->warnings, err) != 0)
		return -1;
	in->asking = NEW(struct asking);
	*in->asking = (struct asking){in->live->api, in->dump.server_minor, false};
	if (no_canaries)
		note_add(&in->warnings, "canaries: the server knows no such kind, Flagger isn't installed there");
	return 0;
}

/* The cluster is asked last, when all that may be wrong on this side is known. */
static int load_live(struct inputs *in, const struct settings *s, bool for_diff, struct error *err)
{
	if (in->live && read_cluster(in, s, for_diff, err) != 0)
		return -1;
	if (!in->server_minor)
		in->server_minor = in->has_live ? in->dump.server_minor : 0;
	if (!in->server_minor)
		in->server_minor = schema_newest();
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

int inputs_load_files(struct inputs *in, const struct settings *s, struct error *err)
{
	in->desired = in->base = (struct manifests){
		.namespace = s->namespace ? s->namespace : in->live ? in->live->access.namespace : NULL,
		.minor = schema_newest(),
		.warnings = &in->warnings,
	};
	in->has_base = s->base.count > 0;
	return load_desired(in, s, err) || load_paths(&in->base, &s->base, err) || inputs_load_policy(in, s, err) ? -1 : 0;
}

static int load(struct inputs *out, const struct settings *s, bool for_diff, struct error *err)
{
	struct running_options running = {
		.option = s->to ? "--from" : "--flagger",
		.flagger = s->to ? s->from : s->flagger,
		.k8s = s->k8s,
		.selector_labels = s->selector_labels,
	};

	*out = (struct inputs){.dump = {.spool = -1}};
	out->has_live = s->live.count || !(for_diff && s->base.count);
	if (inputs_refuse_contradictions(s, err) != 0 || load_options(out, s, err) != 0)
		return -1;
	if (s->live.count ? open_dump(out, s, err) : out->has_live && connect(out, s, err))
		return -1;
	if (inputs_load_files(out, s, err) != 0 || load_live(out, s, for_diff, err) != 0)
		return -1;
	out->fleet.dump = out->has_live ? &out->dump : NULL;
	out->fleet.desired = out->has_desired ? &out->desired : NULL;
	return running_find(&out->runnings, out->fleet.dump, &running, &out->warnings, err);
}

static int closed_if_failed(struct inputs *in, int result)
{
	if (result != 0)
		inputs_close(in);
	return result;
}

int inputs_load(struct inputs *out, const struct settings *s, struct error *err)
{
	return closed_if_failed(out, load(out, s, false, err));
}

int inputs_load_for_diff(struct inputs *out, const struct settings *s, struct error *err)
{
	return closed_if_failed(out, load(out, s, true, err));
}

void inputs_close(struct inputs *in)
{
	dump_close(&in->dump);
	if (in->live)
		live_close(in->live);
}

void inputs_talk(struct inputs *in, const struct settings *s)
{
	talk_warnings(&in->warnings, NULL);
	if (!s->verbose)
		return;
	if (in->has_desired)
		talk_info("%zu objects rendered, %zu of kinds that perch doesn't use left out",
			  in->desired.count, in->desired.skipped);
	if (in->live)
		talk_info("%zu objects of cluster %s (%s), %zu canaries, by %zu requests", in->dump.index.count,
			  in->live->access.cluster, api_server(in->live->api), in->dump.canaries.count,
			  api_requests(in->live->api));
	else if (in->has_live)
		talk_info("%zu objects in the dump, %zu canaries", in->dump.index.count,
			  in->dump.canaries.count);
	talk_info("API server 1.%d", in->server_minor);
}

const char *inputs_source(const struct inputs *in)
{
	return in->live ? "cluster" : "dump";
}

void inputs_label(const struct inputs *in, struct report *report)
{
	if (!in->live)
		return;
	report->cluster = in->live->access.cluster;
	report->server = api_server(in->live->api);
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
