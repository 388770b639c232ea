/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/app_scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "decide/action.h"
#include "k8s/tracking.h"

#define APP_MAX 253
#define OTHERS_MAX 3

/* A name, or two with a slash between. */
static bool well_formed(const char *app)
{
	size_t part = 0, slashes = 0;

	if (strlen(app) > APP_MAX)
		return false;
	for (const char *p = app; *p; p++) {
		if (*p == '/' && (part == 0 || slashes++))
			return false;
		if (*p != '/' && !isalnum((unsigned char)*p) && !strchr("-._", *p))
			return false;
		part = *p == '/' ? 0 : part + 1;
	}
	return part > 0;
}

int app_scope_read(struct app_scope *out, const struct settings *s, const char *namespace, struct error *err)
{
	const char *env = getenv("PERCH_APP"), *app = s->app ? s->app : env && *env ? env : NULL;

	*out = (struct app_scope){.app = app, .holder = app};
	if (app && !well_formed(app))
		return error_set(err, ERR_USAGE, "%s: '%s' is no app, say NAME or NAMESPACE/NAME",
				 s->app ? "--app" : "PERCH_APP", app);
	if (s->selector && selector_parse(&out->selector, s->selector, err) != 0)
		return error_wrap(err, "--selector");
	if (!app)
		out->holder = arena_printf("%s:%s", namespace, s->selector ? s->selector : "*"); /* no app's name has a colon */
	return 0;
}

bool app_scope_holds(const struct app_scope *scope, const struct canary *c)
{
	enum holder holder = holder_of(c);
	const char *slash = strchr(c->held_for, '/');

	return (holder == HOLDER_COMMIT || holder == HOLDER_POLICY) && strcmp(slash + 1, scope->holder) == 0;
}

static size_t apps_of(struct tracked_app out[TRACKING_MAX], const struct dump *dump, const struct tree *canary)
{
	struct seen target = {READ_UNREAD, NULL, NULL};
	struct error ignored;
	struct canary c;

	if (canary_read(&c, canary, &ignored) == 0)
		target = dump_find(dump, c.target_kind, c.namespace, c.target_name);
	return tracking_read(out, target.object ? target.object : canary);
}

bool app_scope_has(const struct app_scope *scope, const struct dump *dump, const struct tree *canary)
{
	struct tracked_app apps[TRACKING_MAX];
	struct error ignored;
	struct canary c;
	size_t n;

	if (canary_read(&c, canary, &ignored) == 0 && app_scope_holds(scope, &c))
		return true;
	if (!selector_picks(scope->selector, canary))
		return false;
	if (!scope->app)
		return true;
	n = apps_of(apps, dump, canary);
	for (size_t i = 0; i < n; i++)
		if (tracking_is(&apps[i], scope->app))
			return true;
	return false;
}

const char *app_scope_others(const struct dump *dump)
{
	struct notes met = {0};
	struct buffer text = {0};

	for (size_t i = 0; i < dump->canaries.count && met.count < OTHERS_MAX; i++) {
		struct tracked_app apps[TRACKING_MAX];
		struct error ignored;
		const char *problem;
		const struct tree *canary = dump_canary(dump, i, &problem, &ignored);

		if (canary && apps_of(apps, dump, canary))
			note_add(&met, "%s%s%s (%s)", apps[0].namespace, *apps[0].namespace ? "/" : "", apps[0].name,
				 apps[0].engine);
	}
	note_each(n, &met)
		buffer_printf(&text, "%s%s", text.len ? ", " : "", n->text);
	return buffer_text(&text);
}
