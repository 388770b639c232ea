#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What perch reads of a real API server, over the shapes of fleet/shapes.yaml as Flagger left them: the same
# plan by lists, by name, from `perch dump` and from a dump that others made; what RBAC refuses and the
# rule that perch prints for it; dry runs by each applier, with a policy that changes what is applied and
# one that refuses it; and that no Secret is read. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
perch=${PERCH_BIN:-$root}/perch
if [ "${1:-}" != inside ]; then exec "$here/../lab.sh" run api -- "$here/run.sh" inside; fi

cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}/live
mkdir -p "$cache"
(cd "$here" && go build -mod=readonly -o "$cache/load" .)
(cd "$here/../flagger-1.38" && go mod download github.com/fluxcd/flagger)
crd=$(cd "$here/../flagger-1.38" && go list -m -f '{{.Dir}}' github.com/fluxcd/flagger)/artifacts/flagger/crd.yaml
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "not ok - $*"; }
same() { # NAME WANT GOT
	if cmp -s "$2" "$3"; then ok; else bad "$1"; diff "$2" "$3" | head -n 6 | cut -c 1-300 | sed 's/^/    /' || :; fi
}
is() { if [[ $3 == $2 ]]; then ok; else bad "$1: wanted '$2', got '$3'"; fi; }
code() { local c=0; "$@" >"$t/out" 2>"$t/err" || c=$?; echo $c; }
plan() { "$perch" plan "$@" -o json 2>/dev/null | sed 's/"cluster":{[^}]*},//' || :; }
reads() { grep -c '"userAgent":"perch/[^"]*".*"resource":"secrets"' "$LAB_RUN/audit.log" || :; }

# --- the fleet, and Flagger's own Deployment

kubectl create -f "$crd" >/dev/null 2>&1
until kubectl get canaries -A >/dev/null 2>&1; do sleep 0.2; done
is "no canaries yet" 0 "$(code "$perch" plan -A)"
"$cache/load" "$root/testdata/flagger-oracle/upgrade-1.41/before.json"

# --- one plan, whatever it is read from

plan -A >"$t/lists"
plan -n fleet >"$t/namespace"
"$perch" dump -A >"$t/dump.json"
"$perch" dump -n fleet >"$t/dump-namespace.json"
is "the dump is not empty" '[1-9]*' "$(grep -c '"kind":"Canary"' "$t/dump.json")"
plan --live "$t/dump.json" >"$t/dumped"
plan --live "$t/dump-namespace.json" >"$t/dumped-namespace"
same "a plan of the dump" "$t/lists" "$t/dumped"
same "a plan of the namespace" "$t/lists" "$t/namespace"
same "a plan of the namespace's dump" "$t/lists" "$t/dumped-namespace"
is "no Secret was read" 0 "$(reads)"

"$perch" plan -A -o tsv >"$t/rows" 2>/dev/null || :
while IFS=$'\t' read -r namespace name rest; do
	"$perch" plan "$namespace/$name" -o tsv 2>/dev/null || :
done <"$t/rows" >"$t/rows-by-name"
same "each canary by its name" "$t/rows" "$t/rows-by-name"
is "still no Secret was read" 0 "$(reads)"

# Others' dumps sort keys, which the order of notes shows.
"$perch" dump -A --secrets >"$t/with-secrets.json"
fleet dump "$t/fleet.json" $(kubectl get namespaces -o name | cut -d / -f 2) 2>/dev/null
for dump in with-secrets fleet; do
	"$perch" plan --live "$t/$dump.json" -o tsv >"$t/$dump.tsv" 2>/dev/null || :
	"$perch" predict --to 1.44 --live "$t/$dump.json" -o tsv >>"$t/$dump.tsv" 2>/dev/null || :
done
same "a plan and a prediction of the lab's own dump" "$t/fleet.tsv" "$t/with-secrets.tsv"
is "a dump has no Secret's data" 0 "$(grep -c aHVudGVyMg "$t/with-secrets.json" || :)"

# --- as few requests as can be

"$perch" plan -A -v >/dev/null 2>"$t/err" || :
is "lists of a fleet" '[5-7]' "$(grep -c '► GET' "$t/err")"
name=$(head -n 1 "$t/rows" | cut -f 2)
"$perch" plan -n fleet "$name" -v >/dev/null 2>"$t/err" || :
is "GETs of one canary" '[6-8]' "$(grep -c '► GET' "$t/err")"
is "connections" 1 "$(grep -c 'new connection' "$t/err")"

