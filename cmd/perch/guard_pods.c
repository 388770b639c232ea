/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/guard_pods.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "fleet/guarded.h"
#include "io/clock.h"
#include "report/talk.h"
#include "value/json.h"

#define LOOK_AGAIN_MS 2000

static const struct api_kind pods = {"", "v1", "pods"};

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static void find_own(struct guard_pod *pod, const struct live *l)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	pod->name = environment("POD_NAME");
	if (!pod->name)
		pod->name = arena_strdup(host);
	pod->namespace = environment("POD_NAMESPACE");
	if (!pod->namespace)
		pod->namespace = l->access.namespace;
}

int guard_pod_read(struct guard_pod *out, const struct settings *s, const struct live *l,
		   struct notes *warnings, struct error *err)
{
	struct running_options o = {"--flagger", s->flagger, s->k8s, s->selector_labels};
	struct api_call call = {.http = {.method = "GET"}};

	*out = (struct guard_pod){0};
	find_own(out, l);
	call.http.path = api_path(&pods, out->namespace, out->name);
	if (api_call(l->api, &call, err) != 0)
		return error_wrap(err, "Flagger's Pod %s/%s", out->namespace, out->name);
	if (!call.object)
		return error_set(err, ERR_USAGE, "there is no Pod '%s/%s', guard runs as an init container of "
				 "Flagger's", out->namespace, out->name);
	return running_pod(&out->running, call.object, &o, warnings, err);
}

struct look {
	const struct guard_pod *own;
	struct buffer stay;
};

/* The status of the container that runs Flagger; NULL: none is known of it yet. */
static const struct tree *flagger_status(const struct tree *pod)
{
	const char *name = tree_string(tree_get(running_container(tree_get(pod, "spec")), "name"));

	tree_each(status, tree_path(pod, "status", "containerStatuses", NULL))
		if (name && strcmp(tree_string_or(tree_get(status, "name"), ""), name) == 0)
			return status;
	return NULL;
}

/* Running or, past its init containers, about to be started again. */
static bool may_act(const struct tree *pod)
{
	const struct tree *status = flagger_status(pod), *state = tree_get(status, "state");
	bool ends = tree_path(pod, "metadata", "deletionTimestamp", NULL);

	if (tree_get(state, "running"))
		return true;
	return tree_get(state, "waiting") && tree_path(status, "lastState", "terminated", NULL) && !ends;
}

static bool in_common(const struct running *a, const struct running *b)
{
	return !*a->watches || !*b->watches || strcmp(a->watches, b->watches) == 0;
}

/* The same hashes, whichever canaries it watches. */
static bool hashes_alike(const struct running *a, const struct running *b)
{
	struct guarded one = guarded_of(a, ""), other = guarded_of(b, "");

	other.watches = one.watches;
	return guarded_alike(&one, &other);
}

static int look_at(void *arg, const char *text, size_t len, struct error *err)
{
	struct look *look = arg;
	struct notes ignored = {0};
	const struct tree *pod = json_parse(text, len, "a Pod", err);
	const char *name = tree_string_or(tree_path(pod, "metadata", "name", NULL), "");
	struct running r;

	if (!pod)
		return -1;
	if (strcmp(name, look->own->name) == 0 || !running_container(tree_get(pod, "spec")) || !may_act(pod))
		return 0;
	if (running_pod(&r, pod, &(struct running_options){"--flagger"}, &ignored, err) != 0)
		return -1;
	if (!in_common(&r, &look->own->running) || hashes_alike(&r, &look->own->running))
		return 0;
	buffer_printf(&look->stay, "%s%s of %s", look->stay.len ? ", " : "",
		      r.flagger.release.major ? release_text(&r.flagger.release) : r.image, name);
	return 0;
}

static int restart(void *arg, struct error *err)
{
	struct look *look = arg;

	(void)err;
	look->stay.len = 0;
	return 0;
}

static int look_around(struct look *look, const struct live *l, struct error *err)
{
	struct api_list list = {
		.path = api_path(&pods, look->own->namespace, NULL),
		.item = look_at,
		.restart = restart,
		.arg = look,
	};
	struct api_list *lists[] = {&list};

	if (api_lists(l->api, lists, 1, err) != 0)
		return -1;
	if (list.status == 403) {
		*err = list.refusal;
		return -1;
	}
	return 0;
}

int guard_pods_wait(const char **stay, const struct guard_pod *own, const struct live *l, int64_t deadline,
		    struct error *err)
{
	bool said = false;

	*stay = NULL;
	for (;;) {
		struct arena_mark mark = arena_mark();
		struct look look = {.own = own, .stay = {.max = 4096}};

		if (look_around(&look, l, err) != 0)
			return -1;
		if (!look.stay.len)
			return 0;
		if (!said)
			talk_waiting("waiting for Flagger %s to end", buffer_text(&look.stay));
		said = true;
		if (clock_passed(deadline)) {
			*stay = buffer_text(&look.stay);
			return 0;
		}
		arena_rewind(mark);
		clock_sleep(LOOK_AGAIN_MS);
	}
}
