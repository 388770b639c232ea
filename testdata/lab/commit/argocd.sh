#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commit flow as Argo CD runs it, server-side and client-side: what runs, once, what doesn't, and what stays so over an upgrade of
# Flagger; holds by policy; ships, killed in the middle too.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
begin 1.37.0
client=" env restart spelled injected checksum guarded " # these are applied with last-applied, not server-side
changed="image env resources config restart"
same="same spelled replicas sidecar injected"
noise="label checksum"
killed="killed swept"
all="$changed $same $noise frozen ship $killed guarded"
sync() { # APP [FLAG]...
	case $client in *" $1 "*) argo "$1" -client-side "${@:2}" ;; *) argo "$@" ;; esac
}
pods=" label frozen " # these have Pods instead of Jobs
for a in $all; do
	app "$a"
	case $pods in *" $a "*) argo_app "$a" argocd/pods ;; *) argo_app "$a" ;; esac
done
# Somebody else's container, there before the app.
for a in sidecar injected; do
	k apply --server-side --field-manager=injector -f - >/dev/null <<-Y
		apiVersion: apps/v1
		kind: Deployment
		metadata: {name: $a, namespace: fleet}
		spec:
		  selector: {matchLabels: {app: $a}}
		  template:
		    metadata: {labels: {app: $a}}
		    spec:
		      containers: [{name: proxy, image: "registry.example/proxy:3", env: [{name: MESH, value: "on"}]}]
	Y
done
ok "the first sync of each app" each sync -- $all
all_settled Initialized $all
has "hooks have nothing to do for what isn't there yet" "perch hook pre: 0 of" "$(hook_log pre image)"

# --- a commit to each

image_to image 1.1.0
value_to env LEVEL debug
edit resources 's/memory: 64Mi/memory: 96Mi/'
edit config 's/quiet/loud/' configmap.yaml
edit restart 's|annotations: {|annotations: {kubectl.kubernetes.io/restartedAt: "2026-01-01T00:00:00Z", |'
edit same 's/requests: {cpu: "1", memory: 64Mi}/requests: {memory: 64Mi, cpu: "1"} # the same/; s/labels: {app: same, \(.*\)}/labels: {\1, app: same}/'
edit spelled 's/cpu: "1"/cpu: 1000m/; s/64Mi/65536Ki/'
edit replicas 's/^  selector:/  replicas: 3\n  selector:/'
for a in sidecar injected; do edit $a 's/^# .*//; 1i # rendered again'; done
edit label 's/web-1.0.0/web-1.0.1/'
edit checksum 's/config: one/config: two/'
value_to frozen FROZEN "yes"
value_to ship SPEED fast
mark=$(audit_mark)
ok "a sync of each app" each sync -- $changed $same $noise frozen ship
is "policy holds what it shall hold" "frozen policy/frozen" "$(suspended)"
has "and says why" "policy" "$(hook_log post frozen)"
is "pre held what would run for nothing, and what is shipped, and post ended that" \
	"$(printf '%s\n' 'checksum 3' 'frozen 1' 'label 3' 'ship 3')" "$(patched "$mark")"

# --- ships that are killed before the end

kill_ships() { # APP...: each is shipped, and post killed once it told Flagger so
	local a pid
	for a in "$@"; do value_to $a SPEED fast; done
	ok "syncs of which post never comes" each sync -phases PreSync,Sync -- "$@"
	for a in "$@"; do
		"$perch" hook post --app "$a" -n fleet -f "$apps/$a/app/deployment.yaml" --as "$commit_account" --timeout 5m >"$scratch/$a.post" 2>&1 &
		pid=$!
		within 60 sh -c "kubectl -n fleet get canary $a -o jsonpath='{.spec.skipAnalysis}' | grep -q true" || true
		kill -9 $pid || cat "$scratch/$a.post"
		wait $pid 2>/dev/null || true
	done
	is "those stay told to skip their analysis" "$(printf 'true%.0s' "$@")" "$(for a in "$@"; do field $a '{.spec.skipAnalysis}'; done)"
}
kill_ships $killed
all_settled Succeeded $changed ship $killed
is "what really changed runs, and each once" "$(fleet_of $changed ship $killed)" "$(ran)"
for a in $changed; do ok "$a was analysed" test "$(analysed $a) $(skipped $a)" = "1 0"; done
for a in ship $killed; do ok "$a was promoted without" test "$(analysed $a) $(skipped $a)" = "0 1"; done
is "a ship that ended leaves nothing" "" "$(shipping ship)"

# --- what is left of a killed ship doesn't skip another analysis

image_to killed 1.1.0
ok "a sync of one that was killed" sync killed
is "takes that off first" "" "$(shipping killed)"
is "the sweeper takes the others off" 0 "$(sweep leftover)"
is "which it does" "" "$(shipping swept)"
image_to swept 1.1.0
ok "a sync of that one" sync swept
kill_ships guarded # for guard
for a in killed swept; do ok "its next real change is analysed ($a)" within 150 ended_as $a 1 1; done
ok "what is left for guard is promoted" within 90 ended_as guarded 0 1

# --- an upgrade of Flagger

is "one is left for guard" true "$(field guarded '{.spec.skipAnalysis}')"
flagger_down
upgrade 1.38.0
flagger_ready 120
say "$(guard_line)"
ticks
is "nothing runs at the next upgrade, what policy ignored neither" "" "$(ran)"
is "policy's hold stays" "frozen policy/frozen" "$(suspended)"
is "guard takes the last ship off" "" "$(shipping guarded)"

# --- after it

value_to frozen FROZEN "no"
edit label 's/web-1.0.1/web-1.0.2/'
image_to guarded 1.1.0
value_to ship SPEED faster
ok "one more sync" each sync -- frozen label guarded ship
is "what policy held is let go when it is taken back" "" "$(suspended)"
ok "a real change is analysed, for all that was left" within 150 ended_as guarded 1 0
ok "unless it is shipped" within 90 ended_as ship 0 1
is "only what really changed runs" "$(fleet_of guarded ship)" "$(ran)"
is "no hook failed" "" "$(k -n fleet get jobs -o jsonpath='{range .items[?(@.status.failed)]}{.metadata.name}{"\n"}{end}')"
is "perch asked for no Secret" "" "$(asked 0 | grep -E ':perch .* secrets' || true)"
nothing_confidential_is_told
finish
