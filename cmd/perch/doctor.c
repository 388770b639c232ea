/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/doctor.h"

#include <string.h>

#include "base/arena.h"
#include "fleet/doctor_rights.h"
#include "io/clock.h"
#include "k8s/schema.h"
#include "perch/git_options.h"
#include "perch/live.h"
#include "perch/verb.h"
#include "report/talk.h"
#include "source/surroundings.h"

const struct option doctor_options[] = {
	{"rights-of", 0, OPTION_TEXT, "USER",
	 "whose rights are asked for, by impersonation; one's own if not given", OPTION(rights_of)},
	LIVE_OPTIONS,
	RENDERED_OPTIONS,
	NAMESPACE_OPTIONS,
	VIA_OPTION,
	CLUSTER_OPTIONS,
	OUTPUT_OPTIONS,
	NO_MORE_OPTIONS,
};
const char doctor_about[] =
	"What would make perch's flows fail or fight, each with what to do about it: keys in Git that engines put\n"
	"back, options that replace objects, Jobs that run again or never end, a Flagger that upgrades itself, CRDs\n"
	"that drop fields, missing rights, holds that nobody ends. Looks at a cluster, at a dump (--live), or at\n"
	"rendered manifests alone (-f, --git), and writes nothing. The account that asks needs to read all that;\n"
	"the rights it asks for are its own or, with --rights-of, those of the account that the flows run as.\n"
	"\n"
	"examples:\n"
	"  perch doctor -A --rights-of system:serviceaccount:flagger-system:perch\n"
	"  perch doctor -n shop\n"
	"  perch doctor -f clusters/production/\n"
	"\n"
	"exit codes: 0 nothing found, 1 something found, 2 usage or unreadable input, 3 cluster unreachable,\n"
	"4 canaries may not be read, 6 timeout, 7 something couldn't be looked at (outranks 1)\n";

struct visit {
	struct doctor *doctor;
	const struct settings *s;
	const struct via *via; /* where holds are that go by ConfigMaps; NULL: on the canaries */
	struct notes unread;
};

static void on_before(void *arg)
{
	struct visit *v = arg;

	doctor_make_room(v->doctor);
}

/* What a dump says it lists; ones that perch made say it so. */
static void tell_lists(struct visit *v, const struct tree *info)
{
	unsigned listed = 0;

	tree_each(kind, tree_get(info, "lists"))
		if (strcmp(tree_string_or(kind, ""), "Canary") == 0)
			listed |= ABOUT_CANARY;
		else if (strcmp(tree_string_or(kind, ""), "Deployment") == 0)
			listed |= ABOUT_WORKLOAD;
	doctor_listed(v->doctor, listed);
}

static int on_object(void *arg, const struct tree *object, struct error *err)
{
	struct visit *v = arg;
	struct identity id = object_identity(object, "");

	(void)err;
	if (object_kind(object) == KIND_CLUSTERINFO)
		tell_lists(v, object);
	if (object_kind(object) == KIND_CANARY)
		object = via_see(v->via, object);
	/* All that is said goes by canaries. */
	if (object_kind(object) != KIND_CANARY || !v->s->namespace || strcmp(v->s->namespace, id.namespace) == 0)
		doctor_see(v->doctor, object, NULL);
	return 0;
}

static void on_listed(void *arg, const struct surroundings_kind *kind)
{
	struct visit *v = arg;

	doctor_listed(v->doctor, doctor_kind(kind->group, kind->kind));
}

static void on_unread(void *arg, const struct surroundings_kind *kind, const char *why)
{
	struct visit *v = arg;

	doctor_unread(v->doctor, doctor_kind(kind->group, kind->kind));
	note_add(&v->unread, "%s", why);
}

static int see_manifests(struct visit *v, const struct settings *s, struct error *err)
{
	struct git_source git;
	struct notes warnings = {0};
	struct manifests *m = NEW(struct manifests);

	if (git_options(&git, s, err) != 0)
		return -1;
	*m = (struct manifests){.namespace = s->namespace, .minor = schema_newest(), .any_kind = true,
				.unchecked = true, .objects_only = true, .warnings = &warnings};
	if (s->git && manifests_add_git(m, &git, err) != 0)
		return -1;
	for (size_t i = 0; i < s->files.count; i++)
		if (manifests_add_path(m, s->files.items[i], err) != 0)
			return -1;
	if (!m->count)
		return error_set(err, ERR_INPUT, "nothing rendered: '%s' holds no object",
				 s->git ? s->git : s->files.items[0]);
	talk_warnings(&warnings, NULL);
	for (size_t i = 0; i < m->count; i++)
		doctor_see(v->doctor, m->items[i].object, &m->items[i]);
	return 0;
}

/* What a list of rights leaves out may be allowed all the same, where some authorizer gives no list. */
static int ask_one_by_one(struct right_asked *asked, size_t n, struct api *api, const char *namespace,
			  struct error *err)
{
	const char *where = strcmp(namespace, RIGHTS_EVERYWHERE) == 0 ? "" : namespace;

	for (size_t i = 0; i < n; i++) {
		const struct right *r = asked[i].right;

		if (surroundings_may(&asked[i].allowed, api, where, asked[i].verb, r->group, r->resource, r->name,
				     err) != 0)
			return -1;
	}
	return 0;
}

static int see_rights(struct visit *v, struct api *api, const char *namespace, enum rights_where where,
		      struct error *err)
{
	const struct tree *status;
	struct right_asked *asked;
	const char *why;
	size_t n;

