/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "k8s/normalise.h"
#include "k8s/path.h"

struct pruning {
	struct path path;
	int minor;
	unsigned flags;
	struct notes *warnings;
};

static struct tree *prune(struct pruning *p, const struct tree *v, const struct schema_type *t,
			  const struct schema_field *f);

/* The first wrong type becomes the error; unknown fields are prune()'s to tell. */
static void first_error(void *arg, enum schema_problem problem, const char *path, const struct tree *value,
			const char *text)
{
	struct error *err = arg;

	(void)value;
	if (problem == SCHEMA_WRONG_TYPE && err->kind == ERR_NONE)
		error_set(err, ERR_INPUT, "%s: %s", path, text);
}

int normalise_check(const struct tree *object, const struct schema_type *type, int minor, struct error *err)
{
	err->kind = ERR_NONE;
	return schema_check(object, type, minor, "", first_error, err) ? -1 : 0;
}

/* The newer minor that knows a field; 0: none does. */
static int known_since(const struct schema_type *t, const char *key, int minor)
{
	for (int m = schema_next_minor(minor); m; m = schema_next_minor(m))
		if (schema_field(t, key, m))
			return m;
	return 0;
}

/* Names are case-sensitive to a server, which is what a dropped field often comes from. */
static const char *meant(const struct schema_type *t, const char *key, int minor)
{
	schema_fields(f, t) {
		const char *inner = f->flags & SCHEMA_INLINE ? meant(f->type, key, minor) : NULL;

		if (inner)
			return inner;
		if (schema_has(f, minor) && strcasecmp(f->json, key) == 0)
			return f->json;
	}
	return NULL;
}

static void warn_unknown(struct pruning *p, const struct schema_type *t, const char *key)
{
	bool refuses = p->flags & SENT_REFUSES;
	const char *word = refuses ? "refused" : "unknown-field";
	const char *what = refuses ? "server-side apply refuses the object for it" : "the server drops it";
	struct path_mark mark = path_key(&p->path, key);
	const char *path = buffer_text(&p->path.text), *other = meant(t, key, p->minor);
	int since = known_since(t, key, p->minor);

	if (since)
		note_add(p->warnings, "%s: %s: unknown to a 1.%d server, 1.%d is the first to know it: %s", word,
			 path, p->minor, since, what);
	else if (other)
		note_add(p->warnings, "%s: %s: the field is called '%s': %s", word, path, other, what);
	else
		note_add(p->warnings, "%s: %s: unknown to every server: %s", word, path, what);
	path_back(&p->path, mark);
}

static struct tree *prune_struct(struct pruning *p, const struct tree *v, const struct schema_type *t)
{
	struct tree *out = tree_new_map();

	tree_each(child, v) {
		const struct schema_field *f = schema_field(t, tree_key(child), p->minor);
		struct path_mark mark;

		if (!f) {
			warn_unknown(p, t, tree_key(child));
			continue;
		}
		mark = path_key(&p->path, f->json);
		tree_add(out, f->json, prune(p, child, f->type, f));
		path_back(&p->path, mark);
	}
	return out;
}

static struct tree *prune_list(struct pruning *p, const struct tree *v, const struct schema_type *t,
			       const struct schema_field *f)
{
	const char **keys = path_item_keys(v, tree_len(v), f);
	struct tree *out = tree_new_list();
	size_t i = 0;

	tree_each(child, v) {
		struct path_mark mark = path_item(&p->path, keys[i], i);

		tree_append(out, prune(p, child, t->elem, NULL));
		path_back(&p->path, mark);
		i++;
	}
	return out;
}

static struct tree *prune_map(struct pruning *p, const struct tree *v, const struct schema_type *t)
{
	struct tree *out = tree_new_map();

	tree_each(child, v) {
		struct path_mark mark = path_key(&p->path, tree_key(child));

		tree_add(out, tree_key(child), prune(p, child, t->elem, NULL));
		path_back(&p->path, mark);
	}
	return out;
}

/* Go converts an int64 to an int32 without a look at what gets lost. */
static struct tree *prune_integer(struct pruning *p, const struct tree *v)
{
	int64_t n;

	if (!(p->flags & SENT_WRAPS) || !tree_int64(v, &n) || n == (int32_t)n)
		return tree_copy(v);
	note_add(p->warnings, "wraps: %s: %lld does not fit and becomes %d", buffer_text(&p->path.text),
		 (long long)n, (int32_t)n);
	return tree_new_int((int32_t)n);
}

static struct tree *prune(struct pruning *p, const struct tree *v, const struct schema_type *t,
			  const struct schema_field *f)
{
	enum tree_kind kind = tree_kind(v);

	t = schema_value(t);
	if (t->kind == SCHEMA_STRUCT && kind == TREE_MAP)
		return prune_struct(p, v, t);
	if (t->kind == SCHEMA_LIST && kind == TREE_LIST)
		return prune_list(p, v, t, f);
	if (t->kind == SCHEMA_MAP && kind == TREE_MAP)
		return prune_map(p, v, t);
	return t->kind == SCHEMA_INT32 ? prune_integer(p, v) : tree_copy(v);
}

struct tree *normalise_sent(const struct tree *object, const struct schema_type *type, int minor,
			    unsigned flags, struct notes *warnings, struct error *err)
{
	struct pruning p = {.minor = minor, .flags = flags, .warnings = warnings};
	struct tree *known = prune(&p, object, type, NULL);

	return normalise_check(known, type, minor, err) == 0 ? known : NULL;
}

struct tree *normalise_known(const struct tree *object, const struct schema_type *type, int minor,
			     struct notes *warnings, struct error *err)
{
	return normalise_sent(object, type, minor, 0, warnings, err);
}
