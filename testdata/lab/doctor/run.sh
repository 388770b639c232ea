#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `perch doctor` says of a real API server: each release's own CRD, rights as the server lists them,
# and fields as engines' appliers leave them. Where it says that something fails, that is tried, and its
# remedy too. Nothing here runs Flagger. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
in_lab api '' "$@"
k() { kubectl "$@" >"$scratch/kubectl.out" 2>&1 || { cat "$scratch/kubectl.out" >&2; return 1; }; }

# finds CHECK-GLOB [ARG]...: `CHECK OBJECT: TEXT`, one a line
finds() {
	local wanted=$1 code=0
	shift
	"$perch" doctor -o tsv "$@" >"$scratch/found" 2>"$scratch/err" || code=$?
	[ $code -le 1 ] || { echo "exit $code"; cat "$scratch/err"; }
	awk -F '\t' '{ print $1 " " $3 ": " $7 }' "$scratch/found" | grep "^$wanted" || echo none
}
flagger() { # RELEASE
	k apply -f - <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: flagger, namespace: flagger-system, labels: {app.kubernetes.io/name: flagger}}
	spec:
	  selector: {matchLabels: {app.kubernetes.io/name: flagger}}
	  template:
	    metadata: {labels: {app.kubernetes.io/name: flagger}}
	    spec: {containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:$1"}]}
	Y
}
canary() { # NAME [SPEC,]
	cat <<-Y
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata: {name: $1, namespace: shop}
	spec:
	  ${2:-}
	  targetRef: {apiVersion: apps/v1, kind: Deployment, name: $1}
	  analysis: {interval: 1m, threshold: 5, iterations: 10}
	Y
}
spec() { kubectl -n shop get canary "$1" -o jsonpath="{.spec.$2}"; }

k create namespace flagger-system
k create namespace shop
k create namespace test

# --- CRDs

like 'no CRD' 'no-crd *canaries.flagger.app: the server has no such *' "$(finds no-crd -A)"
releases='1.37 1.38 1.41 1.43 1.44'
before=
for r in $releases; do
	if [ -n "$before" ]; then flagger "$r.0"; like "$r on the CRD of $before" "${older:-?}" "$(finds crd- -A)"; fi
	k apply --server-side --force-conflicts -f "$(crd_of "$r")"
	flagger "$r.0"
	is "$r on its own CRD" none "$(finds crd- -A)"
	is "$r, and its release is known" none "$(finds flagger-unknown -A)"
	before=$r
	case $r in
	1.37) older=none ;;
	1.38) older='crd-older *: Flagger 1.41.0 has spec.service.headless, *primaryCookieName, which it drops' ;;
	1.41) older='crd-older *: Flagger 1.43.0 has spec.service.unmanagedMetadata, *, status.primarySessionAffinityCookie, which it drops' ;;
	1.43) older='crd-older *: Flagger 1.44.0 has spec.service.backendTimeout, which it drops' ;;
	esac
done
k wait --for=condition=established --timeout=30s crd/canaries.flagger.app

part=/spec/versions/0/schema/openAPIV3Schema/properties
without() { k patch crd canaries.flagger.app --type=json -p '[{"op":"remove","path":"'"$part/$1"'"}]'; }
without spec/properties/suspend
like 'a CRD without suspend' 'crd-no-suspend *canaries.flagger.app: *' "$(finds crd- -A)"
drops_suspend() { canary pruned 'suspend: true' | k apply --validate=false -f - && [ -z "$(spec pruned suspend)" ]; }
ok 'it does drop suspend' within 20 drops_suspend
without status/properties/lastAppliedSpec
like 'a CRD without a hash' '*crd-prunes-status *: its schema has no status.lastAppliedSpec*' "$(finds crd-prunes -A)"
drops_hash() {
	k -n shop patch canary pruned --subresource=status --type=merge -p '{"status":{"lastAppliedSpec":"a","lastPromotedSpec":"b",
		"phase":"Succeeded","canaryWeight":0,"failedChecks":0,"iterations":0}}'
	[ "$(kubectl -n shop get canary pruned -o jsonpath='{.status.lastAppliedSpec} {.status.lastPromotedSpec}')" = ' b' ]
}
ok 'it does drop the hash' within 20 drops_hash
k apply --server-side --force-conflicts -f "$(crd_of 1.44)"
is 'its remedy: the CRD of the release' none "$(finds crd- -A)"
k -n shop delete canary pruned

# --- rights

