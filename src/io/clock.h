/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time. A deadline is an instant of the monotonic clock in milliseconds, set once per run (--timeout)
 * and handed to all that waits; 0 is none. Wall time is read for what people and annotations say
 * (RFC 3339, UTC, seconds). Durations are spelled as Go spells them: 90s, 30m, 1h30m.
 */
#ifndef PERCH_IO_CLOCK_H
#define PERCH_IO_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

int64_t clock_ms(void);                /* monotonic */
int64_t clock_deadline(int64_t in_ms); /* 0 for 0 */
int64_t clock_left(int64_t deadline);  /* ms, at least 0; INT64_MAX for no deadline */
bool clock_passed(int64_t deadline);
/* Less where a signal was handled meanwhile. */
void clock_sleep(int64_t ms);

int64_t clock_now(void);                      /* seconds since the epoch */
const char *clock_text(int64_t seconds);      /* "2026-11-30T16:00:00Z", on the arena */
bool clock_read(int64_t *out, const char *text); /* RFC 3339, any offset or fraction */
/* Milliseconds; ERR_USAGE names the text. */
int clock_duration(int64_t *out, const char *text, struct error *err);
const char *clock_duration_text(int64_t seconds); /* "1h30m", "45s" */

#endif
