/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "flagger/releases.h"
#include "k8s/schema.h"
#include "perch/verb.h"
#include "report/report.h"

const struct option version_options[] = {
	NO_MORE_OPTIONS,
};
const char version_about[] =
	"The second line tells the releases of Flagger whose hashes perch computes, and the range of\n"
	"k8s.io/api minors behind them.\n";

int verb_version(const struct settings *s, struct error *err)
{
	struct release newest = release_newest();
	int oldest = schema_next_minor(0);

	(void)s;
	puts("perch " PERCH_VERSION);
	printf("Flagger 1.0.0 to %s, k8s.io/api 0.%d to 0.%d\n", release_text(&newest), oldest,
	       schema_newest());
	return report_close(NULL, err);
}
