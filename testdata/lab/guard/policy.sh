#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The admission policies of hooks/, applied as they stand to a real API server: perch's account, even
# with every right that RBAC can give, changes nothing of a Canary but what is its own to change.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
in_lab api '' "$@"

k create namespace flagger-system >/dev/null
seed shop
k apply -k "$root/hooks/rbac" >/dev/null
k apply -k "$root/hooks/policy" >/dev/null
k create clusterrolebinding all-for-perch --clusterrole=cluster-admin --serviceaccount=flagger-system:perch >/dev/null
sleep 2 # a policy is in force a moment after it was stored

refused() { # NAME PATTERN ARGUMENT-OF-KUBECTL...
	local name=$1 pattern=$2
	shift 2
	expect "$name is refused" 1 "ValidatingAdmissionPolicy 'perch-fields' with binding 'perch-fields' denied request: $pattern" \
		as_perch -n shop "$@"
}
allowed() { # NAME ARGUMENT-OF-KUBECTL...
	local name=$1
	shift
	expect "$name is allowed" 0 '' as_perch -n shop "$@"
}
spec='perch changes nothing of a Canary'"'"'s spec'
metadata='perch changes nothing of a Canary'"'"'s metadata'
annotations='perch changes no annotations but'
status='perch changes nothing of a Canary'"'"'s status'

merge="patch canary cart --type=merge -p"
on_status="patch canary cart --subresource=status --type=merge -p"
# shellcheck disable=SC2086
{
	refused "analysis.threshold" "$spec" $merge '{"spec":{"analysis":{"threshold":50}}}'
	refused "a new analysis.metrics" "$spec" $merge '{"spec":{"analysis":{"metrics":[{"name":"x","interval":"1m"}]}}}'
	refused "targetRef" "$spec" $merge '{"spec":{"targetRef":{"name":"web"}}}'
	refused "service.port" "$spec" $merge '{"spec":{"service":{"port":9999}}}'
	refused "a new field of spec" "$spec" $merge '{"spec":{"revertOnDeletion":true}}'
	refused "a removed field of spec" "$spec" $merge '{"spec":{"progressDeadlineSeconds":null}}'
	refused "another field beside suspend" "$spec" $merge '{"spec":{"suspend":true,"progressDeadlineSeconds":1}}'
	refused "a label" "$metadata" $merge '{"metadata":{"labels":{"app":"x"}}}'
	refused "a finalizer" "$metadata" $merge '{"metadata":{"finalizers":["perch.dev/stay"]}}'
	refused "an owner" "$metadata" $merge '{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Namespace","name":"shop","uid":"1"}]}}'
	refused "an annotation of others" "$annotations" $merge '{"metadata":{"annotations":{"example.com/owner":"perch"}}}'
	refused "an annotation that only looks like perch's" "$annotations" $merge '{"metadata":{"annotations":{"perch.development/x":"y"}}}'
	k -n shop annotate canary cart example.com/team=shop >/dev/null
	refused "a changed annotation of others" "$annotations" $merge '{"metadata":{"annotations":{"example.com/team":"perch"}}}'
	refused "a removed annotation of others" "$annotations" $merge '{"metadata":{"annotations":{"example.com/team":null}}}'
	refused "status.phase" "$status" $on_status '{"status":{"phase":"Succeeded","canaryWeight":50}}'
	refused "status.canaryWeight" "$status" $on_status '{"status":{"canaryWeight":50}}'
	refused "status.iterations beside a hash" "$status" $on_status '{"status":{"lastAppliedSpec":"x","iterations":3}}'
	refused "status.trackedConfigs" "$status" $on_status '{"status":{"trackedConfigs":{"configmap/shop-common":"0"}}}'
	refused "status.conditions" "$status" $on_status '{"status":{"conditions":null}}'
	refused "a suspend that says nothing" "perch suspends no Canary" $merge '{"spec":{"suspend":true}}'
	refused "a ship that says nothing" "perch ships no Canary" $merge '{"spec":{"skipAnalysis":true}}'
	refused "a deletion" "perch neither creates nor deletes" delete canary cart
	refused "a deletion of all" "perch neither creates nor deletes" delete canary --all
}
cat >"$scratch/new.yaml" <<-Y
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata: {name: new, namespace: shop}
	spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: new}, service: {port: 80}, analysis: {interval: 1m, threshold: 1, iterations: 1}}
