/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command line may say, all verbs together, and the rows of the option tables that several
 * verbs share. A field is zero where its option wasn't given.
 */
#ifndef PERCH_SETTINGS_H
#define PERCH_SETTINGS_H

#include <stdbool.h>

#include "base/options.h"

struct settings {
	struct strings files, base, live; /* -f, --base, --live */
	const char *git, *rev, *path;
	const char *git_token_file, *git_ssh_key, *git_known_hosts;
	const char *namespace;
	bool all_namespaces;
	const char *applier, *server_version, *policy;
	const char *flagger, *k8s, *selector_labels, *selector;
	const char *to, *from, *flow;
	const char *kubeconfig, *context, *as, *timeout;
	struct strings as_groups;
	const char *dry_run, *log_format;
	const char *hold_for, *in_flight, *reason, *accept, *wait_for; /* --for, --in-flight, … */
	const char *on_unknown, *on_error;
	const char *app, *hold_what, *via; /* --app, --hold, --via */
	const char *rights_of;
	const char *flagger_namespace;
	bool yes, expired, step, roll, take_over, secrets;
	const char *output;
	bool all, dump, git_driver, verbose, man;
	struct strings operands;
};

#define OPTION(field) offsetof(struct settings, field)

#define RENDERED_OPTIONS \
	{"file", 'f', OPTION_LIST, "PATH", \
	 "rendered manifests: a file, a folder or - (repeatable)", OPTION(files)}, \
	{"git", 0, OPTION_TEXT, "REPO", \
	 "rendered manifests in Git: a local repository or a URL", OPTION(git)}, \
	{"rev", 0, OPTION_TEXT, "REV", "the commit of --git; HEAD if not given", OPTION(rev)}, \
	{"path", 0, OPTION_TEXT, "DIR", "the folder or file within --git", OPTION(path)}, \
	{"git-token-file", 0, OPTION_TEXT, "FILE", \
	 "what an https URL of --git asks for; PERCH_GIT_TOKEN if not given", OPTION(git_token_file)}, \
	{"git-ssh-key", 0, OPTION_TEXT, "FILE", "for an ssh URL of --git; the agent's if not given", OPTION(git_ssh_key)}, \
	{"git-known-hosts", 0, OPTION_TEXT, "FILE", \
	 "the ssh hosts that are known; the user's own if not given", OPTION(git_known_hosts)}

#define LIVE_OPTIONS \
	{"live", 0, OPTION_LIST, "PATH", \
	 "a dump of the cluster: a file, a folder or - (repeatable)", OPTION(live)}

/* Of verbs that take no manifests, and of those that do. */
#define POLICY_FILE_OPTION \
	{"policy", 0, OPTION_TEXT, "FILE", "rules that ignore, hold or ship changes", OPTION(policy)}

#define POLICY_OPTION \
	{"policy", 0, OPTION_TEXT, "FILE", \
	 "rules that ignore, hold or ship changes; .perch.yaml beside the manifests if not given", \
	 OPTION(policy)}

#define APPLY_OPTIONS \
	{"applier", 0, OPTION_TEXT, "HOW", \
	 "server-side[=MANAGER], client-side, helm, replace or two-way; found from the live object if not " \
	 "given", OPTION(applier), "server-side server-side= client-side helm replace two-way"}, \
	{"server-version", 0, OPTION_TEXT, "MINOR", \
	 "of the API server, e.g. 1.34; the dump's, else the newest", OPTION(server_version)}, \
	POLICY_OPTION

#define RELEASE_OPTIONS \
	{"flagger", 0, OPTION_TEXT, "RELEASE", \
	 "the running Flagger, where its image tag names no release", OPTION(flagger)}, \
	{"k8s", 0, OPTION_TEXT, "MINOR", \
	 "the k8s.io/api minor it was built with, e.g. 0.34", OPTION(k8s)}, \
	{"selector-labels", 0, OPTION_TEXT, "LABELS", \
	 "Flagger's -selector-labels; read from its arguments if not given", OPTION(selector_labels)}

