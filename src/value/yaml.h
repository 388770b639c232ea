/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as Kubernetes reads it (sigs.k8s.io/yaml: go-yaml v2's YAML 1.1 rules, then JSON), on
 * libyaml's parser. Resolves scalars and keys, anchors, merge keys; several documents; a document
 * of comments only is null. JSON text is fine too, being YAML, but json.h is exact about its
 * numbers. Duplicate keys: the last wins and `warn` is told. Bounds: tree.h's, and alias expansion
 * counts as nodes. Errors are ERR_INPUT and begin with `name:line:`.
 */
#ifndef PERCH_VALUE_YAML_H
#define PERCH_VALUE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "value/tree.h"

struct yaml_documents {
	/* Each document in order, with the line on which it begins. Returns 0 to go on. */
	int (*document)(void *arg, const struct tree *t, unsigned line, struct error *err);
	void (*warn)(void *arg, const char *text); /* may be NULL; text is `name:line: …` */
	void *arg;
	const char *name;
};
int yaml_load(const struct yaml_documents *d, const char *text, size_t len, struct error *err);

/*
 * The line (from 1) of a value, of its key where it has one, in document number `document` (from 0) of a YAML or JSON text. The
 * pointer is RFC 6901: `/spec/template/spec/containers/0/image`. Where the last steps are absent,
 * the line of the nearest ancestor that is there; 0 where the document can't be read.
 */
unsigned locate(const char *text, size_t len, size_t document, const char *pointer);

/* The same for many places of one document, read once; NULL where it can't be read. On the arena. */
struct places;
const struct places *places_read(const char *text, size_t len, size_t document);
unsigned places_line(const struct places *p, const char *pointer);

#endif
