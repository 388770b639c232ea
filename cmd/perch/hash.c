/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/terminal.h"
#include "flagger/hash.h"
#include "k8s/schema.h"
#include "perch/git_options.h"
#include "perch/inputs.h"
#include "perch/verb.h"
#include "report/report.h"
#include "report/talk.h"

const struct option hash_options[] = {
	RENDERED_OPTIONS,
	LIVE_OPTIONS,
	{"flagger", 0, OPTION_TEXT, "RELEASE",
	 "as this release computes it; the newest if not given", OPTION(flagger)},
	{"k8s", 0, OPTION_TEXT, "MINOR",
	 "as any Flagger built with this k8s.io/api minor does, e.g. 0.34", OPTION(k8s)},
	{"all", 0, OPTION_SWITCH, NULL, "every minor that perch knows, one line each", OPTION(all)},
	{"dump", 0, OPTION_SWITCH, NULL, "print the text that is hashed instead", OPTION(dump)},
	SCOPE_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char hash_about[] =
	"Objects are hashed as they are, without the API server's defaults: only a live object gives the\n"
	"hash that Flagger stores. Kinds: Deployment, DaemonSet, Service, Knative Service.\n"
	"\n"
	"examples:\n"
	"  kubectl get deploy podinfo -o json | perch hash --flagger 1.38 -f -\n"
	"  perch hash --all -f podinfo.json\n"
	"\n"
	"exit codes: 0 done, 2 usage or unreadable input, 7 some hash can't be computed\n";

struct run {
	const struct settings *s;
	const struct selector *selector; /* -l */
	struct report report;
	int minor; /* 0: all */
	bool partial;
	size_t objects;
};

static bool is_live(const struct tree *object)
{
	const struct tree *meta = tree_get(object, "metadata");

	return tree_get(meta, "uid") || tree_get(meta, "resourceVersion") ||
	       tree_get(meta, "managedFields");
}

static void print_dump(const struct manifest *m, int minor, struct error *err)
{
	struct buffer b = {0};

	if (flagger_dump(&b, m->object, minor, err) != 0)
		return;
	if (isatty(STDOUT_FILENO)) {
		struct buffer shown = {0};

		terminal_text(&shown, buffer_text(&b));
		b = shown;
	}
	buffer_char(&b, '\n');
	report_write(&b);
}

static int hash_one(struct run *r, const struct manifest *m, int minor, struct error *err)
{
	struct hash_item item = {.file = m->text->name, .id = m->id, .minor = minor};
	struct error failed = {ERR_NONE, ""};
	char hash[HASH_SIZE];

	if (r->s->dump) {
		print_dump(m, minor, &failed);
	} else if (flagger_hash(hash, m->object, minor, &failed) == 0) {
		item.hash = hash;
		REPORT(&r->report, hash_item, &item);
	}
	if (failed.kind == ERR_NONE)
		return 0;
	if (failed.kind != ERR_PARTIAL) {
		*err = failed;
		return error_wrap(err, "%s: %s %s/%s", m->text->name, m->id.kind, m->id.namespace,
				  m->id.name);
	}
	talk_warning("%s %s/%s: %s", m->id.kind, m->id.namespace, m->id.name, failed.text);
	r->partial = true;
	return 0;
}

static int hash_object(struct run *r, const struct manifest *m, struct error *err)
{
	if (!object_is_target(m->kind) && m->kind != KIND_KNATIVE)
		return 0;
	if (!inputs_wanted(r->s, &m->id) || !selector_picks(r->selector, m->object))
		return 0;
	r->objects++;
	if (!is_live(m->object))
		talk_warning("%s:%u: %s %s/%s is no live object, so this isn't the hash that Flagger stores",
			     m->text->name, manifest_line(m, ""), m->id.kind, m->id.namespace, m->id.name);
	if (r->minor)
		return hash_one(r, m, r->minor, err);
	for (int minor = schema_next_minor(0); minor; minor = schema_next_minor(minor))
		if (hash_one(r, m, minor, err) != 0)
			return -1;
	return 0;
}

static int load(struct manifests *m, const struct settings *s, struct error *err)
{
	struct git_source git;

	if (git_options(&git, s, err) != 0)
		return -1;
	for (size_t i = 0; i < s->files.count; i++)
		if (manifests_add_path(m, s->files.items[i], err) != 0)
			return -1;
	for (size_t i = 0; i < s->live.count; i++)
		if (manifests_add_path(m, s->live.items[i], err) != 0)
			return -1;
	if (s->git && manifests_add_git(m, &git, err) != 0)
		return -1;
	return manifests_finish(m, err);
}

static int pick_minor(int *out, const struct settings *s, struct error *err)
{
	struct running_options o = {.option = "--flagger", .flagger = s->flagger, .k8s = s->k8s};
	struct release newest = release_newest();
	struct runnings runnings;
	struct notes ignored = {0};

	if (s->all && (s->flagger || s->k8s))
		return error_set(err, ERR_USAGE, "hash: --all excludes --flagger and --k8s");
	if (running_find(&runnings, NULL, &o, &ignored, err) != 0)
		return -1;
	*out = runnings.none.flagger.k8s ? runnings.none.flagger.k8s : release_k8s(&newest);
	if (s->all)
		*out = 0;
	return 0;
}

int verb_hash(const struct settings *s, struct error *err)
{
	struct notes warnings = {0};
	struct manifests m = {
		.namespace = s->namespace,
		.minor = schema_newest(),
		.live = true,
		.warnings = &warnings,
	};
	struct run r = {.s = s};

	if (report_open(&r.report, s->output, err) != 0 || inputs_refuse_contradictions(s, err) != 0 ||
	    pick_minor(&r.minor, s, err) != 0)
		return -1;
	if (s->selector && selector_parse(&r.selector, s->selector, err) != 0)
		return error_wrap(err, "--selector");
	if (s->dump && s->output)
		return error_set(err, ERR_USAGE, "hash: --dump and -o exclude each other");
	if (!s->files.count && !s->live.count && !s->git)
		return error_set(err, ERR_USAGE, "hash: nothing to hash, pass -f PATH");
	if (load(&m, s, err) != 0)
		return -1;
	if (!m.count && !m.skipped)
		return error_set(err, ERR_INPUT, "hash: no object in the input");
	talk_warnings(&warnings, NULL);
	r.report.all_minors = s->all;
	if (!s->dump)
		REPORT(&r.report, hash_begin);
	for (size_t i = 0; i < m.count; i++)
		if (hash_object(&r, &m.items[i], err) != 0)
			return -1;
	if (!s->dump)
		REPORT(&r.report, hash_end);
	if (report_close(&r.report, err) != 0)
		return -1;
	if (r.objects == 0)
		talk_warning("no workload to hash among %zu objects", m.count + m.skipped);
	if (s->verbose)
		talk_info("%zu workloads hashed, %zu other objects left out", r.objects,
			  m.count + m.skipped - r.objects);
	return r.partial ? error_exit_code(ERR_PARTIAL) : 0;
}
