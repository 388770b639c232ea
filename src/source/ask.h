/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T′ as the API server itself would have it, webhooks and all: D is sent as a dry run, which stores
 * nothing. Server-side appliers are asked for by their own request; what the others would send is
 * apply()'s result, as a PUT of the live object's resourceVersion. A server that can't be asked is no
 * error: apply() has to do then.
 */
#ifndef PERCH_SOURCE_ASK_H
#define PERCH_SOURCE_ASK_H

#include "io/api.h"
#include "k8s/apply.h"

struct asking {
	struct api *api;
	int server_minor;
	bool forbidden; /* the account may not ask: said once, and the end of asking */
	bool unsaid;    /* that isn't worth a word: it is given no such right */
};

/*
 * NULL: the server wasn't asked, or said no, which `warnings` then have. Only what is live already is
 * asked for. Fails only where the API does.
 */
int ask_for_applied(const struct tree **out, struct asking *d, const struct tree *desired, const struct tree *live,
		const struct applier *applier, struct notes *warnings, struct error *err);

#endif
