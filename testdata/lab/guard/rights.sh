#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rights of hooks/rbac, applied as they stand to a real API server that holds what real Flagger left:
# with them every verb does its work; without any one of them perch exits 4 and prints the rule to add,
# or does without and says so. Nobody reads a Secret.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
in_lab api '' "$@"

export POD_NAME=flagger-1 POD_NAMESPACE=flagger-system PERCH_TERMINATION_LOG=$scratch/termination
p() { "$perch" "$@" --as="$perch_account"; }

k create namespace flagger-system >/dev/null
seed
k -n flagger-system create serviceaccount flagger >/dev/null
k apply -k "$root/hooks/rbac" >/dev/null
k apply -k "$root/hooks/policy" >/dev/null
k apply -f - >/dev/null <<-Y
	apiVersion: v1
	kind: Pod
	metadata: {name: flagger-1, namespace: flagger-system, labels: {app: flagger}}
	spec: {serviceAccountName: flagger, containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0"}]}
Y
sleep 2

# Back to where Flagger 1.37.0 left it: cart to be adopted, web unproved, nothing published.
status() { k -n shop patch canary "$1" --subresource=status --field-manager=flagger --type=merge -p "{\"status\":$2}" >/dev/null; }
k -n shop get canary cart -o 'jsonpath={.status.lastAppliedSpec}' >"$scratch/cart"
k -n shop annotate deployment web-primary example.com/touched=yes >/dev/null
k -n shop patch deployment web-primary --field-manager=someone --type=merge \
	-p '{"spec":{"template":{"metadata":{"annotations":{"example.com/restarted":"yes"}}}}}' >/dev/null
back() {
	status cart "{\"lastAppliedSpec\":\"$(cat "$scratch/cart")\",\"lastPromotedSpec\":\"$(cat "$scratch/cart")\"}"
	status web '{"lastAppliedSpec":"5d7f","lastPromotedSpec":"5d7f"}'
	k -n shop patch canary web --field-manager=perch --type=merge -p '{"spec":{"suspend":null}}' >/dev/null
	k -n flagger-system delete configmap perch-guard --ignore-not-found >/dev/null
}

without() { # RULE-INDEX KIND NAME COMMAND...: the command with one rule of a Role taken away
	local index=$1 kind=$2 name=$3 code=0
	shift 3
	back
	k -n flagger-system patch "$kind" "$name" --type=json -p "[{\"op\":\"remove\",\"path\":\"/rules/$index\"}]" >/dev/null
	sleep 1
	"$@" >"$scratch/out" 2>&1 || code=$?
	k apply -k "$root/hooks/rbac" >/dev/null
	sleep 0.5
	return $code
}
needs() { # RULE-INDEX KIND NAME RULE COMMAND...
	local index=$1 kind=$2 name=$3 rule=$4 code=0
	shift 4
	without "$index" "$kind" "$name" "$@" || code=$?
	if [ $code = 4 ] && grep -qF -- "Role: $rule" "$scratch/out"; then pass; else
		not_ok "without $kind $name rule $index: exit $code, wanted 4 and '$rule'" "$scratch/out"
	fi
}
spares() { # RULE-INDEX PATTERN: guard does without this rule of the ClusterRole, and says PATTERN
	local code=0
	without "$1" clusterrole perch-upgrade p guard -v || code=$?
	if [ $code = 0 ] && grep -qF -- "$2" "$scratch/out"; then pass; else
		not_ok "without clusterrole rule $1: exit $code, wanted 0 and '$2'" "$scratch/out"
	fi
}

back
expect "guard in observe mode writes nothing" 0 "perch guard (dry run): Flagger 1.38.0: " env PERCH_MODE=observe "$perch" guard --as="$perch_account"
expect "nothing is published" 1 "not found" k -n flagger-system get configmap perch-guard
expect "guard has the rights it needs" 0 "perch guard: Flagger 1.38.0: " p guard
has "guard holds what is unproved" ' held (shop/web: unproved' "$scratch/out"
has "guard adopts" ' adopted' "$scratch/out"
expect "the ConfigMap is there" 0 "release: 1.38.0" k -n flagger-system get configmap perch-guard -o yaml
expect "a start without an upgrade writes nothing" 0 "perch guard: Flagger 1.38.0: " p guard -v
has "whose requests are seen" '► GET' "$scratch/out"
is "and none of them writes" "" "$(grep -E 'PATCH|POST' "$scratch/out" || true)"

role=clusterrole all=perch-upgrade
needs 0 $role $all '{apiGroups: [flagger.app], resources: [canaries], verbs: [list]}' p guard
needs 1 $role $all '{apiGroups: [flagger.app], resources: [canaries], verbs: [patch]}' p guard
needs 2 $role $all '{apiGroups: [flagger.app], resources: [canaries/status], verbs: [patch]}' p guard
needs 3 $role $all '{apiGroups: [apps], resources: [deployments], verbs: [list]}' p guard
needs 4 $role $all '{apiGroups: [apps], resources: [daemonsets], verbs: [list]}' p guard
needs 5 $role $all '{apiGroups: [""], resources: [services], verbs: [list]}' p guard
needs 6 $role $all '{apiGroups: [apps], resources: [replicasets], verbs: [list]}' p guard
spares 7 "no Event on"
spares 8 '{apiGroups: [""], resources: [configmaps], verbs: [list]}'
spares 9 '{apiGroups: [autoscaling], resources: [horizontalpodautoscalers], verbs: [list]}'
needs 0 role perch '{apiGroups: [""], resources: [pods], verbs: [get]}' p guard
needs 1 role perch '{apiGroups: [""], resources: [configmaps], verbs: [patch]}' p guard

# Flagger's own token: perch's account and no other.
cat >"$scratch/flagger" <<-K
	apiVersion: v1
	kind: Config
	clusters: [{name: lab, cluster: {server: "$LAB_SERVER", certificate-authority: $LAB_CA}}]
	users: [{name: flagger, user: {token: $(k -n flagger-system create token flagger)}}]
	contexts: [{name: lab, context: {cluster: lab, user: flagger}}]
	current-context: lab
K
as_flagger() { env KUBECONFIG="$scratch/flagger" "$perch" "$@"; }
expect "Flagger's account acts as perch" 0 "perch guard: " as_flagger guard --as="$perch_account"
expect "the account to act as comes by PERCH_AS" 0 "perch guard: " \
	env PERCH_AS="$perch_account" KUBECONFIG="$scratch/flagger" "$perch" guard
expect "Flagger's account acts as nobody else" 4 'cannot impersonate resource "serviceaccounts"' \
	as_flagger guard --as=system:serviceaccount:kube-system:default
expect "without impersonation it may do nothing of this" 4 "Role: " as_flagger guard
needs 0 role perch-impersonate '{apiGroups: [""], resources: [serviceaccounts], resourceNames: ['"'perch'"'], verbs: [impersonate]}' \
	as_flagger guard --as="$perch_account"

# The other verbs, with the same rights.
back
suspended() { k -n shop get canary cart -o 'jsonpath={.spec.suspend}'; }
k -n flagger-system set image deployment/flagger '*=ghcr.io/fluxcd/flagger:1.38.0' >/dev/null
generation=$(k -n flagger-system get deployment flagger -o 'jsonpath={.metadata.generation}') # no controller runs here
k -n flagger-system patch deployment flagger --subresource=status --type=merge -p "{\"status\":{\"observedGeneration\":$generation}}" >/dev/null
expect "status" 0 cart p status -A
expect "dump" 0 '"kind":"ClusterInfo"' p dump -A
expect "plan" 7 web p plan -A
expect "explain" 1 798466589c p explain shop/cart
expect "hold" 0 "1 held" p hold shop/cart --for 1h
expect "it holds" 0 true suspended
expect "reconcile" 0 "1 adopted" p reconcile shop/cart --timeout 30s
expect "it ends the hold" 0 '' test -z "$(suspended)"
back
expect "adopt" 0 "1 adopted" p adopt shop/cart
expect "hold again" 0 "1 held" p hold shop/cart --for 1h
expect "resume" 0 "1 ended" p resume shop/cart
expect "nudge" 0 "nudged" p nudge shop/cart

nobody_read_secrets
finish
