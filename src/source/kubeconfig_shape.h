/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of what a kubeconfig and a credential plugin's answer say, as tables. client-go decodes
 * the whole of a file before it looks at any of it, so a wrong type anywhere spoils it all; null is
 * fine anywhere and means absent; a field that no table has may be anything. What has passed may
 * be read with tree_get() and tree_string() without looking again. Sources: client-go's
 * tools/clientcmd/api/v1 and pkg/apis/clientauthentication.
 */
#ifndef PERCH_SOURCE_KUBECONFIG_SHAPE_H
#define PERCH_SOURCE_KUBECONFIG_SHAPE_H

#include "value/tree.h"

enum shape_kind {
	SHAPE_TEXT,
	SHAPE_BYTES,       /* base64 */
	SHAPE_FLAG,
	SHAPE_TEXTS,       /* a list of texts */
	SHAPE_TEXT_TABLE,  /* texts by any key */
	SHAPE_TEXTS_TABLE, /* lists of texts by any key */
	SHAPE_MAP,         /* of `fields` */
	SHAPE_MAPS,        /* a list of them */
};

struct shape {
	const char *key; /* NULL ends a table */
	enum shape_kind kind;
	const struct shape *fields;
};

extern const struct shape kubeconfig_shape[], exec_credential_shape[];

/*
 * The pointer to the first value that is of a wrong type, NULL where none is. `what` becomes
 * "users[1].user.token is a number, not a string"; values are never quoted.
 */
const char *shape_fault(const char **what, const struct shape *fields, const struct tree *t);

#endif
