#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Syncs that don't go well: with a canary in scope that failed, is gated or in flight, pre holds nothing, says so and lets the sync go
# on. Where post or fail never run the sweeper ends holds past their time, and decides them first.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
begin 1.37.0
port9=http://127.0.0.1:9/
companion() { # APP ANALYSIS: with another canary
	app "$1"
	app "$1-other" "$2"
	join_apps "$1" "$1-other"
	argo_app "$1"
}
companion failed "iterations: 3, webhooks: [{name: check, type: rollout, url: \"$port9\", timeout: 1s}]"
companion gated "iterations: 1, webhooks: [{name: gate, type: confirm-rollout, url: \"$port9\", timeout: 1s}]"
companion flying "iterations: 100"
companions="failed gated flying"
left="asked left"
for a in $left; do app "$a"; argo_app "$a"; done
ok "the first sync of each app" each argo -- $companions $left
for a in $companions; do all_settled Initialized $a $a-other; done
all_settled Initialized $left

# --- another canary of the app isn't settled

for a in $companions; do edit $a "/name: $a-other\$/,\$s|app:1[0-9.]*|app:1.1.0|"; done
each argo -- $companions >/dev/null || true # one of them may fail in time for this sync
settled failed-other Failed
settled flying-other Progressing
settled gated-other Waiting
for a in $companions; do edit $a "s/{app: $a, helm.sh\/chart: web-1.0.0/{app: $a, helm.sh\/chart: web-1.0.1/"; done
mark=$(audit_mark)
each argo -timeout 40s -- $companions >/dev/null || true
is "pre holds nothing" "" "$(suspended)"
is "nor did it meanwhile" "" "$(for a in $companions; do patched "$mark" | grep "^$a-other" || true; done)"
has "says so of a failed one" "2 of 8 canaries in fleet are in scope, nothing is held since fleet/failed-other is Failed" "$(hook_log pre failed)"
has "of a gated one" "nothing is held since fleet/gated-other is Waiting" "$(hook_log pre gated)"
has "and of one in flight" "nothing is held since fleet/flying-other is Progressing" "$(hook_log pre flying)"
for a in $companions; do is "and lets the sync of $a go on" 0 "$(hook_exit pre $a)"; done
has "Argo CD fails the sync with a failed one" "Sync: Canary failed-other is degraded" "$scratch/failed.sync"
is "and runs fail, which exits 0" 0 "$(hook_exit fail failed)"
for a in gated flying; do has "the one with a canary that is $a has to be terminated" "the sync is terminated" "$scratch/$a.sync"; done

# --- post never runs

edit left 's/web-1.0.0/web-1.0.1/'
image_to asked 1.1.0
PRE="--hold=all --for=1s"
ok "syncs that are terminated before post" each argo -phases PreSync,Sync -- $left
unset PRE
is "leave their holds" "$(printf '%s commit/%s\n' asked asked left left)" "$(suspended)"
before=$(begun)
ticks 14
is "under which nothing runs" "$before" "$(begun)"
is "a namespace's own sweeper ends one" "0 left commit/left" "$(sweep own fleet) $(suspended)"
is "and none beside what it let go" "0 left commit/left" "$(sweep again fleet) $(suspended)"
all_settled Succeeded asked
is "the fleet's ends the next" "0 " "$(sweep fleets) $(suspended)"
all_settled Succeeded left
is "what they held was decided: without the policy's word it is a change, which Flagger analyses once" \
	"$(printf '%s 1\n' $left)" "$(for a in $left; do echo "$a $(analysed $a)"; done)"
is "perch asked for no Secret" "" "$(asked 0 | grep -E ':perch .* secrets' || true)"
nothing_confidential_is_told
finish