#define NAMESPACE_OPTIONS \
	{"namespace", 'n', OPTION_TEXT, "NAMESPACE", \
	 "only this one, and the namespace of manifests that name none; of a cluster the context's if not given", \
	 OPTION(namespace)}, \
	{"all-namespaces", 'A', OPTION_SWITCH, NULL, "all of them, as of a dump without -n", OPTION(all_namespaces)}

/* Of verbs that look at many: canaries or, where there are none, the objects themselves. */
#define SCOPE_OPTIONS \
	NAMESPACE_OPTIONS, \
	{"selector", 'l', OPTION_TEXT, "LABELS", \
	 "only those with these labels, e.g. app=web,tier!=cache", OPTION(selector)}

#define CLUSTER_OPTIONS \
	{"kubeconfig", 0, OPTION_TEXT, "FILE", \
	 "as for kubectl; KUBECONFIG, ~/.kube/config or the Pod's account if not given", OPTION(kubeconfig)}, \
	{"context", 0, OPTION_TEXT, "NAME", "of the kubeconfig; its current one if not given", OPTION(context)}, \
	{"as", 0, OPTION_TEXT, "USER", "act as this user or service account", OPTION(as)}, \
	{"as-group", 0, OPTION_LIST, "GROUP", "and as one of this group (repeatable)", OPTION(as_groups)}, \
	{"timeout", 0, OPTION_TEXT, "TIME", "for all of it, e.g. 90s or 10m", OPTION(timeout)}

#define WRITE_OPTIONS \
	{"dry-run", 0, OPTION_TEXT, "HOW", \
	 "none, client (say what would be written) or server (ask it, store nothing)", OPTION(dry_run), \
	 "none client server"}, \
	{"yes", 'y', OPTION_SWITCH, NULL, "don't ask before writing to a whole fleet", OPTION(yes)}, \
	{"log-format", 0, OPTION_TEXT, "FORMAT", "of messages: text or json", OPTION(log_format), "text json"}

#define VERBOSE_OPTION \
	{"verbose", 'v', OPTION_SWITCH, NULL, "say what was read and left out", OPTION(verbose)}

#define VIA_OPTION \
	{"via", 0, OPTION_TEXT, "WAY", \
	 "how holds and ships reach a Canary: canary (if not given), or configmap[=[NAMESPACE/]NAME] that Flux " \
	 "substitutes from; PERCH_VIA if not given", OPTION(via)}

#define OUTPUT_OPTIONS \
	{"output", 'o', OPTION_TEXT, "FORMAT", "human, json, tsv or name", OPTION(output), "human json tsv name"}, \
	VERBOSE_OPTION

/* Of verbs that a CI step runs. */
#define CI_OUTPUT_OPTIONS \
	{"output", 'o', OPTION_TEXT, "FORMAT", "human, json, tsv, name, markdown or github", OPTION(output), \
	 "human json tsv name markdown github"}, \
	VERBOSE_OPTION

/* What is decided, and by what: of every verb that gives a verdict without a write. */
#define DECISION_OPTIONS \
	LIVE_OPTIONS, \
	RENDERED_OPTIONS, \
	APPLY_OPTIONS, \
	RELEASE_OPTIONS, \
	{"flow", 0, OPTION_TEXT, "FLOW", \
	 "add what guard, reconcile, resume or commit would do", OPTION(flow), "guard reconcile resume commit"}

/* The end of every table of a verb that decides canaries of a cluster and writes. */
#define FLEET_WRITE_OPTIONS \
	SCOPE_OPTIONS, \
	RELEASE_OPTIONS, \
	POLICY_FILE_OPTION, \
	CLUSTER_OPTIONS, \
	WRITE_OPTIONS, \
	OUTPUT_OPTIONS

#define NO_MORE_OPTIONS {NULL, 0, OPTION_SWITCH, NULL, NULL, 0}

#endif
