#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Scenarios with real Flagger behind its Deployment, each in a lab of its own.
#   run.sh SCENARIO...       incident, rolling, starts, unknown
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lab=$here/../lab.sh
"$lab" build lab flagger
shapes="plain env config-env config-from config-volumes probes security scheduling quantities quantities-decimal affinity annotations native-sidecar empty-structs containers"
code=0
for scenario in "$@"; do
	case $scenario in
	incident)
		stored=$(mktemp)
		# Side by side: mostly both wait for Flagger's ticks.
		"$lab" run "$here/control.sh" "$stored" $shapes >"$stored.log" 2>&1 &
		control=$!
		"$lab" run "$here/incident.sh" "$stored" $shapes || code=1
		wait $control || code=1
		cat "$stored.log"
		rm -f "$stored" "$stored.log"
		;;
	*) "$lab" run "$here/$scenario.sh" || code=1 ;;
	esac
done
exit $code
