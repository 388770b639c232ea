/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Kubernetes API over http.h: who asks (credentials, renewed when they expire or are refused),
 * retries (429 and 5xx with Retry-After, failed connections; a write only where it is known not to
 * have been done, or may be done twice), paged lists with a fresh start where `continue` has expired
 * (410), and errors as a Status says them. 403 is ERR_FORBIDDEN and its text ends with the rule that
 * a Role lacks. What a caller can act on (404, 409, 410, 422) is an answer, not an error.
 *
 * Who asks comes as data (source/kubeconfig.h makes it), so this file knows no kubeconfig.
 */
#ifndef PERCH_IO_API_H
#define PERCH_IO_API_H

#include "io/http.h"
#include "value/tree.h"

/* What authenticates a request. All NULL: the client certificate alone, or nobody. */
struct credentials {
	const char *token;                /* bearer */
	const char *user, *password;      /* basic */
	struct pem certificate, key;      /* of an exec plugin; else those of http_options */
	int64_t expires;                  /* seconds since the epoch; 0: never */
};

struct api_options {
	struct http_options http;
	/* Asked before the first request, when `expires` has passed, and with `refused` after a 401. */
	int (*credentials)(void *arg, struct credentials *out, bool refused, struct error *err);
	void *arg;
	const char *as;                   /* impersonation; NULL: as oneself */
	const char *const *as_groups;     /* NULL-terminated, or NULL */
	const char *as_uid;
	const struct http_header *as_extra; /* Impersonate-Extra-…, escaped as a header's name must be */
	size_t as_extra_count;
	int retries;                      /* after the first try */
};

struct api;

int api_open(struct api **out, const struct api_options *o, struct error *err);
void api_close(struct api *api);
const char *api_server(const struct api *api); /* the origin */
size_t api_requests(const struct api *api);    /* sent so far */

/* Zero but for the request. A GET is repeated where it fails; see `repeatable` for a write. */
struct api_call {
	struct http_request http;
	bool repeatable;                  /* a second time does no harm: it has a precondition */
	const struct tree *object;        /* the answer of a 2xx, parsed on the arena */
	const char *message;              /* of the Status of any other answer; "" */
	const char *reason;               /* "Conflict", "NotFound", …; "" */
	const struct tree *status;        /* the whole Status, for its details; NULL */
	bool optional;                    /* every 4xx but 401 and 429 is an answer: one can do without */
	struct error refusal;             /* what such an answer would else be as an error */
};

/*
 * Carries out calls side by side. 0: each has an answer that is a 2xx, 404, 409, 410 or 422 (or any
 * that its `optional` allows), to be read from http.status. -1: the first that failed otherwise
 * (ERR_UNREACHABLE, ERR_FORBIDDEN, ERR_TIMEOUT, ERR_REFUSED for 401, ERR_PARTIAL for an answer that is
 * no JSON or cut off).
 */
int api_perform(struct api *api, struct api_call *const *calls, size_t n, struct error *err);
/* One of them. */
int api_call(struct api *api, struct api_call *call, struct error *err);

/*
 * A list, read page by page. Each item is handed on as its JSON text, in the server's order; the
 * items of a typed list have neither apiVersion nor kind. The text lasts until `item` returns, and
 * what that allocates stays. A long page is in a file meanwhile, and one item of it in memory.
 */
struct api_list {
	const char *path;                 /* with a query or without; limit and continue are added */
	int (*item)(void *arg, const char *text, size_t len, struct error *err);
	/* The pages read so far don't count: `continue` expired and the list begins anew. NULL: then ERR_PARTIAL. */
	int (*restart)(void *arg, struct error *err);
	void *arg;
	bool secret;                      /* a page stays in memory, whatever its length */
	/* The answer. */
	int status;                       /* 200, 403 or 404 (no such kind) */
	struct error refusal;             /* of a 403, for those who can do without */
	size_t items;
	const char *resource_version;     /* of the list; NULL unless 200 */
};
/* Side by side; 403 and 404 are answers here. */
int api_lists(struct api *api, struct api_list *const *lists, size_t n, struct error *err);

/* Path of an object or, with name NULL, of its kind in a namespace (NULL: in all). Escaped as needed. */
struct api_kind {
	const char *group, *version, *plural; /* "" is the core group */
};
const char *api_path(const struct api_kind *kind, const char *namespace, const char *name);
/* The same with a query: api_query(path, "dryRun", "All", NULL); values are escaped. */
const char *api_query(const char *path, ...) __attribute__((sentinel));

#endif
