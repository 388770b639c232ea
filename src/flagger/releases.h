/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flagger releases and the k8s.io/api minor that each was built with, which alone decides its
 * hashes (releases.def; source: the go.mod of every tag). That a text names no known release is an
 * answer, not an error: writing a hash for a guessed release would start the fleet.
 */
#ifndef PERCH_FLAGGER_RELEASES_H
#define PERCH_FLAGGER_RELEASES_H

#include <stdbool.h>

#include "base/error.h"

struct release {
	int major, minor, patch;
};

enum release_reading {
	RELEASE_KNOWN,
	RELEASE_UNLISTED,  /* spelled like a release, but none that perch knows: newer, or never made */
	RELEASE_AMBIGUOUS, /* a minor without a patch whose releases differ in schema: 1.12, 1.16, 1.22 */
	RELEASE_NONE,      /* no release at all: a digest, "latest", a vendor's tag */
};

/*
 * Reads `1.38`, `v1.38.0` or an image (`ghcr.io/fluxcd/flagger:1.38.0`, a digest after the tag is
 * passed over). `1.38` is the newest 1.38.z. `out` is set unless the answer is RELEASE_NONE.
 */
enum release_reading release_read(struct release *out, const char *text);
/* The same for an option: anything but a known release is ERR_USAGE. */
int release_parse(struct release *out, const char *text, struct error *err);

/* Is this an image of Flagger's: ghcr.io/fluxcd/flagger:1.38.0, or any mirror of it? */
bool release_is_flagger(const char *image);

int release_k8s(const struct release *r);          /* its k8s.io/api minor; 0: not a known release */
const char *release_text(const struct release *r); /* "1.38.0", on the arena */
int release_compare(const struct release *a, const struct release *b);
struct release release_newest(void);
/* The first and the last release built with a minor; -1 if there is none. */
int release_first_with(struct release *out, int k8s);
int release_last_with(struct release *out, int k8s);

#endif
