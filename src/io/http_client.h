/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of http.h share: the client and its transfers. The client is one allocation of
 * http_open()'s; libcurl keeps copies of all that it is given, strings and PEM bytes alike.
 */
#ifndef PERCH_IO_HTTP_CLIENT_H
#define PERCH_IO_HTTP_CLIENT_H

#include <curl/curl.h>

#include "io/http.h"

#define HTTP_PARALLEL 16

struct transfer {
	struct http *http;
	CURL *easy;                     /* set up once but for what a request says */
	struct http_request *request;   /* NULL: idle */
	struct curl_slist content_type; /* goes before the client's headers */
	char content_type_text[128];
	size_t body_sent;
	char detail[CURL_ERROR_SIZE];   /* libcurl's words for what went wrong */
};

struct http {
	struct http_options o;
	const char *origin;             /* as it was given */
	const char *url;                /* what paths are added to: tls-server-name takes the host's place */
	CURLM *multi;
	struct curl_slist *headers;     /* with those that each request has */
	const char *host_header;        /* "Host: …"; NULL: libcurl's own */
	struct curl_slist *connect_to;  /* where the URL's host is, with tls-server-name */
	struct transfer transfers[HTTP_PARALLEL];
};

/* Sets `url`, `host_header` and `connect_to`. ERR_USAGE where the origin is no http(s) URL. */
int http_origin(struct http *h, struct error *err);
/* All that requests have in common, on a new handle. */
int http_set_up(struct transfer *t, struct error *err);
/* Which proxy libcurl is to use; "" is none, NULL a scheme that it can't. */
const char *http_proxy(const struct http_options *o);
/* Fills in the request's failure. */
void http_fail(struct transfer *t, CURLcode code);

#endif
