/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_plugin.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/clock.h"
#include "io/process.h"
#include "source/kubeconfig_shape.h"
#include "value/base64.h"
#include "value/yaml.h"

#define GROUP "client.authentication.k8s.io/"
#define EXTENSION "client.authentication.k8s.io/exec"
#define ANSWER_MAX ((size_t)64 << 10)
#define LONGEST_MS (10 * 60 * 1000) /* somebody may be asked to sign in */

/* --- what the kubeconfig says */

static const char *const *arguments(const struct kubeconfig_entry *user, const struct tree *exec)
{
	const struct tree *args = tree_get(exec, "args");
	const char **argv = NEW_ARRAY(const char *, tree_len(args) + 2);
	const char *command = tree_string(tree_get(exec, "command"));
	size_t n = 0;

	argv[n++] = strchr(command, '/') ? entry_resolve(user, command) : command;
	tree_each(arg, args)
		argv[n++] = tree_string_or(arg, "");
	return argv;
}

static int read_environment(struct kubeconfig_plugin *out, const struct kubeconfig_entry *user,
			    const struct tree *exec, struct error *err)
{
	const struct tree *env = tree_get(exec, "env");
	const char **list = NEW_ARRAY(const char *, tree_len(env) + 2);

	tree_each(v, env) {
		const char *name = tree_string_or(tree_get(v, "name"), "");

		if (!*name)
			return entry_fault(user, "exec/env", err, "a variable of user '%s' has no name",
					   user->name);
		list[out->env_count++] =
			arena_printf("%s=%s", name, tree_string_or(tree_get(v, "value"), ""));
	}
	out->env = list;
	return 0;
}

static bool is_mode(const char *mode)
{
	return strcmp(mode, "Never") == 0 || strcmp(mode, "IfAvailable") == 0 || strcmp(mode, "Always") == 0;
}

static int read_mode(struct kubeconfig_plugin *out, const struct kubeconfig_entry *user,
		     const struct tree *exec, struct error *err)
{
	const char *mode = tree_string_or(tree_get(exec, "interactiveMode"), "");

	if (!*mode && strcmp(out->api_version, GROUP "v1beta1") == 0)
		mode = "IfAvailable";
	if (!*mode)
		return entry_fault(user, "exec", err, "the credential plugin of user '%s' has no interactiveMode",
				   user->name);
	if (!is_mode(mode))
		return entry_fault(user, "exec/interactiveMode", err,
				   "interactiveMode is '%s', not one of Never, IfAvailable, Always", mode);
	out->mode = mode;
	return 0;
}

static const struct tree *find_extension(const struct kubeconfig_entry *cluster)
{
	tree_each(e, tree_get(cluster->value, "extensions"))
		if (strcmp(tree_string_or(tree_get(e, "name"), ""), EXTENSION) == 0)
			return tree_get(e, "extension");
	return NULL;
}

/* As client-go tells it: the authority always by its bytes, what is absent left out. */
static const struct tree *describe(const struct kubeconfig_entry *cluster, const struct pem *ca)
{
	static const char *const copied[] = {"server", "tls-server-name", "insecure-skip-tls-verify"};
	static const char *const then[] = {"proxy-url", "disable-compression"};
	const struct tree *config = find_extension(cluster);
	struct tree *out = tree_new_map();

	for (size_t i = 0; i < sizeof(copied) / sizeof(*copied); i++)
		if (entry_text(cluster, copied[i]) || tree_true(tree_get(cluster->value, copied[i])))
			tree_add(out, copied[i], tree_copy(tree_get(cluster->value, copied[i])));
	if (ca->len)
		tree_add(out, "certificate-authority-data", tree_new_string(base64_encode(ca->data, ca->len)));
	for (size_t i = 0; i < sizeof(then) / sizeof(*then); i++)
		if (entry_text(cluster, then[i]) || tree_true(tree_get(cluster->value, then[i])))
			tree_add(out, then[i], tree_copy(tree_get(cluster->value, then[i])));
	tree_add(out, "config", config ? tree_copy(config) : tree_new_null());
	return out;
}

int kubeconfig_plugin(struct kubeconfig_plugin *out, const struct kubeconfig_entry *user,
		      const struct kubeconfig_entry *cluster, const struct pem *ca, struct error *err)
{
	const struct tree *exec = tree_get(user->value, "exec");
	const char *version = tree_string_or(tree_get(exec, "apiVersion"), "");
	const char *hint = tree_string_or(tree_get(exec, "installHint"), "");

	*out = (struct kubeconfig_plugin){.user = user->name, .api_version = version};
	out->install_hint = *hint ? hint : NULL;
	if (!*tree_string_or(tree_get(exec, "command"), ""))
		return entry_fault(user, "exec", err, "the credential plugin of user '%s' has no command",
				   user->name);
	if (strcmp(version, GROUP "v1") != 0 && strcmp(version, GROUP "v1beta1") != 0)
		return entry_fault(user, "exec/apiVersion", err,
				   "apiVersion is '%s', not one of " GROUP "v1, " GROUP "v1beta1", version);
	out->argv = arguments(user, exec);
	if (tree_true(tree_get(exec, "provideClusterInfo")))
		out->cluster = describe(cluster, ca);
	return read_environment(out, user, exec, err) || read_mode(out, user, exec, err) ? -1 : 0;
}

