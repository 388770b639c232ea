/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/live.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "report/talk.h"

#define REQUEST_MS (60 * 1000)
#define RETRIES 4

/* One that a path can hold as it is: a proxy on the way may resolve "..", and the whole cluster were meant. */
static bool is_segment(const char *name)
{
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !strpbrk(name, "/%");
}

static int check_names(const struct settings *s, struct error *err)
{
	if (s->namespace && !is_segment(s->namespace))
		return error_set(err, ERR_USAGE, "-n: '%s' is no name of a namespace", s->namespace);
	for (size_t i = 0; i < s->operands.count; i++) {
		const char *operand = s->operands.items[i], *slash = strchr(operand, '/');
		const char *namespace = slash ? arena_strndup(operand, (size_t)(slash - operand)) : "";

		if (!is_segment(namespace) || !is_segment(slash ? slash + 1 : operand))
			return error_set(err, ERR_USAGE, "'%s' is no name of a canary", operand);
	}
	return 0;
}

int live_connect(struct live *out, const struct settings *s, struct error *err)
{
	struct kubeconfig_options options = {s->kubeconfig, s->context, s->as, s->as_groups};
	struct api_options *api = &out->access.api;
	struct notes warnings = {0};
	int64_t time = 0;
	int failed;

	*out = (struct live){0};
	if (s->timeout && clock_duration(&time, s->timeout, err) != 0)
		return error_wrap(err, "--timeout");
	if (s->timeout && time == 0)
		return error_set(err, ERR_USAGE, "--timeout: '%s' is no time; without the option there is no limit",
				 s->timeout);
	failed = kubeconfig_access(&out->access, &options, &warnings, err) != 0;
	talk_warnings(&warnings, NULL);
	if (failed || check_names(s, err) != 0)
		return -1;
	out->deadline = clock_deadline(time);
	kubeconfig_deadline(&out->access, out->deadline);
	api->http.request_ms = REQUEST_MS;
	api->http.trace = s->verbose ? talk_trace : NULL;
	api->retries = RETRIES;
	return api_open(&out->api, api, err);
}

void live_close(struct live *l)
{
	api_close(l->api);
	l->api = NULL;
}

struct cluster_scope live_scope(const struct live *l, const struct settings *s)
{
	return (struct cluster_scope){
		.namespace = s->all_namespaces ? NULL : s->namespace ? s->namespace : l->access.namespace,
		.names = &s->operands,
		.selector = s->selector,
		.secrets = s->secrets,
	};
}

/* On a terminal a person is asked; a pipeline has said --yes, or nothing is done. */
int live_confirm(const struct settings *s, const struct live *l, size_t canaries, const char *what,
		 struct error *err)
{
	int answer;

	if (!s->all_namespaces)
		return 0;
	talk_info("cluster %s (%s): %zu canar%s to %s", l->access.cluster, api_server(l->api), canaries,
		  canaries == 1 ? "y" : "ies", what);
	if (s->yes || (s->dry_run && strcmp(s->dry_run, "none") != 0) || canaries == 0)
		return 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return error_set(err, ERR_USAGE, "-A writes to a whole cluster, and nobody can be asked here: pass --yes");
	fprintf(stderr, "Go on? [y/N] ");
	answer = getchar();
	return answer == 'y' || answer == 'Y' ? 0 : error_set(err, ERR_REFUSED, "not confirmed, nothing was written");
}
