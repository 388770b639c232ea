/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `-o github`, for a step of GitHub Actions: an annotation on the line of each change (at most ten),
 * a summary of the job, and the outputs `changed`, `verdicts` and `report`. `-o markdown` is the
 * summary alone, on standard output, for other runners. Both are of diff and plan.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "report/human.h"
#include "report/markdown.h"
#include "report/talk.h"
#include "report/workflow.h"
#include "source/origin.h"

struct github {
	struct markdown markdown;
	struct workflow workflow;
	bool annotates;
	const char *title;
	size_t objects, changed, unknown;
	bool decided; /* plan, of which this is the sum */
	bool commit;
	struct plan_summary plan;
};

/* What Flagger will do of itself, as a title goes on after the canary's name; none: nothing to say. */
static const struct {
	const char *level, *says;
} verdicts[VERDICT_COUNT] = {
	[VERDICT_UNKNOWN] = {"warning", "can't be decided"},
	[VERDICT_INITIALIZE] = {"warning", "will take this as its baseline, with no analysis"},
	[VERDICT_PRIMARY_MISSING] = {"warning", "will get a new primary, analysed or not"},
	[VERDICT_RESTART] = {"warning", "will start over"},
	[VERDICT_ROLLBACK] = {"notice", "will run, though it is back at what is promoted"},
	[VERDICT_FAILED] = {"notice", "will retry the revision that failed"},
	[VERDICT_HOLD] = {"warning", "is held by policy"},
	[VERDICT_SHIP] = {"warning", "will be promoted without analysis"},
	[VERDICT_RUN] = {"warning", "will run"},
	[VERDICT_SWALLOWED] = {"warning", "will not run this change"},
	[VERDICT_ADOPT] = {"notice", "will run for nothing"},
	[VERDICT_UNPROVED] = {"warning", "will run, and that nothing changed isn't proved"},
};

static const char *tag_of(const char *image)
{
	const char *slash = strrchr(image, '/'), *colon = strrchr(slash ? slash : image, ':');

	return strchr(image, '@') ? NULL : colon;
}

/* "image 6.7.0 → 6.7.1"; of any other class the place, and no value. */
static const char *change_text(const struct change *c)
{
	const char *old = tree_string(c->old_value), *new = tree_string(c->new_value), *old_tag, *new_tag;

	if (c->class != CLASS_IMAGE || !old || !new)
		return arena_printf("%s %s %s", change_class_name(c->class), c->path,
				    c->op == CHANGE_ADD ? "added" : c->op == CHANGE_REMOVE ? "removed" : "changed");
	old_tag = tag_of(old);
	new_tag = tag_of(new);
	if (old_tag && new_tag && old_tag - old == new_tag - new && strncmp(old, new, (size_t)(old_tag - old)) == 0)
		return arena_printf("image %s → %s", old_tag + 1, new_tag + 1);
	return arena_printf("image %s → %s", old, new);
}

static bool of_config(const char *path)
{
	return strncmp(path, "configmap/", 10) == 0 || strncmp(path, "secret/", 7) == 0;
}

/* The file that somebody wrote, where it is known, rather than the rendered one. */
static void find_place(struct annotation *a, const struct manifest *m, const char *file, unsigned line,
		       const char *path)
{
	bool of_object = m && file == m->text->name && !of_config(path);
	const char *origin = of_object ? origin_path(m->object) : "", *root = getenv("PERCH_ORIGIN_ROOT");

	a->file = file ? workflow_path(file) : NULL;
	a->line = line;
	if (!*origin || *origin == '/')
		return;
	origin = root && *root ? arena_printf("%s/%s", root, origin) : origin;
	line = workflow_path(origin) ? origin_line(origin, m, path) : 0;
	if (!line)
		return;
	a->file = workflow_path(origin);
	a->line = line;
}

static void annotate(struct github *g, struct annotation a, const struct manifest *m, const struct change *c)
{
	find_place(&a, m, c ? c->file : NULL, c ? c->line : 0, c ? c->path : "");
	workflow_annotate(&g->workflow, &a);
}

static struct github *begin(struct report *r, const char *title, const char *const *columns)
{
	struct github *g = r->github;

	markdown_begin(&g->markdown, columns);
	g->title = title;
	return g;
}

