/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name that perch was called by. As a plugin of kubectl (kubectl-perch) or flux (flux-perch) its
 * users type `kubectl perch`, and that is what help shows them; all else is the same, the field manager
 * too. kubectl asks kubectl_complete-perch for the words of its plugin.
 */
#ifndef PERCH_PROGRAM_H
#define PERCH_PROGRAM_H

#include <stdbool.h>

/* To be called once, before the others; argv0 may be NULL. */
void program_begin(const char *argv0);
const char *program_name(void); /* "perch", "kubectl perch" or "flux perch" */
bool program_completes(void);   /* called as kubectl_complete-perch */
/* Text with each `perch VERB` in it under that name; on the arena. */
const char *program_text(const char *text);

#endif
