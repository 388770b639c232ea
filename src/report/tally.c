/* SPDX-License-Identifier: Apache-2.0 */
#include "report/tally.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
	const char *name, *said;
} words[] = {
#define DEED(id, name, said) [DEED_##id] = {name, said},
#include "report/deeds.def"
#undef DEED
};

const char *deed_name(enum deed deed)
{
	return words[deed].name;
}

/* A reason that is too long ends with an ellipsis, between two characters. */
static void keep(char *to, size_t size, const char *namespace, const char *name, const char *why)
{
	if ((size_t)snprintf(to, size, "%s/%s: %s", namespace, name, why) >= size)
		memcpy(to + utf8_cut(to, size - 1, size - sizeof("…")), "…", sizeof("…"));
}

void tally_add(struct tally *t, enum deed deed, const char *namespace, const char *name, const char *why)
{
	t->canaries++;
	t->deeds[deed]++;
	if (!why)
		return;
	if (t->open[deed] < TALLY_NAMED)
		keep(t->named[deed][t->open[deed]], sizeof(t->named[0][0]), namespace, name, why);
	t->open[deed]++;
}

size_t tally_open(const struct tally *t)
{
	size_t n = 0;

	for (int d = 0; d < DEED_COUNT; d++)
		n += t->open[d];
	return n;
}

static size_t named(const struct tally *t, int deed)
{
	return t->open[deed] < TALLY_NAMED ? t->open[deed] : TALLY_NAMED;
}

/* " (shop/cart: unproved, shop/web: unproved and 3 more)" */
static void add_names(struct buffer *b, const struct tally *t, int deed)
{
	size_t n = named(t, deed);

	for (size_t i = 0; i < n; i++)
		buffer_printf(b, "%s%s", i ? ", " : " (", t->named[deed][i]);
	if (t->open[deed] > n)
		buffer_printf(b, " and %zu more", t->open[deed] - n);
	if (n)
		buffer_str(b, t->explain ? ", see perch explain)" : ")");
}

const char *tally_sentence(const struct tally *t)
{
	struct buffer b = {.max = 8192};
	size_t n = 0;

	buffer_printf(&b, "perch %s: ", t->verb);
	if (t->about)
		buffer_printf(&b, "%s: ", t->about);
	for (int d = 0; d < DEED_COUNT; d++) {
		if (!t->deeds[d] || !*words[d].said)
			continue;
		buffer_printf(&b, "%s%zu %s", n++ ? ", " : "", t->deeds[d], words[d].said);
		add_names(&b, t, d);
	}
	if (!t->canaries)
		buffer_str(&b, "nothing to do");
	else if (!n)
		buffer_printf(&b, "nothing to do for %zu %s", t->canaries, t->canaries == 1 ? "canary" : "canaries");
	return buffer_text(&b);
}

struct tree *tally_counts(const struct tally *t)
{
	struct tree *counts = tree_new_map();

	for (int d = 0; d < DEED_COUNT; d++)
		if (t->deeds[d])
			tree_put(counts, words[d].name, tree_new_int((int64_t)t->deeds[d]));
	return counts;
}

const struct tree *tally_facts(const struct tally *t)
{
	struct tree *facts = tree_new_map(), *left = tree_new_list();

	for (int d = 0; d < DEED_COUNT; d++)
		for (size_t i = 0; i < named(t, d); i++)
			tree_append(left, tree_new_string(t->named[d][i]));
	tree_put(facts, "summary", tally_counts(t));
	tree_put(facts, "left", left);
	return facts;
}