	if (surroundings_rights(&status, &why, api, namespace, err) != 0)
		return -1;
	if (!status) {
		note_add(&v->unread, "rights: %s", why);
		return 0;
	}
	n = rights_refused(&asked, status, where);
	if (tree_true(tree_get(status, "incomplete")) && ask_one_by_one(asked, n, api, namespace, err) != 0)
		return -1;
	doctor_refused(v->doctor, namespace, asked, n);
	return 0;
}

/* The flows run as another account than who looks, an app's in its namespace alone: asked by impersonation. */
static int see_all_rights(struct visit *v, struct live *live, const char *namespace, struct error *err)
{
	const char *const *homes = doctor_flagger_namespaces(v->doctor);
	struct api_options options = live->access.api;
	struct api *api = live->api;
	int result;

	options.as = v->s->rights_of;
	if (options.as && api_open(&api, &options, err) != 0)
		return -1;
	result = see_rights(v, api, namespace ? namespace : RIGHTS_EVERYWHERE, RIGHTS_FLEET, err);
	for (; result == 0 && *homes; homes++)
		result = see_rights(v, api, *homes, namespace ? RIGHTS_RELEASE : RIGHTS_HOME, err);
	if (options.as)
		api_close(api);
	return result;
}

static int see_homes(struct visit *v, const struct surroundings *around, struct api *api, struct error *err)
{
	const char *const *homes = doctor_flagger_namespaces(v->doctor);

	if (!*homes && around->namespace) {
		doctor_unread(v->doctor, ABOUT_JOB | ABOUT_CRONJOB);
		note_add(&v->unread, "Flagger's namespace: no Deployment of Flagger's was found");
	}
	return surroundings_read_homes(around, api, homes, err);
}

static int load_via(struct visit *v, struct api *api, const char *namespace, struct error *err)
{
	const struct via *way;
	struct strings namespaces = {0};

	if (via_parse(&way, v->s->via, err) != 0)
		return -1;
	if (namespace)
		strings_add(&namespaces, namespace);
	return way ? via_load(&v->via, way, api, &namespaces, err) : 0;
}

static int see_cluster(struct visit *v, const struct surroundings *around, struct report *report, struct error *err)
{
	struct live live;
	struct surroundings scope = *around;
	int result;

	if (live_connect(&live, v->s, err) != 0)
		return strncmp(err->text, "no cluster", 10) == 0 ? error_wrap(err, "without -f or --live") : -1;
	scope.namespace = live_scope(&live, v->s).namespace;
	report->cluster = live.access.cluster;
	report->server = arena_strdup(api_server(live.api));
	result = load_via(v, live.api, scope.namespace, err) || surroundings_read(&scope, live.api, err) ||
				 see_homes(v, &scope, live.api, err) ||
				 see_all_rights(v, &live, scope.namespace, err)
			 ? -1
			 : 0;
	if (result == 0 && v->s->verbose)
		talk_info("cluster %s (%s), %zu requests", report->cluster, report->server, api_requests(live.api));
	live_close(&live);
	return result;
}

static int look(struct visit *v, struct report *report, struct error *err)
{
	const struct settings *s = v->s;
	const struct surroundings around = {.before = on_before, .object = on_object, .listed = on_listed,
					    .unread = on_unread, .arg = v};
	bool rendered = s->git || s->files.count;

	if (rendered && see_manifests(v, s, err) != 0)
		return -1;
	if (s->live.count)
		return surroundings_read_files(&around, &s->live, err);
	return rendered ? 0 : see_cluster(v, &around, report, err);
}

static size_t of_its_check(const struct finding *first)
{
	size_t n = 0;

	for (const struct finding *f = first; f && f->check == first->check; f = f->next)
		n++;
	return n;
}

static struct doctor_summary tell(struct report *report, const struct visit *v)
{
	struct doctor_summary sum = {.checks = doctor_checks(), .looked = doctor_looked(v->doctor), .unread = &v->unread};
	struct doctor_item item = {0};

	REPORT(report, doctor_begin);
	for (const struct finding *f = doctor_findings(v->doctor); f; f = f->next) {
		const struct manifest *m = f->manifest;

		item.nth = item.finding && item.finding->check == f->check ? item.nth + 1 : 0;
		if (item.nth == 0)
			item.of = of_its_check(f);
		sum.failed += item.nth == 0;
		sum.errors += f->check->severity == SEVERITY_ERROR;
		sum.warnings += f->check->severity == SEVERITY_WARNING;
		item.finding = f;
		item.file = m ? m->text->name : NULL;
		item.line = m ? manifest_line(m, f->path) : 0;
		REPORT(report, doctor_item, &item);
	}
	REPORT(report, doctor_end, &sum);
	return sum;
}

int verb_doctor(const struct settings *s, struct error *err)
{
	struct visit v = {.doctor = doctor_new(clock_now()), .s = s};
	struct doctor_summary sum;
	struct report report;

	if (inputs_refuse_contradictions(s, err) != 0 || report_open(&report, s->output, err) != 0)
		return -1;
	report.verbose = s->verbose;
	if (look(&v, &report, err) != 0)
		return -1;
	doctor_conclude(v.doctor);
	sum = tell(&report, &v);
	if (report_close(&report, err) != 0)
		return -1;
	return v.unread.count ? error_exit_code(ERR_PARTIAL) : sum.failed ? EXIT_CHANGED : 0;
}