static void diff_begin(struct report *r)
{
	static const char *const columns[] = {"Object", "Result", "What", NULL};

	begin(r, "perch diff", columns);
}

static const char *object_text(const struct identity *id)
{
	return arena_printf("%s %s/%s", id->kind, id->namespace, id->name);
}

static const char *diff_result(const struct diff_item *item)
{
	if (item->unread)
		return "nothing live to compare with";
	if (item->created)
		return "would be created";
	if (item->removed)
		return "would be removed";
	if (item->changed)
		return human_count(item->changes->count, "real change");
	return item->unsure ? "what only the live object has may be somebody's" : "no real change";
}

static void annotate_diff(struct github *g, const struct diff_item *item, const char *result)
{
	struct annotation a = {.level = "warning"};

	a.title = arena_printf("%s: %s", object_text(&item->id), result);
	if (item->created || item->removed || item->unread || item->unsure) {
		struct change whole = {.path = "", .file = item->manifest->text->name};

		whole.line = manifest_line(item->manifest, "");
		a.text = item->unread ? "it can't be said what would change" : result;
		annotate(g, a, item->manifest, item->removed ? NULL : &whole);
		return;
	}
	change_each(c, item->changes) {
		a.text = change_text(c);
		annotate(g, a, item->manifest, c);
	}
}

static const char *ignored_text(const struct diff_item *item)
{
	const char *classes = changes_classes(item->changes, NULL);

	if (!item->ignored->count)
		return classes;
	return arena_printf("%s%signored %zu (%s)", classes, *classes ? "; " : "", item->ignored->count,
			    item->ignored->first->by);
}

static void diff_item(struct report *r, const struct diff_item *item)
{
	struct github *g = r->github;
	const char *result = diff_result(item), *object = object_text(&item->id);
	bool whole = item->created || item->removed;

	g->objects++;
	g->changed += item->changed;
	g->unknown += item->unread || item->unsure;
	if (!item->changed && !item->unread && !item->unsure && !item->ignored->count)
		return;
	markdown_row(&g->markdown, markdown_code(object), markdown_prose(result),
		     whole ? "" : markdown_prose(ignored_text(item)), NULL);
	if (!whole && item->changes->count)
		markdown_fold(&g->markdown, arena_printf("%s: %s", markdown_code(object), markdown_prose(result)),
			      item->changes, item->notes, item->secret);
	if (g->annotates && (item->changed || item->unread || item->unsure))
		annotate_diff(g, item, result);
}

static void plan_begin(struct report *r, const struct plan_head *head)
{
	static const char *const columns[] = {"Canary", "Phase", "Verdict", "Why", NULL};

	struct github *g = begin(r, "perch plan", columns);

	g->decided = true;
	g->commit = head->commit;
}

/* Does the commit bring it? Without one every difference from the primary counts. */
static bool brought(const struct github *g, const struct change *c)
{
	return !g->commit || (c->origin && strcmp(c->origin, "git") == 0);
}

static bool brought_any(const struct github *g, const struct plan_item *item)
{
	change_each(c, &item->decision->changes)
		if (brought(g, c))
			return true;
	return item->desired && !item->subject->target.object; /* it makes the target */
}

static void annotate_plan(struct github *g, const struct plan_item *item)
{
	const struct decision *d = item->decision;
	struct annotation a = {.level = verdicts[d->verdict].level};
	size_t told = 0;

	/* What a commit has no part in is told in the summary, unless nobody can say that. */
	if (!a.level || (g->commit && !brought_any(g, item) && verdict_exit_code(d->verdict) != 7))
		return;
	a.title = arena_printf("Canary %s/%s %s%s", d->canary.namespace, d->canary.name,
			       d->canary.suspended ? "is suspended, after that it " : "", verdicts[d->verdict].says);
	change_each(c, &d->changes) {
		if (!brought(g, c))
			continue;
		a.text = change_text(c);
		annotate(g, a, item->desired, c);
		told++;
	}
	a.text = d->reason;
	if (!told)
		annotate(g, a, NULL, NULL);
}

