/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s/tracking.h"

#include <stdio.h>

#include "k8s/object.h"
#include "perch-test/command.h"
#include "value/yaml.h"

struct asked {
	char **apps;
	int count;
};

static int on_object(void *arg, const struct tree *object, unsigned line, struct error *err)
{
	const struct asked *asked = arg;
	struct identity id = object_identity(object, "default");
	struct tracked_app apps[TRACKING_MAX];
	size_t n = tracking_read(apps, object);

	(void)line;
	(void)err;
	printf("%s %s/%s:", id.kind, id.namespace, id.name);
	for (size_t i = 0; i < n; i++) {
		printf("%s %s '%s' in '%s'", i ? "," : "", apps[i].engine, apps[i].name, apps[i].namespace);
		for (int a = 0; a < asked->count; a++)
			if (tracking_is(&apps[i], asked->apps[a]))
				printf(" = %s", asked->apps[a]);
	}
	puts(n ? "" : " nobody's");
	return 0;
}

int test_tracking(int argc, char **argv)
{
	struct asked asked = {argv + 2, argc - 2};
	struct yaml_documents d = {.document = on_object, .arg = &asked};
	struct error err = {0};
	const char *text;
	size_t len;

	if (argc < 2) {
		fputs("usage: perch-test tracking FILE [APP…]\n", stderr);
		return 2;
	}
	d.name = argv[1];
	text = test_read(argv[1], &len);
	return yaml_load(&d, text, len, &err) ? test_fail(&err) : 0;
}
