/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "k8s/fieldset.h"
#include "k8s/object.h"
#include "perch-test/command.h"
#include "perch-test/document.h"

/* What managedFields would hold of an object whose applier sent just this. */
int test_fields(int argc, char **argv)
{
	const struct tree *object, *fields;
	struct buffer b = {0};

	if (argc != 2) {
		fputs("usage: perch-test fields FILE\n", stderr);
		return 2;
	}
	object = test_document(argv[1]);
	fields = fieldset_write(fieldset_of(object, schema_root(object_kind(object)), schema_newest()));
	tree_print_canonical(&b, fields);
	puts(buffer_text(&b));
	return 0;
}
