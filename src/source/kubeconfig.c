/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "source/kubeconfig_credentials.h"
#include "source/kubeconfig_files.h"
#include "source/kubeconfig_plugin.h"
#include "source/kubeconfig_pod.h"
#include "source/kubeconfig_tls.h"

struct reading {
	const struct kubeconfig_options *o;
	struct kubeconfig_files files;
	struct kubeconfig_entry context, cluster, user; /* user.pointer is NULL where nobody is named */
	struct access *out;
	struct renewable *who;
	struct notes *warnings;
};

/* --- which context, cluster and user */

static const char *name_at(const void *arg, size_t i)
{
	return ((const char *const *)arg)[i];
}

static const char *nearest_context(const struct reading *r, const char *name)
{
	struct strings names = {0};

	for (size_t i = 0; i < r->files.count; i++)
		tree_each(item, tree_get(r->files.files[i].root, "contexts"))
			if (*tree_string_or(tree_get(item, "name"), ""))
				strings_add(&names, tree_string(tree_get(item, "name")));
	strings_add(&names, NULL);
	return nearest_word(name, name_at, names.items);
}

static int no_context(const struct reading *r, const char *name, struct error *err)
{
	const char *near = nearest_context(r, name), *all = kubeconfig_names(&r->files, "contexts");

	if (near)
		return error_set(err, ERR_USAGE, "there is no context '%s' in %s, did you mean '%s'?", name,
				 r->files.looked_at, near);
	return error_set(err, ERR_USAGE, *all ? "there is no context '%s' in %s, which has %s" :
						"there is no context '%s' in %s",
			 name, r->files.looked_at, all);
}

static int choose_context(struct reading *r, const char *name, struct error *err)
{
	r->context = kubeconfig_find(&r->files, "contexts", name);
	return r->context.pointer ? 0 : no_context(r, name, err);
}

/* A user that the context doesn't name is nobody: some servers let nobody in. */
static int choose_entries(struct reading *r, struct error *err)
{
	const char *cluster = entry_text(&r->context, "cluster"), *user = entry_text(&r->context, "user");

	if (!cluster)
		return entry_fault(&r->context, NULL, err, "context '%s' names no cluster", r->context.name);
	r->cluster = kubeconfig_find(&r->files, "clusters", cluster);
	if (!r->cluster.pointer)
		return entry_fault(&r->context, "cluster", err, "there is no cluster '%s'", cluster);
	if (!user)
		return 0;
	r->user = kubeconfig_find(&r->files, "users", user);
	if (!r->user.pointer)
		return entry_fault(&r->context, "user", err, "there is no user '%s'", user);
	return 0;
}

/* --- who asks */

static int check_methods(const struct kubeconfig_entry *user, struct error *err)
{
	bool basic = entry_text(user, "username") || entry_text(user, "password");

	if (tree_kind(tree_get(user->value, "auth-provider")) == TREE_MAP)
		return entry_fault(user, "auth-provider", err,
				   "user '%s' has an auth-provider, which perch doesn't know: use a credential plugin (exec)",
				   user->name);
	if (basic && entry_text(user, "token"))
		return entry_fault(user, NULL, err, "user '%s' has both a token and a password", user->name);
	return 0;
}

/* What is at hand comes before a plugin, which then isn't run. */
static int read_user(struct reading *r, const struct pem *ca, bool secure, struct error *err)
{
	const struct kubeconfig_entry *user = &r->user;
	struct renewable *who = r->who;
	struct kubeconfig_plugin *plugin = NEW(struct kubeconfig_plugin);
	struct http_options certificate = {0};

	if (check_methods(user, err) != 0 || kubeconfig_certificate(&certificate, user, err) != 0)
		return -1;
	if (tree_kind(tree_get(user->value, "exec")) == TREE_MAP &&
	    kubeconfig_plugin(plugin, user, &r->cluster, ca, err) != 0)
		return -1;
	if (!secure)
		return 0;
	r->out->api.http.certificate = certificate.certificate;
	r->out->api.http.key = certificate.key;
	who->who = arena_printf("user '%s'", user->name);
	who->fixed.token = entry_text(user, "token");
	who->token_file = entry_path(user, "tokenFile");
	if (entry_text(user, "username")) {
		who->fixed.user = entry_text(user, "username");
		who->fixed.password = tree_string_or(tree_get(user->value, "password"), "");
	}
	if (plugin->argv && !who->fixed.token && !who->token_file && !who->fixed.user &&
	    !r->out->api.http.certificate.len)
		who->plugin = plugin;
	return 0;
}

/* --- on whose behalf */

static const char *const *text_list(const struct tree *list)
{
	const char **out = NEW_ARRAY(const char *, tree_len(list) + 1);
	size_t n = 0;

	tree_each(text, list)
		out[n++] = tree_string_or(text, "");
	return n ? out : NULL;
}

