/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of perch's own Jobs, CronJobs and policies, and the checks of them. */
#include <string.h>
#include <strings.h>

#include "fleet/doctor_facts.h"

#define FORCE "kustomize.toolkit.fluxcd.io/force"
#define ARGO_HOOK "argocd.argoproj.io/hook"
#define HELM_HOOK "helm.sh/hook"
#define POLICY "perch-fields"

/* registry.example/perch:0.1.0 */
static bool is_perch_image(const char *image)
{
	const char *slash = strrchr(image, '/'), *name = slash ? slash + 1 : image;

	return strncmp(name, "perch", 5) == 0 && (!name[5] || strchr(":@", name[5]));
}

static const struct tree *perch_container(const struct tree *pod_spec)
{
	tree_each(c, tree_get(pod_spec, "containers"))
		if (is_perch_image(tree_string_or(tree_get(c, "image"), "")) ||
		    strcmp(tree_string_or(tree_get(c, "name"), ""), "perch") == 0)
			return c;
	return NULL;
}

static bool has_argument(const struct tree *container, const char *wanted)
{
	tree_each(word, tree_get(container, "args"))
		if (strcmp(tree_string_or(word, ""), wanted) == 0)
			return true;
	return false;
}

static const char *verb_of(const struct tree *container)
{
	static const char *const verbs[] = {"hook", "reconcile", "resume", "guard", "hold"};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (has_argument(container, verbs[i]))
			return verbs[i];
	return "";
}

static bool says(const struct tree *object, const char *key, const char *value)
{
	const char *label = object_label(object, key), *annotation = object_annotation(object, key);

	return (label && strcasecmp(label, value) == 0) || (annotation && strcasecmp(annotation, value) == 0);
}

static bool is_pod(const struct tree *object)
{
	return strcmp(tree_string_or(tree_get(object, "kind"), ""), "Pod") == 0;
}

static const char *hook_of(const struct tree *object)
{
	const char *argo = object_annotation(object, ARGO_HOOK), *helm = object_annotation(object, HELM_HOOK);

	return argo ? argo : helm;
}

static const struct tree *pod_spec(const struct tree *object)
{
	return is_pod(object) ? tree_get(object, "spec") : tree_path(object, "spec", "template", "spec", NULL);
}

/* A Job's own Pods are none of its. */
static bool is_ours(const struct tree *object)
{
	return perch_container(pod_spec(object)) && (!is_pod(object) || hook_of(object));
}

void doctor_keep_job(struct doctor *d, const struct tree *object)
{
	const char *hook = hook_of(object);
	struct job_fact *f;

	if (!is_ours(object))
		return;
	f = KEEP(d, struct job_fact);
	f->at = doctor_keep_at(d);
	doctor_keep_apps(d, f->apps, object);
	f->verb = verb_of(perch_container(pod_spec(object)));
	f->hook = hook;
	f->post_sync = hook && (strstr(hook, "PostSync") || strstr(hook, "post-"));
	f->forced = says(object, FORCE, "enabled");
	tree_int64(tree_path(object, "spec", "activeDeadlineSeconds", NULL), &f->deadline);
	f->next = d->jobs;
	d->jobs = f;
	d->installed = true;
	d->reconciler |= strcmp(f->verb, "reconcile") == 0;
}

void doctor_keep_cronjob(struct doctor *d, const struct tree *object)
{
	const struct tree *spec = tree_path(object, "spec", "jobTemplate", "spec", "template", "spec", NULL);
	const struct tree *perch = perch_container(spec);

	if (!perch || tree_true(tree_path(object, "spec", "suspend", NULL)))
		return;
	d->installed = true;
	d->sweeper |= has_argument(perch, "resume") && has_argument(perch, "--expired");
	d->reconciler |= has_argument(perch, "reconcile");
}

void doctor_keep_policy(struct doctor *d, const struct tree *object)
{
	bool denies = false;

	if (strcmp(tree_string_or(tree_path(object, "spec", "policyName", NULL), ""), POLICY) != 0)
		return;
	tree_each(action, tree_path(object, "spec", "validationActions", NULL))
		denies |= strcmp(tree_string_or(action, ""), "Deny") == 0;
	d->policy |= denies;
}

/* A hook is removed by its engine; all else that is applied counts as drift once it is gone. */
void check_job_ttl(struct doctor *d, const struct tree *object)
{
	const struct tree *ttl = tree_path(object, "spec", "ttlSecondsAfterFinished", NULL);
	const char *seconds = tree_number(ttl); /* a variable is none yet */
	struct app apps[APPS_MAX] = {0};

	if (tree_empty(ttl) || !is_ours(object) || hook_of(object))
		return;
	doctor_keep_apps(d, apps, object);
	if (d->at.manifest || apps[0].engine == ENGINE_FLUX || apps[0].engine == ENGINE_ARGO)
		doctor_find(d, "spec.ttlSecondsAfterFinished", "gone %s%safter its end", seconds ? seconds : "",
			    seconds ? " s " : "");
}

void check_job_no_deadline(struct doctor *d, const struct tree *object)
{
	int64_t deadline;

	if (is_ours(object) && !tree_int64(tree_path(object, "spec", "activeDeadlineSeconds", NULL), &deadline))
		doctor_find(d, "spec.activeDeadlineSeconds", "it has none");
}

static const struct app_fact *kustomization_of(const struct doctor *d, const struct job_fact *j)
{
	for (size_t i = 0; i < APPS_MAX; i++)
		if (j->apps[i].engine == ENGINE_FLUX)
			return doctor_app(d, &j->apps[i]);
	return NULL;
}

void check_job_not_forced(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct job_fact *j = d->jobs; j; j = j->next) {
		const struct app_fact *k = kustomization_of(d, j);

		if (k && !k->forces && !j->forced && !j->hook)
			doctor_find_at(d, &j->at, "", "Kustomization %s/%s doesn't force", k->at.id.namespace,
				       k->at.id.name);
	}
}

void check_job_outlives_timeout(struct doctor *d, const struct tree *object)
{
	(void)object;
	for (const struct job_fact *j = d->jobs; j; j = j->next) {
		const struct app_fact *k = kustomization_of(d, j);

		if (k && k->timeout && j->deadline >= k->timeout)
			doctor_find_at(d, &j->at, "spec.activeDeadlineSeconds",
				       "%lld s, and Kustomization %s/%s waits %lld s", (long long)j->deadline,
				       k->at.id.namespace, k->at.id.name, (long long)k->timeout);
	}
}

/* Without end a policy's hold needs no sweeper. */
void check_no_sweeper(struct doctor *d, const struct tree *object)
{
	(void)object;
	if (d->sweeper || !doctor_has_listed(d, ABOUT_CRONJOB))
		return;
	for (const struct canary_fact *c = d->canaries; c; c = c->next)
		if (*c->until)
			doctor_find_at(d, &c->at, "", "held until %s, and there is no CronJob of perch's", c->until);
}

void check_no_policy(struct doctor *d, const struct tree *object)
{
	const struct at at = {{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", "", POLICY}, NULL};

	(void)object;
	if (d->installed && !d->policy && doctor_has_listed(d, ABOUT_POLICY))
		doctor_find_at(d, &at, "", "perch is installed, and no binding of the policy denies");
}
