/* SPDX-License-Identifier: Apache-2.0 */
#include "flagger/primary.h"

#include <stdio.h>

#include "perch-test/command.h"
#include "perch-test/fixture.h"

static void print_template(const char *title, const struct tree *object)
{
	struct buffer text = {0};

	tree_print(&text, tree_path(object, "spec", "template", NULL), 2);
	printf("%s %s\n", title, buffer_text(&text));
}

/* forward(T), then P in T's terms. */
static void show(const struct fixture *f, const struct canary *c, const struct subject *s)
{
	const char *labels = f->flagger.selector_labels;
	struct error err = {0};
	const struct tree *forward = primary_forward(c, s->target.object, s->primary.object, labels, &err);

	if (!forward) {
		printf("%s: %s\n", c->name, err.text);
		return;
	}
	print_template("forward", forward);
	print_template("backward", primary_backward(c, s->primary.object, labels));
}

int test_primary(int argc, char **argv)
{
	return fixture_run(argc, argv, show);
}
