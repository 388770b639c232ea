/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/arena.h"
#include "flagger/releases.h"
#include "perch/differ.h"
#include "perch/inputs.h"
#include "perch/verb.h"
#include "report/talk.h"

const struct option diff_options[] = {
	RENDERED_OPTIONS,
	{"base", 0, OPTION_LIST, "PATH",
	 "compare with these rendered manifests instead of live objects (repeatable)", OPTION(base)},
	LIVE_OPTIONS,
	APPLY_OPTIONS,
	RELEASE_OPTIONS,
	CLUSTER_OPTIONS,
	{"git-driver", 0, OPTION_SWITCH, NULL,
	 "act as a git diff driver, on git's seven arguments", OPTION(git_driver)},
	SCOPE_OPTIONS,
	CI_OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char diff_about[] =
	"Compares each rendered object with the live one as the API server would have it after the applier\n"
	"sent it: defaults, spelling of quantities and order of keys are no change, nor is what others own.\n"
	"Only the pod template (of a Service the spec, of a ConfigMap or Secret the data) makes a change;\n"
	"replicas and the like are notes. Where the account may, the server is asked what it would make of each.\n"
	"\n"
	"examples:\n"
	"  perch diff -f out/\n"
	"  perch diff -f out/ --live dump.json\n"
	"  perch diff --git . --rev HEAD --path deploy --live dump.json\n"
	"  perch diff --base out-main/ -f out-branch/\n"
	"  KUBECTL_EXTERNAL_DIFF=\"perch diff\" kubectl diff -f out/\n"
	"  git config diff.perch.command \"perch diff --git-driver\"\n"
	"\n"
	"exit codes: 0 no real change, 1 a real change, 2 usage or unreadable input, 3 cluster or Git\n"
	"unreachable, 4 forbidden, 6 timeout, 7 something can't be known\n";

static int exit_code(const struct differ *d)
{
	return d->unknown ? error_exit_code(ERR_PARTIAL) : d->changed ? EXIT_CHANGED : 0;
}

static bool diffable(enum object_kind kind)
{
	return object_is_target(kind) || kind == KIND_CONFIGMAP || kind == KIND_SECRET;
}

static int load_folder(struct manifests *m, const char *path, struct error *err)
{
	return manifests_add_folder(m, path, err) || manifests_finish(m, err) ? -1 : 0;
}

/* kubectl's folders: whole objects of any kind, one to a file of any name. */
static int compare_folders(struct differ *d, const struct settings *s, struct error *err)
{
	struct notes ignored = {0};
	struct manifests before = {.any_kind = true, .live = true, .unchecked = true, .warnings = &ignored};
	struct manifests after = before;

	if (s->operands.count != 2)
		return error_set(err, ERR_USAGE, "diff: two folders are compared, LIVE and MERGED");
	if (s->files.count || s->git || s->base.count || s->live.count)
		return error_set(err, ERR_USAGE, "diff: two folders exclude -f, --git, --base and --live");
	if (load_folder(&before, s->operands.items[0], err) != 0 ||
	    load_folder(&after, s->operands.items[1], err) != 0)
		return -1;
	for (size_t i = 0; i < after.count; i++)
		differ_as_is(d, manifests_find_same(&before, &after.items[i]), &after.items[i]);
	for (size_t i = 0; i < before.count; i++)
		if (!manifests_find_same(&after, &before.items[i]))
			differ_as_is(d, &before.items[i], NULL);
	return 0;
}

static bool wanted(const struct inputs *in, const struct settings *s, const struct manifest *m)
{
	return diffable(m->kind) && inputs_wanted(s, &m->id) && selector_picks(in->selector, m->object);
}

static int compare_rendered(struct differ *d, const struct inputs *in, const struct settings *s,
			    struct error *err)
{
	for (size_t i = 0; i < in->desired.count; i++) {
		const struct manifest *m = &in->desired.items[i];

		if (wanted(in, s, m) && differ_rendered(d, manifests_find_same(&in->base, m), m, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < in->base.count; i++) {
		const struct manifest *m = &in->base.items[i];

		if (wanted(in, s, m) && !manifests_find_same(&in->desired, m) &&
		    differ_rendered(d, m, NULL, err) != 0)
			return -1;
	}
	return 0;
}

static int compare_live(struct differ *d, const struct inputs *in, const struct settings *s,
			struct error *err)
{
	for (size_t i = 0; i < in->desired.count; i++) {
		const struct manifest *m = &in->desired.items[i];
		struct arena_mark mark = arena_mark();
		struct seen live;

		if (!wanted(in, s, m))
			continue;
		live = dump_find(&in->dump, m->kind, m->id.namespace, m->id.name);
		if (differ_live(d, m, &live, err) != 0)
			return -1;
		arena_rewind(mark);
	}
	return 0;
}

/* Git hands over a file on each side, /dev/null where there is none. */
static int load_side(struct manifests *m, const char *file, const char *name, struct error *err)
{
	struct text text;

	if (strcmp(file, "/dev/null") == 0)
		return 0;
	if (files_read(&text, file, err) != 0)
		return -1;
	text.name = name;
	return manifests_add_text(m, &text, err) || manifests_finish(m, err) ? -1 : 0;
}

static int compare_blobs(struct differ *d, const struct settings *s, struct error *err)
{
	const char *const *word = s->operands.items;
	struct notes ignored = {0};
	struct manifests before = {.any_kind = true, .unchecked = true, .warnings = &ignored};
	struct manifests after = before;

	if (s->operands.count != 7 && s->operands.count != 9)
		return error_set(err, ERR_USAGE, "diff: git gives its driver seven arguments, or nine for a rename");
	if (load_side(&before, word[1], word[0], err) != 0 || load_side(&after, word[4], word[0], err) != 0)
		return -1;
	for (size_t i = 0; i < after.count; i++) {
		const struct manifest *m = &after.items[i], *old = manifests_find_same(&before, m);

		if (!diffable(m->kind))
			differ_as_is(d, old, m);
		else if (differ_rendered(d, old, m, err) != 0)
			return -1;
	}
	for (size_t i = 0; i < before.count; i++)
		if (!manifests_find_same(&after, &before.items[i]))
			differ_as_is(d, &before.items[i], NULL);
	return 0;
}

/* Whatever happens, git goes on with its other files: the fault is said, and the code is 0. */
static int git_driver(struct differ *d, const struct settings *s, struct error *err)
{
	if (compare_blobs(d, s, err) != 0) {
		if (err->kind == ERR_USAGE)
			return -1;
		talk_error(err->text);
	}
	report_close(&d->report, err);
	return 0;
}

static int compare_inputs(struct differ *d, const struct settings *s, struct error *err)
{
	struct release newest = release_newest();
	struct running running;
	struct inputs in;
	int result;

	if (!s->files.count && !s->git)
		return error_set(err, ERR_USAGE, "diff: nothing to compare, pass -f PATH or --git REPO");
	if (s->base.count && s->live.count)
		return error_set(err, ERR_USAGE, "diff: --base and --live exclude each other");
	if (inputs_load_for_diff(&in, s, err) != 0)
		return -1;
	inputs_label(&in, &d->report);
	inputs_talk(&in, s);
	running = inputs_running(&in, s->namespace);
	d->report.verbose = s->verbose;
	d->hash_minor = running.flagger.k8s ? running.flagger.k8s : release_k8s(&newest);
	d->policy = in.policy;
	d->server_minor = in.server_minor;
	d->asking = in.asking;
	d->unread = in.live ? "it wasn't read from the cluster" :
			      "the dump doesn't list this kind in this namespace";
	if (in.has_applier)
		d->applier = &in.applier;
	REPORT(&d->report, diff_begin);
	result = in.has_base ? compare_rendered(d, &in, s, err) : compare_live(d, &in, s, err);
	if (result == 0 && !d->objects)
		talk_warning("no workload, Service, ConfigMap or Secret to compare among %zu objects",
			     in.desired.count + in.desired.skipped);
	inputs_close(&in);
	return result;
}

int verb_diff(const struct settings *s, struct error *err)
{
	struct release newest = release_newest();
	struct differ d = {.hash_minor = release_k8s(&newest), .warnings.all = s->verbose};

	if (report_open_ci(&d.report, s->output, err) != 0)
		return -1;
	if (s->git_driver)
		return git_driver(&d, s, err);
	if (s->operands.count) {
		REPORT(&d.report, diff_begin);
		if (compare_folders(&d, s, err) != 0)
			return -1;
	} else if (compare_inputs(&d, s, err) != 0) {
		return -1;
	}
	REPORT(&d.report, diff_end);
	talk_rest(&d.warnings);
	if (report_close(&d.report, err) != 0)
		return -1;
	if (s->verbose)
		talk_done("%zu objects compared, %zu with a real change", d.objects, d.with_change);
	return exit_code(&d);
}
