#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Scenarios with real Flagger behind its Deployment, each in a lab of its own, side by side: mostly they wait for Flagger's ticks.
#   run.sh SCENARIO...       incident, rolling, starts, unknown, holds, killed
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lab=$here/../lab.sh
"$lab" build lab flagger loadtester
shapes="plain env config-env config-from config-volumes probes security scheduling quantities quantities-decimal affinity annotations native-sidecar empty-structs containers"
logs=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$logs"' EXIT
names=() pids=()
play() { # NAME ARGUMENT...: in this folder, or ../FOLDER/NAME
	local name=${1##*/}
	"$lab" run "$here/$1.sh" "${@:2}" >"$logs/$name" 2>&1 &
	names+=("$name") pids+=($!)
}
for scenario in "$@"; do
	case $scenario in
	incident)
		play control "$logs/stored" $shapes
		play incident "$logs/stored" $shapes
		;;
	rolling) play rolling plain env config-env ;;
	*) play "$scenario" ;;
	esac
done
code=0
for i in "${!pids[@]}"; do
	wait "${pids[$i]}" || code=1
	sed "s/^/${names[$i]}: /" "$logs/${names[$i]}"
done
exit $code