me=system:serviceaccount:flagger-system:perch
rights() { finds rights- --rights-of "$me" "$@"; }
k apply -f "$root/hooks/rbac/account.yaml"
is 'an account without rights' '13' "$(rights -A | grep -c ': {')"
k apply -f "$root/hooks/rbac/fleet.yaml" -f "$root/hooks/rbac/namespace.yaml"
is 'with the shipped Roles' none "$(rights -A)"
is 'and in one namespace' none "$(rights -n shop)"
is "one's own, as an administrator" none "$(finds rights- -A)"
k delete clusterrolebinding perch-upgrade
k -n shop create rolebinding perch --clusterrole=perch-upgrade --serviceaccount=flagger-system:perch
is 'bound in one namespace' none "$(rights -n shop)"
is 'which is not all of them' '11' "$(rights -A | grep -c 'Rights/\*/')"
like 'nor another' '*rights-missing Rights/test/flagger.app/canaries: *' "$(rights -n test)"
k apply -f "$root/hooks/rbac/fleet.yaml"
kubectl get clusterrole perch-upgrade -o json | sed 's/"patch"/"watch"/' >"$scratch/role.json"
k replace -f "$scratch/role.json"
k -n shop delete rolebinding perch
like 'one verb less' '*canaries: {apiGroups: [[]flagger.app[]], resources: [[]canaries[]], verbs: [[]patch[]]} is missing*' "$(rights -A)"
is 'the server says so too' no "$(kubectl auth can-i patch canaries.flagger.app -A --as "$me" 2>/dev/null || true)"
{
	printf 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: more}\nrules:\n'
	rights -A | sed -n 's/.*: \({apiGroups.*}\) is missing/- \1/p'
} >"$scratch/more.yaml"
k apply -f "$scratch/more.yaml"
k create clusterrolebinding more --clusterrole=more --serviceaccount=flagger-system:perch
is 'its remedy: the rules it prints' none "$(rights -A)"
is 'and the server agrees' yes "$(kubectl auth can-i patch canaries.flagger.app -A --as "$me" 2>/dev/null)"

k -n shop apply -f "$root/hooks/commit/account.yaml" -f "$root/hooks/commit/role.yaml"
me=system:serviceaccount:shop:perch
like "an app's account" 'rights-wanted Rights/flagger-system/configmaps: *perch-guard*' "$(rights -n shop)"
k apply -f "$root/hooks/commit/release/role.yaml"
is 'which may know the release' none "$(rights -n shop)"
is 'and nothing elsewhere' '11' "$(rights -n test | grep -c 'Rights/test/')"
me=system:serviceaccount:flagger-system:perch

# --- who may not look is told, and nothing is called well

code=0
"$perch" doctor -A --as "$me" -o json >"$scratch/json" 2>/dev/null || code=$?
is 'what the account may not read' 7 "$code"
like 'is named' '*"notLookedAt":*jobs.batch is forbidden*applications*' "$(sed 's/argoproj.io/applications/' "$scratch/json" | tail -1)"

# --- spec.suspend as appliers leave it

workload() {
	k -n shop create deployment "$1" --image=registry.example/web:1
}
key='suspend: false'
for who in kustomize-controller argocd-controller helm kubectl-client-side-apply; do
	name=of-${who%%-*}
	workload "$name"
	case $who in
	*-controller) apply() { k apply --server-side --force-conflicts --field-manager="$who" -f -; } ;;
	helm) apply() { k create --field-manager=helm -f -; } ;;
	*) apply() { k apply -f -; } ;;
	esac
	canary "$name" "$key" | apply
	is "$who has it" "suspend-owned Canary/shop/$name: it belongs to $who" "$(finds suspend- -n shop | grep "/$name:")"
	if [ "$who" = helm ]; then
		k -n shop patch canary "$name" --field-manager=helm --type=merge -p '{"spec":{"suspend":null}}'
	else
		canary "$name" | apply
	fi
	is "$who applies without it" none "$(finds suspend- -n shop)"
done
canary drifts "$key" | k apply --server-side --field-manager=argocd-controller -f -
workload drifts
kubectl -n shop get canary drifts -o json >"$scratch/drifts.json"
code=0
kubectl -n shop apply --server-side --field-manager=perch -f - >"$scratch/out" 2>&1 <<-Y || code=$?
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata: {name: drifts, namespace: shop}
	spec: {suspend: true}
	Y
like 'an engine that keeps it, keeps perch out' '*conflict with "argocd-controller"*' "$(cat "$scratch/out")"
canary drifts "$key" | k apply --server-side --field-manager=argocd-controller -f -
like 'as long as it applies the key, whatever its diff ignores' 'suspend-owned *' "$(finds suspend- -n shop)"

# --- replicas

canary parked | k apply --server-side --field-manager=argocd-controller -f -
deployment() {
	cat <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: parked, namespace: shop}
	spec:
	  ${1:-}
	  selector: {matchLabels: {app: parked}}
	  template: {metadata: {labels: {app: parked}}, spec: {containers: [{name: web, image: "registry.example/web:1"}]}}
	Y
}
deployment 'replicas: 2' | k apply --server-side --field-manager=kustomize-controller -f -
like 'replicas applied' 'replicas-in-git Deployment/shop/parked: kustomize-controller names it, *' "$(finds replicas -n shop | grep parked)"
deployment | k apply --server-side --field-manager=kustomize-controller -f -
is 'its remedy: not named' none "$(finds replicas -n shop)"

finish