Y
refused "a new Canary" "perch neither creates nor deletes" create -f "$scratch/new.yaml"
refused "a new Canary by an apply" "perch neither creates nor deletes" apply --server-side --field-manager=perch -f "$scratch/new.yaml"

own() { # ANNOTATIONS-AND-SPEC of cart, applied as perch applies
	printf 'apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata:\n  name: cart\n  namespace: shop\n%s\n' "$1" >"$scratch/own.yaml"
	apply="apply --server-side --field-manager=perch -f $scratch/own.yaml"
}
hold='  annotations: {perch.dev/held-for: upgrade, perch.dev/held-by: perch guard, perch.dev/held-at: x, perch.dev/held-until: x,
    perch.dev/held-reason: unproved, perch.dev/undo: kubectl}
spec: {suspend: true}'
# shellcheck disable=SC2086
{
	own "$hold"; allowed "a hold" $apply
	own '  annotations: {perch.dev/accepted: 0123456789abcdef}'; allowed "the end of a hold, and an acceptance" $apply
	own '  annotations: {perch.dev/ship: 5d7f}
spec: {skipAnalysis: true}'; allowed "a ship" $apply
	own ''; allowed "the end of it all" $apply
	allowed "both hashes" $on_status '{"status":{"lastAppliedSpec":"5d7f","lastPromotedSpec":"5d7f"}}'
	allowed "a nudge" $on_status '{"status":{"lastAppliedSpec":""}}'
	expect "others aren't limited" 0 '' k -n shop $merge '{"spec":{"analysis":{"threshold":50}}}'
}

# The other policy: a Flagger without guard.
k apply -f - >/dev/null <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: old, namespace: flagger-system}
	spec: {selector: {matchLabels: {app: old}}, template: {metadata: {labels: {app: old}}, spec: {containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.37.0"}]}}}
Y
k apply -k "$root/hooks/require-guard" >/dev/null
sleep 2
guarded() { # IMAGE [INIT]
	cat <<-Y >"$scratch/flagger.yaml"
		apiVersion: apps/v1
		kind: Deployment
		metadata: {name: flagger, namespace: flagger-system}
		spec:
		  selector: {matchLabels: {app: flagger}}
		  template:
		    metadata: {labels: {app: flagger}}
		    spec:
		      initContainers: [${2:+{name: $2, image: perch\}}]
		      containers: [{name: main, image: "$1"}]
	Y
}
guarded ghcr.io/fluxcd/flagger:1.38.0
expect "a Flagger without guard" 1 "has no init container perch-guard" k apply -f "$scratch/flagger.yaml"
guarded localhost:5000/mirror/flagger@sha256:0123456789012345678901234567890123456789012345678901234567890123
expect "a mirrored one by digest" 1 "has no init container perch-guard" k apply -f "$scratch/flagger.yaml"
guarded ghcr.io/fluxcd/flagger:1.38.0 warm-up
expect "another init container" 1 "has no init container perch-guard" k apply -f "$scratch/flagger.yaml"
guarded ghcr.io/fluxcd/flagger:1.38.0 perch-guard
expect "a Flagger with guard" 0 '' k apply -f "$scratch/flagger.yaml"
guarded ghcr.io/fluxcd/flagger:1.41.0
expect "guard dropped by an upgrade" 1 "has no init container perch-guard" k apply -f "$scratch/flagger.yaml"
expect "scaling one that never had it" 0 '' k -n flagger-system scale deployment old --replicas=2
expect "upgrading one that never had it" 1 "has no init container perch-guard" \
	k -n flagger-system set image deployment/old flagger=ghcr.io/fluxcd/flagger:1.38.0
ok "the load tester is no Flagger" k -n flagger-system create deployment loadtester --image=ghcr.io/fluxcd/flagger-loadtester:0.34.0
finish
