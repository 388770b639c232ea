#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What perch reads of a real API server, over the shapes of fleet/shapes.yaml as Flagger left them: the same
# plan by lists, by name, from `perch dump` and from a dump that others made; what RBAC refuses and the
# rule that perch prints for it; dry runs by each applier, with a policy that changes what is applied and
# one that refuses it; and that no Secret is read. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
in_lab api '' "$@"
tool live load

code() { local c=0; "$@" >"$scratch/out" 2>"$scratch/err" || c=$?; echo $c; }
plan() { "$perch" plan "$@" -o json 2>/dev/null | sed 's/"cluster":{[^}]*},//' || :; }
reads() { grep -c '"userAgent":"perch/[^"]*".*"resource":"secrets"' "$LAB_RUN/audit.log" || :; }

# --- the fleet, and Flagger's own Deployment

kubectl create -f "$(crd_of 1.38)" >/dev/null 2>&1
within 30 kubectl get canaries -A
is "no canaries yet" 0 "$(code "$perch" plan -A)"
load "$root/testdata/flagger-oracle/upgrade-1.41/before.json"

# --- one plan, whatever it is read from

plan -A >"$scratch/lists"
plan -n fleet >"$scratch/namespace"
"$perch" dump -A >"$scratch/dump.json"
"$perch" dump -n fleet >"$scratch/dump-namespace.json"
like "the dump is not empty" '[1-9]*' "$(grep -c '"kind":"Canary"' "$scratch/dump.json")"
plan --live "$scratch/dump.json" >"$scratch/dumped"
plan --live "$scratch/dump-namespace.json" >"$scratch/dumped-namespace"
same_files "a plan of the dump" "$scratch/lists" "$scratch/dumped"
same_files "a plan of the namespace" "$scratch/lists" "$scratch/namespace"
same_files "a plan of the namespace's dump" "$scratch/lists" "$scratch/dumped-namespace"
is "no Secret was read" 0 "$(reads)"

"$perch" plan -A -o tsv >"$scratch/rows" 2>/dev/null || :
while IFS=$'\t' read -r namespace name rest; do
	"$perch" plan "$namespace/$name" -o tsv 2>/dev/null || :
done <"$scratch/rows" >"$scratch/rows-by-name"
same_files "each canary by its name" "$scratch/rows" "$scratch/rows-by-name"
is "still no Secret was read" 0 "$(reads)"

# Others' dumps sort keys, which the order of notes shows.
"$perch" dump -A --secrets >"$scratch/with-secrets.json"
like "it is seen when one is" '[1-9]*' "$(reads)"
like "a dump has Secrets if asked to" '[1-9]*' "$(grep -c '"kind":"Secret"' "$scratch/with-secrets.json" || :)"
fleet dump "$scratch/fleet.json" $(kubectl get namespaces -o name | cut -d / -f 2) 2>/dev/null
for dump in with-secrets fleet; do
	"$perch" plan --live "$scratch/$dump.json" -o tsv >"$scratch/$dump.tsv" 2>/dev/null || :
	"$perch" predict --to 1.44 --live "$scratch/$dump.json" -o tsv >>"$scratch/$dump.tsv" 2>/dev/null || :
done
same_files "a plan and a prediction of the lab's own dump" "$scratch/fleet.tsv" "$scratch/with-secrets.tsv"
is "a dump has no Secret's data" 0 "$(grep -c aHVudGVyMg "$scratch/with-secrets.json" || :)"

# --- as few requests as can be

"$perch" plan -A -v >/dev/null 2>"$scratch/err" || :
like "lists of a fleet" '[5-7]' "$(grep -c '► GET' "$scratch/err")"
name=$(head -n 1 "$scratch/rows" | cut -f 2)
"$perch" plan -n fleet "$name" -v >/dev/null 2>"$scratch/err" || :
like "GETs of one canary" '[6-8]' "$(grep -c '► GET' "$scratch/err")"
is "connections" 1 "$(grep -c 'new connection' "$scratch/err")"

# --- RBAC: from no right at all, the rules that perch prints lead to the same plan

admin=$KUBECONFIG
export KUBECONFIG
kubectl create clusterrole reads --verb=get --resource=pods/nothing >/dev/null
kubectl create clusterrolebinding reads --clusterrole=reads --user=reader >/dev/null
reader=$("$LAB_SH" user reader)
is "nothing may be read" 4 "$(KUBECONFIG=$reader code "$perch" plan -A)"
for _ in $(seq 12); do
	KUBECONFIG=$reader "$perch" plan -A >/dev/null 2>"$scratch/err" || :
	grep -o '{apiGroups: [^}]*}' "$scratch/err" | sort -u >"$scratch/rules" || :
	[ -s "$scratch/rules" ] || break
	kubectl get clusterrole reads -o yaml | sed '/^rules:/,$d' >"$scratch/role.yaml"
	cat "$scratch/rules" >>"$scratch/granted"
	{ echo 'rules:'; sort -u "$scratch/granted" | sed 's/^/- /'; } >>"$scratch/role.yaml"
	kubectl replace -f "$scratch/role.yaml" >/dev/null
	sleep 0.3
done
like "rules that were needed" '[3-7]' "$(sort -u "$scratch/granted" | wc -l)"
is "none of them is for Secrets" 0 "$(grep -c secrets "$scratch/granted" || :)"
KUBECONFIG=$reader plan -A >"$scratch/reader"
same_files "the plan of who has the rules that perch printed" "$scratch/lists" "$scratch/reader"

# --- dry runs: what the server makes of the manifests, and what perch computes where it may not ask

kubectl get deployments,daemonsets -n fleet -o json >"$scratch/all.json"
for applier in server-side=kustomize-controller replace two-way; do
	"$perch" plan -f "$scratch/all.json" --applier $applier -o tsv >"$scratch/asked" 2>"$scratch/asked.err" || :
	KUBECONFIG=$reader "$perch" plan -f "$scratch/all.json" --applier $applier -o tsv >"$scratch/computed" 2>"$scratch/computed.err" || :
	same_files "what the server says of $applier, and what perch computes" "$scratch/asked" "$scratch/computed"
	is "$applier: who may not ask is told so once" 1 "$(grep -c 'dry-run:' "$scratch/computed.err" || :)"
	is "$applier: nothing was refused" 0 "$(grep -c 'refused:' "$scratch/asked.err" || :)"
done
same_files "nothing was stored" "$scratch/lists" <(plan -A)
is "the same manifests are no change" 0 "$(code "$perch" diff -n fleet -f "$scratch/all.json" --applier server-side)"

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
kubectl get deployment -n fleet "$name" -o yaml | sed -e '/^  resourceVersion:/d; /^  uid:/d; /^  creationTimestamp:/d; /^  generation:/d; /^status:/,$d' >"$scratch/one.yaml"
planned() {
	"$perch" plan -n fleet "$name" -f "$scratch/one.yaml" --applier server-side >"$scratch/out" 2>"$scratch/err" || :
	grep 'labels.mesh added' "$scratch/out" || { cat "$scratch/out" "$scratch/err"; return 1; }
}
ok "what a policy of the server's adds is a change" within 20 planned
sed 's/\(image: .*\):[0-9.]*$/\1:latest/' "$scratch/one.yaml" >"$scratch/latest.yaml"
"$perch" plan -n fleet "$name" -f "$scratch/latest.yaml" --applier server-side >"$scratch/out" 2>"$scratch/err" || :
like "what a policy of the server's refuses is a warning" '*refused: the server would not take it:*no latest here*' "$(cat "$scratch/err")"
same_files "and nothing was stored" "$scratch/lists" <(plan -A)

finish
