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
# Each start of guard is killed a little later than the one before, until it is through. It takes but a moment: nothing here forks.
mkfifo "$scratch/nothing"
exec 9<>"$scratch/nothing"
pause() { read -rt "$1" -u 9 || true; }
seen=" "
started() { # into pid: a start of guard's that wasn't seen before
	local file
	for file in "$LAB_RUN"/pods/flagger-system_flagger-*_perch-guard.pid; do
		pid=
		read -r pid <"$file" || [ -n "$pid" ] || continue
		case $seen in *" $pid "*) ;; *) seen+="$pid "; return ;; esac
	done 2>/dev/null
	return 1
}
while started; do :; done
mark=$(audit_mark)
upgrade 1.38.0
killed=0 delays=(0.001 0.04 0.08 0.12 0.16) end=$((SECONDS + 60))
while [ $SECONDS -lt $end ] && [ $killed -lt ${#delays[@]} ]; do
	pause 0.005
	started || continue
	pause "${delays[$killed]}"
	kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
done
ok "guard was killed, more than once" test $killed -ge 2
ok "and ended well at last" flagger_ready 120
say "killed $killed times; $(guard_line)"
ticks
is "nothing rolls" "" "$(begun)"
is "nothing is held" "" "$(k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name}{" "}{end}')"
is "each canary was written once" "" "$(wrote "$mark" | grep ' canaries/status ' | grep ' 200$' | sort | uniq -d)"
is "and every one of them" "$(k get canaries -A -o name | wc -l)" "$(wrote "$mark" | grep ' canaries/status ' | grep -c ' 200$')"
nothing_confidential_is_told
finish