static void plan_item(struct report *r, const struct plan_item *item)
{
	struct github *g = r->github;
	const struct decision *d = item->decision;
	const char *name = arena_printf("%s/%s", d->canary.namespace, d->canary.name);
	const char *phase = phase_name(d->canary.phase);

	g->changed += brought_any(g, item);
	if (d->verdict == VERDICT_NONE && !d->changes.count)
		return;
	markdown_row(&g->markdown, markdown_code(name), *phase ? markdown_prose(phase) : "-",
		     arena_printf("**%s**", verdict_name(d->verdict)), markdown_prose(d->reason), NULL);
	if (d->changes.count)
		markdown_fold(&g->markdown, arena_printf("%s: %s, %s", markdown_code(name), verdict_name(d->verdict),
							 human_count(d->changes.count, "change")),
			      &d->changes, &d->notes, false);
	if (g->annotates)
		annotate_plan(g, item);
}

static void plan_end(struct report *r, const struct plan_summary *summary)
{
	r->github->plan = *summary;
}

/* By verdict; of diff, which has none, by result. */
static struct tree *counts(const struct github *g)
{
	struct tree *t = tree_new_map();

	if (!g->decided) {
		tree_put(t, "changed", tree_new_int((int64_t)g->changed));
		tree_put(t, "same", tree_new_int((int64_t)(g->objects - g->changed - g->unknown)));
		tree_put(t, "unknown", tree_new_int((int64_t)g->unknown));
	}
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (g->plan.verdicts[v])
			tree_put(t, verdict_name((enum verdict)v), tree_new_int((int64_t)g->plan.verdicts[v]));
	return t;
}

static const char *sentence(const struct github *g)
{
	struct buffer b = {.max = 1024};
	size_t n = 0;

	if (!g->decided)
		return arena_printf("%zu of %s really change%s%s", g->changed, human_count(g->objects, "object"),
				    g->changed == 1 ? "s" : "",
				    g->unknown ? arena_printf(", %zu can't be known", g->unknown) : "");
	buffer_printf(&b, "%zu %s", g->plan.canaries, g->plan.canaries == 1 ? "canary" : "canaries");
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (g->plan.verdicts[v])
			buffer_printf(&b, "%s%zu %s", n++ ? ", " : ": ", g->plan.verdicts[v],
				      verdict_name((enum verdict)v));
	return buffer_text(&b);
}

static void open_github(struct report *r)
{
	r->github = NEW(struct github);
	r->github->annotates = true;
	talk_in_runner();
}

static void open_markdown(struct report *r)
{
	r->github = NEW(struct github);
}

static int close_github(struct report *r, struct error *err)
{
	const struct github *g = r->github;
	struct buffer line = {0}, sums = {0};
	const char *report;

	if (!g->title)
		return 0; /* nothing was compared */
	report = markdown_text(&g->markdown, g->title, sentence(g));
	buffer_printf(&line, "%s: %s", g->title, sentence(g));
	if (g->workflow.left_out)
		buffer_printf(&line, "; %u more annotations left out, the job's summary has them",
			      g->workflow.left_out);
	buffer_char(&line, '\n');
	report_write(&line);
	tree_print(&sums, counts(g), 0);
	return workflow_summary(report, err) || workflow_output("changed", g->changed ? "true" : "false", err) ||
			       workflow_output("verdicts", buffer_text(&sums), err) ||
			       workflow_output("report", report, err) ? -1 : 0;
}

static int close_markdown(struct report *r, struct error *err)
{
	const struct github *g = r->github;
	struct buffer b = {0};

	(void)err;
	if (!g->title)
		return 0;
	buffer_str(&b, markdown_text(&g->markdown, g->title, sentence(g)));
	report_write(&b);
	return 0;
}

const struct format format_github = {
	.name = "github",
	.of_ci = true,
	.open = open_github,
	.close = close_github,
	.diff_begin = diff_begin,
	.diff_item = diff_item,
	.plan_begin = plan_begin,
	.plan_item = plan_item,
	.plan_end = plan_end,
};

const struct format format_markdown = {
	.name = "markdown",
	.of_ci = true,
	.open = open_markdown,
	.close = close_markdown,
	.diff_begin = diff_begin,
	.diff_item = diff_item,
	.plan_begin = plan_begin,
	.plan_item = plan_item,
	.plan_end = plan_end,
};
