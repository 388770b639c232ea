/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GSSAPI (RFC 2744) without a mechanism. Debian's libgit2.a asks for one when a server offers
 * Negotiate, and has no static library of it: in a static perch that offer can't be taken.
 */
#include <stdint.h>
#include <stddef.h>

typedef uint32_t gss_status;
#define GSS_COMPLETE 0u
#define GSS_UNAVAILABLE (16u << 16)

void *GSS_C_NT_HOSTBASED_SERVICE;

/* Each of these is called with more than it looks at. */
#define UNAVAILABLE(name) \
	gss_status name(gss_status *minor); \
	gss_status name(gss_status *minor) \
	{ \
		*minor = 0; \
		return GSS_UNAVAILABLE; \
	}
#define NOTHING_TO_FREE(name) \
	gss_status name(gss_status *minor); \
	gss_status name(gss_status *minor) \
	{ \
		*minor = 0; \
		return GSS_COMPLETE; \
	}

UNAVAILABLE(gss_indicate_mechs)
UNAVAILABLE(gss_import_name)
UNAVAILABLE(gss_init_sec_context)
UNAVAILABLE(gss_display_status)
NOTHING_TO_FREE(gss_delete_sec_context)
NOTHING_TO_FREE(gss_release_buffer)
NOTHING_TO_FREE(gss_release_name)
NOTHING_TO_FREE(gss_release_oid_set)
