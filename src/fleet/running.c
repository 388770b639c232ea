/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/running.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "flagger/canary.h"
#include "flagger/hash.h"
#include "k8s/schema.h"

#define DEFAULT_SELECTOR_LABELS "app,name,app.kubernetes.io/name"
#define GUESS_FROM 64 /* canaries are enough */

/* The release in hand, and what may settle or contradict it. */
struct given {
	struct release release;
	int k8s;
	bool has_release, has_k8s;
	const char *option; /* --flagger, or whatever gave the release */
	const char *selector_labels;
};

static int read_options(struct given *out, const struct running_options *o, struct error *err)
{
	char *end;

	*out = (struct given){.option = o->option, .selector_labels = o->selector_labels};
	if (o->flagger) {
		if (release_parse(&out->release, o->flagger, err) != 0)
			return error_wrap(err, "%s", o->option);
		out->has_release = true;
	}
	if (o->k8s) {
		long minor = strtol(strncmp(o->k8s, "0.", 2) == 0 ? o->k8s + 2 : o->k8s, &end, 10);

		if (*end || !schema_minor_known(minor))
			return error_set(err, ERR_USAGE, "--k8s: '%s' is no k8s.io/api minor that perch knows", o->k8s);
		out->k8s = (int)minor;
		out->has_k8s = true;
	}
	if (out->has_release && out->has_k8s)
		return error_set(err, ERR_USAGE, "%s and --k8s exclude each other", o->option);
	return 0;
}

static void take_release(struct flagger *f, const struct release *r, enum evidence evidence)
{
	f->release = *r;
	f->k8s = release_k8s(r);
	f->evidence = evidence;
}

static void take_given(struct flagger *f, const struct given *given)
{
	if (given->has_release)
		take_release(f, &given->release, EVIDENCE_FLAG);
	if (given->has_k8s) {
		f->k8s = given->k8s;
		f->evidence = EVIDENCE_FLAG;
	}
}

static void contradict(struct running *r, const char *problem)
{
	r->contradicts = true;
	r->flagger.k8s = 0;
	r->flagger.evidence = EVIDENCE_NONE;
	r->flagger.problem = problem;
}

/* The tag is a release: nothing else may say otherwise. */
static void by_image(struct running *r, const struct release *tag, const struct given *given,
		     const char *label, struct notes *warnings)
{
	struct release labelled;

	take_release(&r->flagger, tag, EVIDENCE_IMAGE);
	if (given->has_release && release_compare(tag, &given->release) != 0)
		contradict(r, arena_printf("%s says %s, the image tag of %s says %s", given->option,
					   release_text(&given->release), r->where, release_text(tag)));
	else if (given->has_k8s && given->k8s != release_k8s(tag))
		contradict(r, arena_printf("--k8s says 0.%d, the image tag of %s says %s, built with 0.%d",
					   given->k8s, r->where, release_text(tag), release_k8s(tag)));
	else if (label && release_read(&labelled, label) == RELEASE_KNOWN &&
		 release_compare(&labelled, tag) != 0)
		note_add(warnings, "flagger: the version label of %s says %s, its image tag %s counts",
			 r->where, label, release_text(tag));
}

static void by_less(struct running *r, const char *image, const struct given *given,
		    const char *label, struct notes *warnings)
{
	struct release labelled;

	if (given->has_release || given->has_k8s) {
		take_given(&r->flagger, given);
		return;
	}
	if (label && release_read(&labelled, label) == RELEASE_KNOWN) {
		take_release(&r->flagger, &labelled, EVIDENCE_LABEL);
		note_add(warnings, "flagger: the image of %s names no release, its version label says %s",
			 r->where, label);
		return;
	}
	r->flagger.problem = arena_printf("the image '%s' of %s names no release that perch knows, pass %s",
					  image, r->where, given->option);
}

static void find_release(struct running *r, const char *label, const struct given *given,
			 struct notes *warnings)
{
	const char *image = r->image;
	struct release tag;

	switch (release_read(&tag, image)) {
	case RELEASE_KNOWN:
		by_image(r, &tag, given, label, warnings);
		break;
	case RELEASE_NONE:
		by_less(r, image, given, label, warnings);
		break;
	case RELEASE_UNLISTED:
		contradict(r, arena_printf("Flagger %s of %s is none that perch knows, upgrade perch",
					   release_text(&tag), r->where));
		break;
	case RELEASE_AMBIGUOUS:
		contradict(r, arena_printf("the image '%s' of %s fits releases of different schemas", image, r->where));
		break;
	}
}

/* The value of Go flag `name` in this word, or in the next one; NULL if it isn't that flag. */
static const char *flag_value(const char *word, const char *next, const char *name)
{
	size_t len = strlen(name);

	if (word[0] != '-')
		return NULL;
	word += word[1] == '-' ? 2 : 1;
	if (strncmp(word, name, len) != 0)
		return NULL;
	if (word[len] == '=')
		return word + len + 1;
	return word[len] ? NULL : next;
}

static void read_arguments(struct running *r, const struct tree *words)
{
	tree_each(child, words) {
		const char *word = tree_string_or(child, "");
		const char *next = tree_string_or(tree_next(child), ""), *value;

		if ((value = flag_value(word, "true", "enable-config-tracking")))
			r->flagger.config_tracking = strchr("1tT", *value) && *value;
		if ((value = flag_value(word, next, "selector-labels")))
			r->flagger.selector_labels = arena_strdup(value);
		if ((value = flag_value(word, next, "namespace")))
			r->watches = arena_strdup(value);
	}
}

