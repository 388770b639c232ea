/* SPDX-License-Identifier: Apache-2.0 */
#include "io/signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/error.h"

#define MAX_LAST 4

static void (*lasts[MAX_LAST])(int sig);
static volatile sig_atomic_t n_lasts;

static void on_signal(int sig)
{
	sigset_t mine;

	for (int i = n_lasts; i > 0; i--)
		lasts[i - 1](sig);
	signal(sig, SIG_DFL);
	sigemptyset(&mine);
	sigaddset(&mine, sig);
	sigprocmask(SIG_UNBLOCK, &mine, NULL);
	raise(sig);
	_exit(128 + sig);
}

void signals_spare_pipe(struct sigaction *before)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGPIPE, &ignore, before);
}

void signals_heed_pipe(const struct sigaction *before)
{
	sigaction(SIGPIPE, before, NULL);
}

void signals_await_children(void)
{
	signal(SIGCHLD, SIG_DFL);
}

static bool is_ignored(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void signals_at_end(void (*last)(int sig))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = on_signal};

	if (n_lasts == MAX_LAST)
		BUG("too much to do at the end");
	lasts[n_lasts] = last;
	n_lasts++;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (signals[i] == SIGPIPE || !is_ignored(signals[i]))
			sigaction(signals[i], &action, NULL);
}