/* --- running it */

static const char *exec_info(const struct kubeconfig_plugin *p, bool interactive)
{
	struct tree *info = tree_new_map(), *spec = tree_new_map();
	struct buffer b = {0};

	if (p->cluster)
		tree_add(spec, "cluster", tree_copy(p->cluster));
	tree_add(spec, "interactive", tree_new_bool(interactive));
	tree_add(info, "kind", tree_new_string("ExecCredential"));
	tree_add(info, "apiVersion", tree_new_string(p->api_version));
	tree_add(info, "spec", spec);
	buffer_str(&b, "KUBERNETES_EXEC_INFO=");
	tree_print(&b, info, 0);
	return buffer_text(&b);
}

/* Puts whose plugin it was in front. */
static int failed(struct error *err, const struct kubeconfig_plugin *p)
{
	return error_wrap(err, "can't get the credentials of user '%s'", p->user);
}

static int run(struct process *process, const struct kubeconfig_plugin *p, int64_t deadline,
	       struct error *err)
{
	const char **env = NEW_ARRAY(const char *, p->env_count + 2);
	int64_t left = clock_left(deadline);

	memcpy(env, p->env, p->env_count * sizeof(*env));
	*process = (struct process){.argv = p->argv, .env = env, .output = {.max = ANSWER_MAX}};
	process->timeout_ms = left < LONGEST_MS ? left + 1 : LONGEST_MS;
	process->interactive = strcmp(p->mode, "Never") != 0 && isatty(STDIN_FILENO);
	if (strcmp(p->mode, "Always") == 0 && !process->interactive)
		return error_set(err, ERR_INPUT, "'%s' asks on a terminal, and standard input is none", p->argv[0]);
	env[p->env_count] = exec_info(p, process->interactive);
	if (process_run(process, err) == 0)
		return 0;
	if (process->missing && p->install_hint) {
		struct error cause = *err;

		return error_set(err, ERR_INPUT, "%s; %s", cause.text, p->install_hint);
	}
	if (process->status)
		err->kind = ERR_UNREACHABLE;
	return -1;
}

static int keep_document(void *arg, const struct tree *t, unsigned line, struct error *err)
{
	const struct tree **out = arg;

	(void)line;
	*out = t;
	return error_set(err, ERR_INPUT, "stop");
}

static int read_expiry(struct credentials *out, const char *text, const struct kubeconfig_plugin *p,
		       struct error *err)
{
	if (text && !clock_read(&out->expires, text))
		return error_set(err, ERR_INPUT, "'%s' answered an expirationTimestamp that is no time",
				 p->argv[0]);
	return 0;
}

static struct pem pem_of(const char *text)
{
	return (struct pem){.data = *text ? text : NULL, .len = strlen(text)};
}

static int read_status(struct credentials *out, const struct tree *status,
		       const struct kubeconfig_plugin *p, struct error *err)
{
	const char *token = tree_string_or(tree_get(status, "token"), "");

	if (tree_kind(status) != TREE_MAP)
		return error_set(err, ERR_INPUT, "'%s' answered without a status", p->argv[0]);
	out->token = *token ? token : NULL;
	out->certificate = pem_of(tree_string_or(tree_get(status, "clientCertificateData"), ""));
	out->key = pem_of(tree_string_or(tree_get(status, "clientKeyData"), ""));
	if (!out->token && !out->certificate.len && !out->key.len)
		return error_set(err, ERR_INPUT, "'%s' answered neither token nor certificate", p->argv[0]);
	if (!out->certificate.len != !out->key.len)
		return error_set(err, ERR_INPUT, "'%s' answered only one of certificate and key", p->argv[0]);
	return read_expiry(out, tree_string(tree_get(status, "expirationTimestamp")), p, err);
}

static int read_answer(struct credentials *out, const struct buffer *answer,
		       const struct kubeconfig_plugin *p, struct error *err)
{
	const struct tree *root = NULL;
	struct yaml_documents d = {keep_document, NULL, &root, "answer"};
	struct error ignored;
	const char *what, *kind, *name = p->argv[0];

	yaml_load(&d, answer->len ? answer->data : "", answer->len, &ignored);
	if (tree_kind(root) != TREE_MAP)
		return error_set(err, ERR_INPUT, "'%s' answered no ExecCredential", name);
	if (shape_fault(&what, exec_credential_shape, root))
		return error_set(err, ERR_INPUT, "the answer of '%s' is off: %s", name, what);
	kind = tree_string_or(tree_get(root, "kind"), "");
	if (*kind && strcmp(kind, "ExecCredential") != 0)
		return error_set(err, ERR_INPUT, "'%s' answered no ExecCredential", name);
	if (strcmp(tree_string_or(tree_get(root, "apiVersion"), ""), p->api_version) != 0)
		return error_set(err, ERR_INPUT, "'%s' answered with another apiVersion than '%s'", name,
				 p->api_version);
	return read_status(out, tree_get(root, "status"), p, err);
}

int plugin_run(struct credentials *out, const struct kubeconfig_plugin *p, int64_t deadline,
	       struct error *err)
{
	struct process process;

	*out = (struct credentials){0};
	if (run(&process, p, deadline, err) != 0 || read_answer(out, &process.output, p, err) != 0)
		return failed(err, p);
	return 0;
}