# --- RBAC: from no right at all, the rules that perch prints lead to the same plan

admin=$KUBECONFIG
export KUBECONFIG
kubectl create clusterrole reads --verb=get --resource=pods/nothing >/dev/null
kubectl create clusterrolebinding reads --clusterrole=reads --user=reader >/dev/null
reader=$("$LAB_SH" user reader)
is "nothing may be read" 4 "$(KUBECONFIG=$reader code "$perch" plan -A)"
for _ in $(seq 12); do
	KUBECONFIG=$reader "$perch" plan -A >/dev/null 2>"$t/err" || :
	grep -o '{apiGroups: [^}]*}' "$t/err" | sort -u >"$t/rules" || :
	[ -s "$t/rules" ] || break
	kubectl get clusterrole reads -o yaml | sed '/^rules:/,$d' >"$t/role.yaml"
	cat "$t/rules" >>"$t/granted"
	{ echo 'rules:'; sort -u "$t/granted" | sed 's/^/- /'; } >>"$t/role.yaml"
	kubectl replace -f "$t/role.yaml" >/dev/null
	sleep 0.3
done
is "rules that were needed" '[3-7]' "$(sort -u "$t/granted" | wc -l)"
is "none of them is for Secrets" 0 "$(grep -c secrets "$t/granted" || :)"
KUBECONFIG=$reader plan -A >"$t/reader"
same "the plan of who has the rules that perch printed" "$t/lists" "$t/reader"

# --- dry runs: what the server makes of the manifests, and what perch computes where it may not ask

kubectl get deployments,daemonsets -n fleet -o json >"$t/all.json"
for applier in server-side=kustomize-controller replace two-way; do
	"$perch" plan -f "$t/all.json" --applier $applier -o tsv >"$t/asked" 2>"$t/asked.err" || :
	KUBECONFIG=$reader "$perch" plan -f "$t/all.json" --applier $applier -o tsv >"$t/computed" 2>"$t/computed.err" || :
	same "what the server says of $applier, and what perch computes" "$t/asked" "$t/computed"
	is "$applier: who may not ask is told so once" 1 "$(grep -c 'dry-run:' "$t/computed.err" || :)"
	is "$applier: nothing was refused" 0 "$(grep -c 'refused:' "$t/asked.err" || :)"
done
same "nothing was stored" "$t/lists" <(plan -A)
is "the same manifests are no change" 0 "$(code "$perch" diff -n fleet -f "$t/all.json" --applier server-side)"

kubectl apply -f - >/dev/null <<'Y'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}
  validations: [{expression: "!object.spec.template.spec.containers.exists(c, c.image.endsWith(':latest'))", message: no latest here}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-latest}
spec: {policyName: no-latest, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: mesh}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}
  reinvocationPolicy: Never
  failurePolicy: Fail
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{spec: Object.spec{template: Object.spec.template{metadata: Object.spec.template.metadata{labels: Object.spec.template.metadata.labels{mesh: "on"}}}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: mesh}
spec: {policyName: mesh}
Y
kubectl get deployment -n fleet "$name" -o yaml | sed -e '/^  resourceVersion:/d; /^  uid:/d; /^  creationTimestamp:/d; /^  generation:/d; /^status:/,$d' >"$t/one.yaml"
for _ in $(seq 50); do
	"$perch" plan -n fleet "$name" -f "$t/one.yaml" --applier server-side >"$t/out" 2>"$t/err" || :
	grep -q 'labels.mesh added' "$t/out" && break
	sleep 0.2
done
is "what a policy of the server's adds is a change" '*labels.mesh added*' "$(cat "$t/out")"
sed 's/\(image: .*\):[0-9.]*$/\1:latest/' "$t/one.yaml" >"$t/latest.yaml"
"$perch" plan -n fleet "$name" -f "$t/latest.yaml" --applier server-side >"$t/out" 2>"$t/err" || :
is "what a policy of the server's refuses is a warning" '*refused: the server would not take it:*no latest here*' "$(cat "$t/err")"
same "and nothing was stored" "$t/lists" <(plan -A)

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
