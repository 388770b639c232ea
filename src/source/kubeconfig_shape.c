/* SPDX-License-Identifier: Apache-2.0 */
#include "source/kubeconfig_shape.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "value/base64.h"
#include "value/pointer.h"

#define END {NULL, SHAPE_TEXT, NULL}

static const struct shape extension[] = {{"name", SHAPE_TEXT, NULL}, END};

static const struct shape cluster[] = {
	{"server", SHAPE_TEXT, NULL},
	{"tls-server-name", SHAPE_TEXT, NULL},
	{"insecure-skip-tls-verify", SHAPE_FLAG, NULL},
	{"certificate-authority", SHAPE_TEXT, NULL},
	{"certificate-authority-data", SHAPE_BYTES, NULL},
	{"proxy-url", SHAPE_TEXT, NULL},
	{"disable-compression", SHAPE_FLAG, NULL},
	{"extensions", SHAPE_MAPS, extension},
	END,
};

static const struct shape variable[] = {{"name", SHAPE_TEXT, NULL}, {"value", SHAPE_TEXT, NULL}, END};

static const struct shape exec[] = {
	{"command", SHAPE_TEXT, NULL},
	{"args", SHAPE_TEXTS, NULL},
	{"env", SHAPE_MAPS, variable},
	{"apiVersion", SHAPE_TEXT, NULL},
	{"installHint", SHAPE_TEXT, NULL},
	{"provideClusterInfo", SHAPE_FLAG, NULL},
	{"interactiveMode", SHAPE_TEXT, NULL},
	END,
};

static const struct shape auth_provider[] = {
	{"name", SHAPE_TEXT, NULL},
	{"config", SHAPE_TEXT_TABLE, NULL},
	END,
};

static const struct shape user[] = {
	{"client-certificate", SHAPE_TEXT, NULL},
	{"client-certificate-data", SHAPE_BYTES, NULL},
	{"client-key", SHAPE_TEXT, NULL},
	{"client-key-data", SHAPE_BYTES, NULL},
	{"token", SHAPE_TEXT, NULL},
	{"tokenFile", SHAPE_TEXT, NULL},
	{"as", SHAPE_TEXT, NULL},
	{"as-uid", SHAPE_TEXT, NULL},
	{"as-groups", SHAPE_TEXTS, NULL},
	{"as-user-extra", SHAPE_TEXTS_TABLE, NULL},
	{"username", SHAPE_TEXT, NULL},
	{"password", SHAPE_TEXT, NULL},
	{"auth-provider", SHAPE_MAP, auth_provider},
	{"exec", SHAPE_MAP, exec},
	{"extensions", SHAPE_MAPS, extension},
	END,
};

static const struct shape context[] = {
	{"cluster", SHAPE_TEXT, NULL},
	{"user", SHAPE_TEXT, NULL},
	{"namespace", SHAPE_TEXT, NULL},
	{"extensions", SHAPE_MAPS, extension},
	END,
};

static const struct shape clusters[] = {{"name", SHAPE_TEXT, NULL}, {"cluster", SHAPE_MAP, cluster}, END};
static const struct shape users[] = {{"name", SHAPE_TEXT, NULL}, {"user", SHAPE_MAP, user}, END};
static const struct shape contexts[] = {{"name", SHAPE_TEXT, NULL}, {"context", SHAPE_MAP, context}, END};
static const struct shape preferences[] = {
	{"colors", SHAPE_FLAG, NULL},
	{"extensions", SHAPE_MAPS, extension},
	END,
};

const struct shape kubeconfig_shape[] = {
	{"kind", SHAPE_TEXT, NULL},
	{"apiVersion", SHAPE_TEXT, NULL},
	{"preferences", SHAPE_MAP, preferences},
	{"clusters", SHAPE_MAPS, clusters},
	{"users", SHAPE_MAPS, users},
	{"contexts", SHAPE_MAPS, contexts},
	{"current-context", SHAPE_TEXT, NULL},
	{"extensions", SHAPE_MAPS, extension},
	END,
};

