#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commit flow as Helm runs it, by Helm's own install, upgrade and rollback: hooks of the chart, which hand over what it renders. What
# a chart no longer has is a change, though nothing but Helm's manager says that it was the chart's.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
begin 1.37.0
changed="variable limit image"
all="$changed label frozen ship sidecar"

chart() { # APP: the chart of an app as it is now
	local at=$apps/$1/chart
	rm -rf "$at"
	mkdir -p "$at/templates" "$at/charts"
	cp -r "$hooks/helm" "$at/charts/perch"
	cp "$apps/$1"/app/*.yaml "$at/templates"
	cp "$apps/$1/app/.perch.yaml" "$at"
	cat >"$at/Chart.yaml" <<-Y
		apiVersion: v2
		name: web
		version: 1.0.0
		dependencies: [{name: perch, version: 0.1.0, repository: "file://../perch/hooks/helm"}]
	Y
	echo '{{ include "perch.hooks" (dict "chart" . "templates" (list "deployment.yaml" "configmap.yaml")) }}' >"$at/templates/perch.yaml"
	echo "$at"
}
release() { # APP VERB
	local code=0
	if [ "$2" = rollback ]; then engines helm rollback "$1" fleet; else engines helm "$2" "$1" fleet "$(chart "$1")"; fi \
		>>"$scratch/$1.sync" 2>&1 || code=$?
	return $code
}
for a in $all; do app "$a"; done
k apply --server-side --field-manager=injector -f - >/dev/null <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: sidecar, namespace: fleet, labels: {app.kubernetes.io/managed-by: Helm},
	  annotations: {meta.helm.sh/release-name: sidecar, meta.helm.sh/release-namespace: fleet}}
	spec:
	  selector: {matchLabels: {app: sidecar}}
	  template:
	    metadata: {labels: {app: sidecar}}
	    spec:
	      containers: [{name: proxy, image: "registry.example/proxy:3"}]
Y
ok "each release is installed" each release install -- $all
all_settled Initialized $all

# --- an upgrade of each

edit variable '/name: LEVEL/d'
edit limit '/limits:/d'
image_to image 1.1.0
edit label 's/web-1.0.0/web-1.0.1/'
value_to frozen FROZEN "yes"
value_to ship SPEED fast
edit sidecar '1i # rendered again'
for a in variable limit; do
	code=0
	"$perch" plan -n fleet -f "$(chart $a)/templates/deployment.yaml" --as "$commit_account" "$a" >"$scratch/$a.plan" 2>&1 || code=$?
	is "plan sees that a $a goes" 1 $code
done
has "the variable" "env[LEVEL]" "$scratch/variable.plan"
has "the limit" "limits" "$scratch/limit.plan"
is "who applied them is known by Helm's manager alone" "helm" "$(k -n fleet get deployment variable -o jsonpath='{.metadata.managedFields[?(@.operation=="Update")].manager}' --show-managed-fields | tr ' ' '\n' | grep helm)"
mark=$(audit_mark)
ok "each is upgraded" each release upgrade -- $all
is "policy holds what it shall hold" "frozen policy/frozen" "$(suspended)"
is "noise was held, noted and let go" "label 3" "$(patched "$mark" | grep label)"
all_settled Succeeded $changed ship
is "what really changed runs, what was removed too, and each once" "$(fleet_of $changed ship)" "$(ran)"
for a in $changed; do ok "$a was analysed" test "$(analysed $a) $(skipped $a)" = "1 0"; done
ok "what is shipped isn't analysed" test "$(analysed ship) $(skipped ship)" = "0 1"

# --- and back

ok "a rollback runs hooks too" release frozen rollback
is "and lets go what policy held" "" "$(suspended)"
ok "a rollback of noise" release label rollback
ticks 14
is "nothing else ran" "$(fleet_of $changed ship)" "$(ran)"
for phase in pre post; do for a in frozen label; do
	has "the hook of a rollback has its manifests ($phase $a)" "1 of 7 canaries in fleet is in scope" "$(hook_log $phase $a)"
done; done
is "perch asked for no Secret" "" "$(asked 0 | grep -E ':perch .* secrets' || true)"
nothing_confidential_is_told
finish