const struct tree *running_container(const struct tree *pod_spec)
{
	tree_each(c, tree_get(pod_spec, "containers"))
		if (release_is_flagger(tree_string_or(tree_get(c, "image"), "")))
			return c;
	return NULL;
}

static struct running defaults(const struct given *given)
{
	return (struct running){
		.flagger = {.config_tracking = true, .selector_labels = DEFAULT_SELECTOR_LABELS},
		.watches = "",
		.image = "",
		.where = given->has_release || given->has_k8s ? "the command line" : "nowhere",
	};
}

const struct tree *running_likely_container(const struct tree *pod_spec)
{
	const struct tree *containers = tree_get(pod_spec, "containers"), *sure = running_container(pod_spec);

	if (sure)
		return sure;
	tree_each(c, containers)
		if (strstr(tree_string_or(tree_get(c, "image"), ""), "flagger"))
			return c;
	return tree_first(containers);
}

/* Of a Deployment or a Pod. */
static struct running read_workload(const struct tree *object, const struct tree *pod_spec,
				    const struct given *given, struct notes *warnings)
{
	const struct tree *container = running_likely_container(pod_spec);
	struct identity id = object_identity(object, "default");
	struct running r = defaults(given);

	r.where = arena_printf("%s/%s", id.namespace, id.name);
	r.image = arena_strdup(tree_string_or(tree_get(container, "image"), ""));
	read_arguments(&r, tree_get(container, "command"));
	read_arguments(&r, tree_get(container, "args"));
	if (given->selector_labels)
		r.flagger.selector_labels = given->selector_labels;
	find_release(&r, object_label(object, "app.kubernetes.io/version"), given, warnings);
	return r;
}

int running_pod(struct running *out, const struct tree *pod, const struct running_options *o,
		struct notes *warnings, struct error *err)
{
	struct given given;

	if (read_options(&given, o, err) != 0)
		return -1;
	*out = read_workload(pod, tree_get(pod, "spec"), &given, warnings);
	return 0;
}

int running_find(struct runnings *out, const struct dump *dump, const struct running_options *o,
		 struct notes *warnings, struct error *err)
{
	struct given given;

	*out = (struct runnings){0};
	if (read_options(&given, o, err) != 0)
		return -1;
	out->none = defaults(&given);
	out->none.flagger.problem = arena_printf("no Flagger Deployment in the input, pass %s", o->option);
	take_given(&out->none.flagger, &given);
	if (given.selector_labels)
		out->none.flagger.selector_labels = given.selector_labels;
	if (!dump)
		return 0;
	out->items = NEW_ARRAY(struct running, dump->flaggers.count + 1);
	for (size_t i = 0; i < dump->flaggers.count; i++) {
		const struct tree *t = dump_fetch(dump, index_at(&dump->flaggers, i), err);

		if (!t)
			return -1;
		out->items[out->count++] = read_workload(t, tree_path(t, "spec", "template", "spec", NULL), &given, warnings);
	}
	return 0;
}

static bool act_alike(const struct flagger *a, const struct flagger *b)
{
	return a->k8s == b->k8s && release_compare(&a->release, &b->release) == 0 &&
	       a->config_tracking == b->config_tracking &&
	       strcmp(a->selector_labels, b->selector_labels) == 0;
}

struct running running_for(const struct runnings *all, const char *namespace)
{
	struct running found = all->none;
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct running *r = &all->items[i];

		if (namespace && *r->watches && strcmp(r->watches, namespace) != 0)
			continue;
		if (n++ == 0)
			found = *r;
		else if (!act_alike(&found.flagger, &r->flagger))
			contradict(&found, arena_printf("two Flaggers act here: %s and %s", found.where, r->where));
	}
	if (n == 0 && all->count && !found.flagger.k8s)
		found.flagger.problem = arena_printf("no Flagger watches namespace '%s' (%s watches '%s'), pass --flagger",
						     namespace, all->items[0].where, all->items[0].watches);
	return found;
}

static void count_matches(size_t matches[], const struct dump *dump, const struct tree *object)
{
	struct error ignored;
	struct canary c;
	struct seen target;

	if (canary_read(&c, object, &ignored) != 0 || !phase_settled(c.phase) || !*c.applied)
		return;
	target = dump_find(dump, c.target_kind, c.namespace, c.target_name);
	for (int m = schema_next_minor(0); target.object && m; m = schema_next_minor(m)) {
		char hash[HASH_SIZE];

		if (flagger_hash(hash, target.object, m, &ignored) == 0 && strcmp(hash, c.applied) == 0)
			matches[m]++;
	}
}

int running_guess(const struct dump *dump)
{
	size_t matches[SCHEMA_NEVER] = {0};
	int best = 0;

	for (size_t i = 0; i < dump->canaries.count && i < GUESS_FROM; i++) {
		struct arena_mark mark = arena_mark();
		struct error ignored;
		const struct tree *t = dump_fetch(dump, index_at(&dump->canaries, i), &ignored);

		if (t)
			count_matches(matches, dump, t);
		arena_rewind(mark);
	}
	/* Of minors that explain as many, the newest: hashes of older ones may agree. */
	for (int m = 0; m < SCHEMA_NEVER; m++)
		if (matches[m] && matches[m] >= matches[best])
			best = m;
	return best;
}

void running_settle(struct running *r, int guessed_minor)
{
	if (r->flagger.k8s || r->contradicts || !guessed_minor)
		return;
	r->flagger.k8s = guessed_minor;
	r->flagger.evidence = EVIDENCE_GUESS;
	release_last_with(&r->flagger.release, guessed_minor);
}
