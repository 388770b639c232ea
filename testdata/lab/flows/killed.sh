#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guard is killed at several moments of an upgrade, in front of real Flagger: the kubelet starts it anew, and the fleet ends as if
# nothing had happened. (Every request of every verb, without Flagger: ../faults.)
set -euo pipefail
. "$(dirname "$0")/lib.sh"
"$LAB_SH" deploy 1.37.0 >/dev/null
install_perch
flagger_ready
fleet settle plain env config-env
install_guard
flagger_ready 120
flagger_down
mark=$(audit_mark)
started=$SECONDS
upgrade 1.38.0
# Each start of guard is killed a little later than the one before, until it is through.
pids() { cat "$LAB_RUN"/pods/flagger-system_flagger-*_perch-guard.pid 2>/dev/null || true; }
killed=0 last=$(pids) after=0
while [ $SECONDS -lt $((started + 60)) ] && [ $killed -lt 5 ]; do
	pid=$(pids)
	if [ -n "$pid" ] && [ "$pid" != "$last" ]; then
		sleep "0.$(printf %02d $after)"
		kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
		last=$pid after=$((after + 4))
	fi
	sleep 0.01
done
ok "guard was killed, more than once" test $killed -ge 2
ok "and ended well at last" flagger_ready 120
say "killed $killed times; $(guard_line)"
ticks
is "nothing rolls" "" "$(begun)"
is "nothing is held" "" "$(k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name}{" "}{end}')"
is "each canary was written once" "" "$(wrote "$mark" | grep ' canaries/status ' | grep ' 200$' | sort | uniq -d)"
is "and every one of them" "$(k get canaries -A -o name | wc -l)" "$(wrote "$mark" | grep ' canaries/status ' | grep -c ' 200$')"
finish