static const struct shape status[] = {
	{"expirationTimestamp", SHAPE_TEXT, NULL},
	{"token", SHAPE_TEXT, NULL},
	{"clientCertificateData", SHAPE_TEXT, NULL},
	{"clientKeyData", SHAPE_TEXT, NULL},
	END,
};

const struct shape exec_credential_shape[] = {
	{"kind", SHAPE_TEXT, NULL},
	{"apiVersion", SHAPE_TEXT, NULL},
	{"status", SHAPE_MAP, status},
	END,
};

/* What holds values of a shape, and the shape of these; a shape without fields has neither. */
static const struct {
	enum tree_kind tree;
	enum shape_kind inner;
} holds[] = {
	[SHAPE_TEXT] = {TREE_STRING, SHAPE_TEXT},
	[SHAPE_BYTES] = {TREE_STRING, SHAPE_BYTES},
	[SHAPE_FLAG] = {TREE_BOOL, SHAPE_FLAG},
	[SHAPE_TEXTS] = {TREE_LIST, SHAPE_TEXT},
	[SHAPE_TEXT_TABLE] = {TREE_MAP, SHAPE_TEXT},
	[SHAPE_TEXTS_TABLE] = {TREE_MAP, SHAPE_TEXTS},
	[SHAPE_MAP] = {TREE_MAP, SHAPE_MAP},
	[SHAPE_MAPS] = {TREE_LIST, SHAPE_MAP},
};

/* /users/1/user/token as people write it: users[1].user.token */
static const char *in_words(const char *pointer)
{
	struct buffer b = {0};
	const char *step;

	while ((step = pointer_next(&pointer)))
		buffer_printf(&b, isdigit((unsigned char)*step) ? "[%s]" : b.len ? ".%s" : "%s", step);
	return b.len ? buffer_text(&b) : "it";
}

static const char *child_pointer(const char *pointer, const struct tree *child, size_t index)
{
	struct buffer b = {0};

	buffer_str(&b, pointer);
	pointer_add(&b, tree_key(child) ? tree_key(child) : arena_printf("%zu", index));
	return buffer_text(&b);
}

static const char *fault(const char **what, enum shape_kind kind, const struct shape *fields,
			 const struct tree *t, const char *pointer);

static const char *fault_in_fields(const char **what, const struct shape *fields, const struct tree *t,
				   const char *pointer)
{
	for (const struct shape *f = fields; f->key; f++) {
		const struct tree *value = tree_get(t, f->key);
		const char *at = value ? fault(what, f->kind, f->fields, value,
					       child_pointer(pointer, value, 0)) :
					 NULL;

		if (at)
			return at;
	}
	return NULL;
}

static const char *fault(const char **what, enum shape_kind kind, const struct shape *fields,
			 const struct tree *t, const char *pointer)
{
	size_t index = 0, len;

	if (tree_kind(t) <= TREE_NULL)
		return NULL;
	if (tree_kind(t) != holds[kind].tree) {
		*what = arena_printf("%s is a %s, not a %s", in_words(pointer), tree_kind_name(tree_kind(t)),
				     tree_kind_name(holds[kind].tree));
		return pointer;
	}
	if (kind == SHAPE_BYTES && !base64_decode(tree_string(t), &len)) {
		*what = arena_printf("%s is not base64", in_words(pointer));
		return pointer;
	}
	if (kind == SHAPE_MAP)
		return fault_in_fields(what, fields, t, pointer);
	if (holds[kind].inner == kind)
		return NULL;
	tree_each(child, t) {
		const char *at = fault(what, holds[kind].inner, fields, child,
				       child_pointer(pointer, child, index++));

		if (at)
			return at;
	}
	return NULL;
}

const char *shape_fault(const char **what, const struct shape *fields, const struct tree *t)
{
	return fault(what, SHAPE_MAP, fields, t, "");
}