static bool is_name(unsigned char c)
{
	return isalnum(c) || (c && strchr("!#$&'*+-.^_`|~", c));
}

/* A key as part of a header's name: what may not be there as %XX. */
static const char *escape_key(const char *key)
{
	struct buffer b = {0};

	for (; *key; key++)
		buffer_printf(&b, is_name((unsigned char)*key) ? "%c" : "%%%02X", (unsigned char)*key);
	return buffer_text(&b);
}

static void impersonate_extra(struct api_options *api, const struct tree *extra)
{
	struct http_header *headers;
	size_t n = 0;

	tree_each(values, extra)
		n += tree_len(values);
	api->as_extra = headers = NEW_ARRAY(struct http_header, n + 1);
	tree_each(values, extra)
		tree_each(value, values)
			headers[api->as_extra_count++] = (struct http_header){
				arena_printf("Impersonate-Extra-%s", escape_key(tree_key(values))),
				tree_string_or(value, "")};
}

/* Each --as option stands in for the user's own field, and only for that. */
static int impersonate(struct reading *r, struct error *err)
{
	const struct kubeconfig_options *o = r->o;
	struct strings groups = {0};
	struct api_options *api = &r->out->api;

	api->as = o->as && *o->as ? o->as : entry_text(&r->user, "as");
	api->as_uid = entry_text(&r->user, "as-uid");
	api->as_groups = text_list(tree_get(r->user.value, "as-groups"));
	for (size_t i = 0; i < o->as_groups.count; i++)
		strings_add(&groups, o->as_groups.items[i]);
	if (groups.count) {
		strings_add(&groups, NULL);
		api->as_groups = groups.items;
	}
	impersonate_extra(api, tree_get(r->user.value, "as-user-extra"));
	if (api->as)
		return 0;
	if (o->as_groups.count)
		return error_set(err, ERR_USAGE, "--as-group needs --as");
	if (api->as_uid || api->as_groups || api->as_extra_count)
		return entry_fault(&r->user, NULL, err, "user '%s' has as-uid, as-groups or as-user-extra, but no as",
				   r->user.name);
	return 0;
}

/* --- the two ways */

static int read_context(struct reading *r, struct error *err)
{
	struct access *out = r->out;
	bool secure;

	if (choose_entries(r, err) != 0 ||
	    kubeconfig_server(&out->api.http, &secure, &r->cluster, r->warnings, err) != 0)
		return -1;
	if (r->user.pointer && read_user(r, &out->api.http.ca, secure, err) != 0)
		return -1;
	out->cluster = r->context.name;
	out->namespace = entry_text(&r->context, "namespace");
	if (!out->namespace)
		out->namespace = pod_is(r->o->pod_folder) ? pod_namespace(r->o->pod_folder) : "default";
	return 0;
}

static int nothing_chosen(const struct reading *r, struct error *err)
{
	const char *all = kubeconfig_names(&r->files, "contexts");

	if (*all)
		return error_set(err, ERR_USAGE, "%s has no current-context: choose with --context one of %s",
				 r->files.looked_at, all);
	if (r->files.count)
		return error_set(err, ERR_USAGE, "there is no context in %s", r->files.looked_at);
	return error_set(err, ERR_USAGE, *r->files.looked_at ?
				 "no cluster: there is neither a kubeconfig (%s) nor a Pod's service account" :
				 "no cluster: there is neither a kubeconfig nor a Pod's service account",
			 r->files.looked_at);
}

static int read_access(struct reading *r, struct error *err)
{
	const struct kubeconfig_options *o = r->o;
	const char *context;

	if (kubeconfig_files(&r->files, o->kubeconfig, r->warnings, err) != 0)
		return -1;
	context = o->context && *o->context ? o->context : kubeconfig_current(&r->files);
	if (context)
		return choose_context(r, context, err) != 0 ? -1 : read_context(r, err);
	if (pod_is(o->pod_folder) && !(o->kubeconfig && *o->kubeconfig))
		return pod_access(r->out, r->who, o->pod_folder, r->warnings, err);
	return nothing_chosen(r, err);
}

static bool asks_as_somebody(const struct renewable *who)
{
	return who->fixed.token || who->fixed.user || who->token_file || who->plugin;
}

int kubeconfig_access(struct access *out, const struct kubeconfig_options *o, struct notes *warnings,
		      struct error *err)
{
	struct reading r = {.o = o, .out = out, .who = NEW(struct renewable), .warnings = warnings};

	*out = (struct access){0};
	if (read_access(&r, err) != 0 || impersonate(&r, err) != 0)
		return -1;
	if (!asks_as_somebody(r.who))
		return 0;
	out->api.credentials = credentials_get;
	out->api.arg = r.who;
	return credentials_open(r.who, err);
}

void kubeconfig_deadline(struct access *access, int64_t deadline)
{
	struct renewable *who = access->api.arg;

	access->api.http.deadline = deadline;
	if (who)
		who->deadline = deadline;
}
