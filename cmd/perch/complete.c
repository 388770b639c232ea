/* SPDX-License-Identifier: Apache-2.0 */
#include "perch/complete.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "flagger/releases.h"
#include "k8s/schema.h"
#include "perch/verb.h"

struct completion {
	const char *begun; /* what there is of the word */
	bool describe;
	int directive;
};

/* What the words before the last one make of it. */
struct place {
	const struct verb *verb;
	const struct option *wants; /* the option whose value it is */
	bool operands_only;         /* there was a -- */
	struct strings given;       /* names of options */
};

static void offer(const struct completion *c, const char *word, const char *about)
{
	if (strncmp(word, c->begun, strlen(c->begun)) != 0)
		return;
	printf("%s", word);
	if (c->describe && about && *about)
		printf("\t%s", about);
	putchar('\n');
}

/* Words apart by `apart`; one that ends in = goes on. */
static void offer_words(struct completion *c, const char *words, const char *apart)
{
	for (words += strspn(words, apart); *words; words += strspn(words, apart)) {
		size_t len = strcspn(words, apart);
		const char *word = arena_strndup(words, len);

		if (word[len - 1] == '=' && strncmp(word, c->begun, strlen(c->begun)) == 0)
			c->directive |= COMPLETE_NO_SPACE;
		offer(c, word, NULL);
		words += len;
	}
}

static void offer_releases(struct completion *c)
{
	struct release release;

	for (int k8s = schema_newest(); k8s; k8s = schema_previous_minor(k8s)) {
		if (release_last_with(&release, k8s) == 0)
			offer(c, release_text(&release), arena_printf("the newest with k8s.io/api 0.%d", k8s));
	}
}

static void offer_minors(struct completion *c, int major)
{
	for (int k8s = schema_newest(); k8s; k8s = schema_previous_minor(k8s))
		offer(c, arena_printf("%d.%d", major, k8s), NULL);
}

static void offer_api_minors(struct completion *c)
{
	offer_minors(c, 0);
}

static void offer_server_minors(struct completion *c)
{
	offer_minors(c, 1);
}

/* By what help calls the value, or by the option where that says too little. */
static const struct source {
	const char *option, *argument;
	void (*offer)(struct completion *c);
	int directive;
} sources[] = {
	{"k8s", NULL, offer_api_minors, COMPLETE_NO_FILES | COMPLETE_KEEP_ORDER},
	{"server-version", NULL, offer_server_minors, COMPLETE_NO_FILES | COMPLETE_KEEP_ORDER},
	{NULL, "RELEASE", offer_releases, COMPLETE_NO_FILES | COMPLETE_KEEP_ORDER},
	{NULL, "FILE", NULL, COMPLETE_FILES},
	{NULL, "PATH", NULL, COMPLETE_FILES},
	{NULL, "REPO", NULL, COMPLETE_FOLDERS},
};

static void complete_value(struct completion *c, const struct option *o)
{
	c->directive = COMPLETE_NO_FILES;
	if (o->words) {
		offer_words(c, o->words, " ");
		return;
	}
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		const struct source *s = &sources[i];

		if (strcmp(s->option ? s->option : s->argument, s->option ? o->name : o->argument) != 0)
			continue;
		c->directive = s->directive;
		if (s->offer)
			s->offer(c);
		return;
	}
}

static bool has(const struct strings *list, const char *word)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], word) == 0)
			return true;
	return false;
}

static void complete_option(struct completion *c, const struct place *p)
{
	for (const struct option *o = p->verb->options; o->name; o++)
		if (o->kind == OPTION_LIST || !has(&p->given, o->name))
			offer(c, arena_printf("--%s", o->name), o->help);
	offer(c, "--help", "all about this verb");
}

static void offer_verbs(const struct completion *c)
{
	for (const struct verb *v = verbs; v->name; v++)
		offer(c, v->name, v->summary);
}

/* As usage writes them: a choice, a verb, folders, or names that only a cluster knows. */
static void complete_operand(struct completion *c, const char *operands)
{
	if (strchr(operands, '|'))
		offer_words(c, operands, "|[]");
	else if (strcmp(operands, "[VERB]") == 0)
		offer_verbs(c);
	else if (strcmp(operands, "[LIVE MERGED]") == 0)
		c->directive = COMPLETE_FILES;
}

static const struct option *long_option(const struct option *table, const char *name)
{
	size_t len = strcspn(name, "=");

	for (const struct option *o = table; o->name; o++)
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	return NULL;
}

/* The option whose value -vf asks for with its next word. */
static const struct option *last_letter(struct place *p, const char *letters)
{
	for (; *letters; letters++) {
		for (const struct option *o = p->verb->options; o->name; o++) {
			if (o->letter != *letters)
				continue;
			strings_add(&p->given, o->name);
			if (o->kind != OPTION_SWITCH)
				return letters[1] ? NULL : o;
		}
	}
	return NULL;
}

static void pass(struct place *p, const char *word)
{
	const struct option *o;

	if (p->wants || p->operands_only) {
		p->wants = NULL;
	} else if (strcmp(word, "--") == 0) {
		p->operands_only = true;
	} else if (strncmp(word, "--", 2) == 0) {
		o = long_option(p->verb->options, word + 2);
		if (o)
			strings_add(&p->given, o->name);
		p->wants = o && o->kind != OPTION_SWITCH && !strchr(word, '=') ? o : NULL;
	} else if (word[0] == '-') {
		p->wants = last_letter(p, word + 1);
	}
}

static void complete_word(struct completion *c, const struct place *p)
{
	const char *word = c->begun, *value = strchr(word, '=');
	bool is_option = word[0] == '-' && !p->operands_only;

	if (p->wants) {
		complete_value(c, p->wants);
	} else if (is_option && word[1] == '-' && value) {
		const struct option *o = long_option(p->verb->options, word + 2);

		c->begun = value + 1;
		if (o && o->kind != OPTION_SWITCH)
			complete_value(c, o);
	} else if (is_option) {
		complete_option(c, p);
	} else {
		complete_operand(c, p->verb->operands);
	}
}

static void complete_verb(const struct completion *c)
{
	offer_verbs(c);
	if (c->begun[0] == '-') {
		offer(c, "--help", "the verbs");
		offer(c, "--version", "the version");
	}
}

void complete_print(int argc, char **argv, bool describe)
{
	struct completion c = {argc > 0 ? argv[argc - 1] : "", describe, COMPLETE_NO_FILES};
	struct place p = {0};

	if (argc <= 1) {
		complete_verb(&c);
	} else {
		for (const struct verb *v = verbs; v->name; v++)
			if (strcmp(v->name, argv[0]) == 0)
				p.verb = v;
		for (int i = 1; p.verb && i < argc - 1; i++)
			pass(&p, argv[i]);
		if (p.verb)
			complete_word(&c, &p);
	}
	printf(":%d\n", c.directive);
}
