/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/verdict.h"

#include "base/error.h"

static const struct {
	const char *name;
	int exit_code;
} verdicts[] = {
#define VERDICT(id, name, exit, meaning) {name, exit},
#include "decide/verdicts.def"
#undef VERDICT
};

/* The phases in which Flagger compares each tick and starts over on a difference. */
static bool in_analysis(const struct facts *f)
{
	return f->phase == PHASE_PROGRESSING || f->phase == PHASE_WAITING_PROMOTION;
}

enum verdict verdict_of(const struct facts *f, const char **reason)
{
#define ROW(verdict, condition, why)        \
	if (condition) {                    \
		*reason = why;              \
		return VERDICT_##verdict;   \
	}
#include "decide/verdicts.def"
#undef ROW
	BUG("no row of the verdict table holds");
}

const char *verdict_name(enum verdict verdict)
{
	return verdicts[verdict].name;
}

int verdict_exit_code(enum verdict verdict)
{
	return verdicts[verdict].exit_code;
}
