#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What perch writes, carried out by a real API server with Flagger's CRD, and what that server says to
# what it won't do: stale reads, deleted and recreated canaries, fields of others, admission, RBAC, a
# CRD without spec.suspend. Nothing here runs Flagger. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
[ -n "${1:-}${PERCH_TEST:-}" ] || make -C "$root" build/perch-test >&2
in_lab api '' "$@"
crd=$(crd_of 1.38)
k() { kubectl -n shop "$@" 2>"$scratch/kubectl.err" || { cat "$scratch/kubectl.err" >&2; return 1; }; }

# --- a canary, its target and its primary

workload() { # NAME APP STAMP
	cat <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: $1, namespace: shop}
	spec:
	  replicas: 0
	  selector: {matchLabels: {app: $1}}
	  template:
	    metadata: {labels: {app: $1}, annotations: {$2}}
	    spec: {containers: [{name: web, image: "registry.example/web:${3:-1}"}]}
	Y
}

# settled NAME [PHASE] [IMAGE]: as Flagger 1.37.0 leaves it, so that 1.38.0 would run it.
settled() {
	local name=$1 phase=${2:-Succeeded} hash
	workload "$name" '' "${3:-1}" | k create --field-manager=helm -f - >/dev/null
	workload "$name-primary" 'flagger-id: 7e0c' | k create --field-manager=flagger -f - >/dev/null
	sed "s/NAME/$name/" "$here/web.yaml" | k create --field-manager=helm -f - >/dev/null
	k get deployment "$name" -o json >"$scratch/target.json"
	hash=$("$perch" hash --flagger 1.37.0 -o tsv -f "$scratch/target.json" | cut -f 3)
	k patch canary "$name" --subresource=status --field-manager=flagger --type=merge -p '{"status":{"phase":"'"$phase"'",
		"failedChecks":0,"canaryWeight":0,"iterations":1,"lastAppliedSpec":"'"$hash"'","lastPromotedSpec":"'"$hash"'","trackedConfigs":{},
		"lastTransitionTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Promoted","status":"True","reason":"x","message":"x",
		"lastTransitionTime":"2026-01-01T00:00:00Z","lastUpdateTime":"2026-01-01T00:00:00Z"}]}}' >/dev/null
}

read_all() { k get canaries,deployments -o json --show-managed-fields >"$scratch/read.json"; }
act() { # MODE FLOW[:ASK] NAME: on what was read last
	"$perch_test" act "$1" "$2" --flagger "${flagger:-1.38.0}" ${policy:+--policy "$policy"} "$scratch/read.json" "$3" 2>&1 |
		sed -n '2,$s/^  //p'
}
fresh() { read_all; act "$@"; }
field() { k get canary "$1" -o jsonpath="{$2}"; }
note() { field "$1" ".metadata.annotations.perch\.dev/$2"; }
owners() { # NAME [FIELD]
	k get canary "$1" --show-managed-fields -o go-template='{{range $m := .metadata.managedFields}}{{range $key, $_ := index $m.fieldsV1 "f:spec"}}{{if eq $key "f:'"${2:-suspend}"'"}}{{$m.manager}}/{{$m.operation}}{{"\n"}}{{end}}{{end}}{{end}}'
}
hashes() { field "$1" '.status.lastAppliedSpec}{" "}{.status.lastPromotedSpec'; }
events() {
	k get events.events.k8s.io -o go-template='{{range .items}}{{.regarding.name}} {{.type}} {{.reason}} {{.action}}{{"\n"}}{{end}}' |
		sed -n "s/^$1 //p" | sort -u | paste -sd ,
}

kubectl apply -f "$crd" >/dev/null 2>&1
kubectl wait --for=condition=Established crd/canaries.flagger.app --timeout=30s >/dev/null
kubectl create namespace shop >/dev/null

# --- what is done

settled cart
like 'adopt writes both hashes' 'done: \[hashes\] wrote both hashes *' "$(fresh send guard cart)"
is 'both hashes are one' '1' "$(hashes cart | tr ' ' '\n' | sort -u | wc -l)"
like 'and Flagger 1.38.0'"'s" "$(k get deployment cart -o json >"$scratch/t.json"; "$perch" hash --flagger 1.38.0 -o tsv -f "$scratch/t.json" | cut -f 3) *" "$(hashes cart)"
is 'nothing else of the status moved' 'Succeeded 1 {}' "$(field cart '.status.phase}{" "}{.status.iterations}{" "}{.status.trackedConfigs')"
is 'an Event says so' 'Normal PerchAdopted Adopt' "$(events cart)"
is 'a second run finds nothing to write' 'nothing: nothing to write' "$(fresh send guard cart)"

settled held
like 'a hold is set' 'done: \[held\] held it for upgrade until 2026-11-30T18:00:00Z' "$(fresh send guard:set held)"
is 'suspended by perch' 'perch/Apply' "$(owners held)"
is 'with who' 'perch guard (flagger-7c9d4-x2x)' "$(note held held-by)"
is 'and why' 'nothing changed since promotion' "$(note held held-reason)"
is 'an Event of the hold' 'Normal PerchHeld Hold' "$(events held)"
like 'twice is once' 'done: \[held\] *' "$(fresh send guard:set held)"
like 'hashes, then the end' 'done: \[hashes\] \[ended\] wrote both hashes *; ended the hold for upgrade' "$(fresh send reconcile held)"
is 'nothing is left of it' '' "$(field held '.spec.suspend}{.metadata.annotations')$(owners held)"
is 'an Event of both' 'Normal PerchAdopted Adopt,Normal PerchHeld Hold' "$(events held)"

settled undo
fresh send guard:set undo >/dev/null
like 'the undo line works as written' '*patched*Flagger looks at shop/undo again*' "$(sh -c "$(note undo undo)" 2>&1 | tr '\n' ' ')"
is 'and leaves nothing' '' "$(field undo '.spec.suspend}{.metadata.annotations')$(owners undo)"
like 'after it a hold can be set again' 'done: \[held\] *' "$(fresh send guard:set undo)"

settled accepted
is 'a difference is accepted' 'done: accepted the difference 0123456789abcdef' "$(fresh send none:accept=0123456789abcdef accepted)"
fresh send guard:set accepted >/dev/null
is 'it outlives a hold' '0123456789abcdef' "$(note accepted accepted)"
fresh send resume:end accepted >/dev/null
is 'and its end' '0123456789abcdef' "$(note accepted accepted)"
is 'which is an end' '' "$(field accepted '.spec.suspend')"

settled nudged
like 'a nudge empties lastAppliedSpec' 'done: \[hashes\] wrote an empty lastAppliedSpec' "$(fresh send none:nudge nudged)"
like 'and it alone' ' ?*' "$(hashes nudged)"

settled dry
before=$(field dry '.metadata.resourceVersion')
like 'a dry run on the server' 'done: \[hashes\] would write both hashes *' "$(fresh server guard dry)"
like 'and of a hold' 'done: \[held\] would hold it *' "$(fresh server guard:set dry)"
is 'stores nothing' "$before" "$(field dry '.metadata.resourceVersion')"
is 'and says nothing' '' "$(events dry)"
fresh send guard:set dry >/dev/null
like 'of two writes in a row' 'done: \[hashes\] \[ended\] would write both hashes *; would end *' "$(fresh server reconcile dry)"
is 'neither is stored' 'true' "$(field dry '.spec.suspend')"

# --- races: between what was read and what is written

settled moved
read_all
k annotate canary moved a=b >/dev/null
like 'changed since: a hash' 'moved: *' "$(act send guard moved)"
like 'changed since: a hold' 'moved: *' "$(act send guard:set moved)"
is 'nothing was written' '{"a":"b"}' "$(owners moved)$(field moved .metadata.annotations)"
settled gone
read_all
old=$(field gone .metadata.resourceVersion)
k delete canary gone >/dev/null
like 'deleted since: a hash' 'gone: *deleted' "$(act send guard gone)"
like 'deleted since: a hold' 'gone: *deleted' "$(act send guard:set gone)"
like 'deleted since: an acceptance' 'gone: *deleted' "$(act send none:accept=0123456789abcdef gone)"
like 'deleted since: a nudge' 'gone: *deleted' "$(act send none:nudge gone)"
is 'nothing new appears' '' "$(k get canaries -o name | grep gone || true)"
sed "s/NAME/gone/" "$here/web.yaml" | k create -f - >/dev/null
like 'recreated since: a hash' 'moved: *' "$(act send guard gone)"
like 'recreated since: a hold' 'moved: *' "$(act send guard:set gone)"
rv=$(field gone .metadata.resourceVersion)
sed -i "s/\"resourceVersion\": \"$old\"/\"resourceVersion\": \"$rv\"/" "$scratch/read.json"
like 'another uid' 'gone: *created anew' "$(act send guard:set gone)"
is 'nothing was written to it' "$rv" "$(field gone .metadata.resourceVersion)"
settled between
fresh send guard:set between >/dev/null
read_all
sed -i "s/$(field between .metadata.uid)/11111111-1111-1111-1111-111111111111/" "$scratch/read.json"
like 'another uid: the server looks at none in a status patch, perch sees it in the answer' 'lost: * /metadata/uid is *' "$(act send reconcile between)"

# --- fields of others

settled others
k patch canary others --type=merge --field-manager=kubectl-edit -p '{"spec":{"suspend":true}}' >/dev/null
is 'suspended by others: not held' 'nothing: suspended by kubectl-edit, left so' "$(fresh send guard:set others)"
like 'but its hashes are written' 'done: \[hashes\] wrote both *' "$(fresh send reconcile others)"
is 'and not ended' 'nothing: suspended by kubectl-edit, left so' "$(fresh send resume:end others)"
like 'unless asked to' 'done: \[ended\] took the suspension off kubectl-edit' "$(fresh send resume:take-over others)"
is 'then it is gone' '' "$(field others .spec.suspend)"

apply_suspend() { # NAME MANAGER VALUE [FLAG]...
	printf 'apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata: {name: %s, namespace: shop}\nspec: {suspend: %s}\n' "$1" "$3" |
		k apply --server-side --force-conflicts --field-manager="$2" "${@:4}" -f - >/dev/null
}
for manager in argocd-controller kustomize-controller; do
	settled "of-$manager"
	apply_suspend "of-$manager" $manager false
	like "$manager has it in Git" "owned: couldn't hold it *: spec.suspend belongs to $manager: drop spec.suspend from Git, or *" "$(fresh send guard:set "of-$manager")"
	is "$manager keeps it" "$manager/Apply" "$(owners "of-$manager")"
	is "an Event warns of $manager" 'Warning PerchRefused Refuse' "$(events "of-$manager")"
done
like 'both' 'owned: *belongs to *-controller: * (and 1 more)' "$(apply_suspend of-argocd-controller kustomize-controller false; fresh send guard:set of-argocd-controller)"
settled of-helm
k patch canary of-helm --type=merge --field-manager=helm -p '{"spec":{"suspend":false}}' >/dev/null
like 'Helm has it in its values' 'owned: *belongs to helm: drop spec.suspend from the chart*' "$(fresh send guard:set of-helm)"
settled by-hand
k patch canary by-hand --type=merge -p '{"spec":{"suspend":false}}' >/dev/null
said=$(fresh send guard:set by-hand)
like 'set to false by hand' 'owned: *belongs to kubectl-patch: give it back: kubectl *' "$said"
like 'the line it says works' '*patched*' "$(sh -c "kubectl ${said#*give it back: kubectl }" 2>&1)"
like 'and then it is held' 'done: \[held\] *' "$(fresh send guard:set by-hand)"

settled shared
fresh send guard:set shared >/dev/null
apply_suspend shared argocd-controller true
like 'an end of what is owned by two' 'done: \[hashes\] \[ended\] *; still suspended by argocd-controller' "$(fresh send reconcile shared)"
is 'leaves the other' 'argocd-controller/Apply' "$(owners shared)"
settled annotated
printf 'apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata: {name: annotated, namespace: shop, annotations: {perch.dev/held-for: copied}}\n' |
	k apply --server-side --field-manager=argocd-controller -f - >/dev/null
like 'an annotation copied to Git' 'owned: *belongs to argocd-controller: drop metadata.annotations.perch.dev/held-for from what it applies' "$(fresh send guard:set annotated)"

# --- ships

printf 'rules: [{match: {classes: [image]}, action: ship}, {match: {classes: [metadata]}, action: ignore}]\n' >"$scratch/policy.yaml"
policy=$scratch/policy.yaml
hash_of() { k get deployment "$1" -o json >"$scratch/t.json"; "$perch" hash --flagger 1.38.0 -o tsv -f "$scratch/t.json" | cut -f 3; }
image() { k set image "deployment/$1" "web=registry.example/web:$2" >/dev/null; }

settled ship Succeeded 2
fresh send guard:set=commit/app ship >/dev/null
like 'a dry ship' 'done: \[shipped\] \[ended\] would ship *' "$(fresh server commit ship)"
is 'stores nothing' 'true ' "$(field ship '.spec.suspend}{" "}{.spec.skipAnalysis')"
like 'one apply ships and ends the hold' "done: \[shipped\] \[ended\] shipped $(hash_of ship), with the end of the hold for commit/app" "$(fresh send commit ship)"
is 'nothing else is left of the hold' "true {\"perch.dev/ship\":\"$(hash_of ship)\"}" "$(field ship '.spec.suspend}{.spec.skipAnalysis}{" "}{.metadata.annotations')"
is 'which perch owns' 'perch/Apply' "$(owners ship skipAnalysis)"
like 'an Event says that it is shipped' '*Normal PerchShipped Ship*' "$(events ship)"
like 'shipped twice is once' 'nothing: shipped already, as *' "$(fresh send commit ship)"
like 'no other flow ships' 'nothing: *' "$(fresh send guard ship)"
fresh send guard:set ship >/dev/null
is 'a hold leaves a ship that is fresh' "true true $(hash_of ship)" "$(field ship '.spec.suspend}{" "}{.spec.skipAnalysis}{" "}{.metadata.annotations.perch\.dev/ship')"
image ship 3
like 'another target: the ship goes first' 'done: \[unshipped\] took the ship * off (it was for *, and the target is *)' "$(policy= fresh send guard:set=upgrade ship | sed 's/; held it.*//; s/ \[held\]//')"
is 'and the hold stays' 'true  upgrade' "$(field ship '.spec.suspend}{" "}{.spec.skipAnalysis}{" "}{.metadata.annotations.perch\.dev/held-for')"
is 'without the name of the ship' '' "$(note ship ship)"

settled over Succeeded 2
fresh send commit over >/dev/null
like 'taken off as asked' 'done: \[unshipped\] took the ship * off (as asked)' "$(fresh send commit:unship over)"
is 'nothing is left of the ship' '' "$(field over '.spec.skipAnalysis}{.metadata.annotations')$(owners over skipAnalysis)"
like 'an Event says that it is over' '*Normal PerchUnshipped Unship*' "$(events over)"
fresh send commit over >/dev/null
k patch canary over --subresource=status --field-manager=flagger --type=merge \
	-p '{"status":{"phase":"Succeeded","lastAppliedSpec":"'"$(hash_of over)"'","lastPromotedSpec":"'"$(hash_of over)"'"}}' >/dev/null
like 'promoted: every flow takes it off' 'done: \[unshipped\] took the ship * off (it is promoted)' "$(policy= fresh send resume over)"

settled raced Succeeded 2
read_all
k annotate canary raced a=b >/dev/null
like 'changed since: a ship' 'moved: *' "$(act send commit raced)"
is 'which sets nothing' '' "$(field raced .spec.skipAnalysis)"
fresh send commit raced >/dev/null
read_all
k annotate --overwrite canary raced a=c >/dev/null
like 'changed since: the end of a ship' 'moved: *' "$(act send commit:unship raced)"

apply_skip() { # NAME MANAGER VALUE
	printf 'apiVersion: flagger.app/v1beta1\nkind: Canary\nmetadata: {name: %s, namespace: shop}\nspec: {skipAnalysis: %s}\n' "$1" "$3" |
		k apply --server-side --force-conflicts --field-manager="$2" -f - >/dev/null
}
settled skips Succeeded 2
k patch canary skips --type=merge --field-manager=helm -p '{"spec":{"skipAnalysis":true}}' >/dev/null
is 'set by others already' 'nothing: skipAnalysis is set by helm already' "$(fresh send commit skips)"
is 'is left to them' 'helm/Update' "$(owners skips skipAnalysis)"
settled in-git Succeeded 2
apply_skip in-git argocd-controller false
fresh send guard:set=commit/app in-git >/dev/null
like 'others keep it false' "owned: couldn't ship *: spec.skipAnalysis belongs to argocd-controller: drop spec.skipAnalysis from Git, or name /spec/skipAnalysis *" "$(fresh send commit in-git)"
is 'and the hold is not ended by half' 'true' "$(field in-git .spec.suspend)"
like 'but as asked' "owned: \[ended\] couldn't ship *; ended the hold for commit/app" "$(fresh send commit:ship-or-run in-git)"
is 'Flagger analyses it' ' false' "$(field in-git '.spec.suspend}{" "}{.spec.skipAnalysis')"
settled skip-by-hand Succeeded 2
k patch canary skip-by-hand --type=merge -p '{"spec":{"skipAnalysis":false}}' >/dev/null
said=$(fresh send commit skip-by-hand)
like 'kept false by hand' 'owned: *belongs to kubectl-patch: give it back: kubectl *' "$said"
like 'the line that gives it back works' '*patched*' "$(sh -c "kubectl ${said#*give it back: kubectl }" 2>&1)"
like 'and then it is shipped' 'done: \[shipped\] *' "$(fresh send commit skip-by-hand)"
apply_skip skip-by-hand kustomize-controller true
like 'what others set too' 'done: \[unshipped\] took the ship * off *; skipAnalysis is still set by kustomize-controller' "$(fresh send commit:unship skip-by-hand)"
settled gated Succeeded 2
k patch canary gated --type=merge -p '{"spec":{"analysis":{"webhooks":[{"name":"ask","type":"confirm-promotion","url":"http://ask.example/"}]}}}' >/dev/null
like 'behind a gate nothing is shipped' 'refused: it has gates (confirm-promotion)*' "$(fresh send commit gated)"

settled noise
k patch deployment noise --type=merge -p '{"spec":{"template":{"metadata":{"labels":{"chart":"web-2"}}}}}' >/dev/null
like 'noise by policy is noted, then adopted' 'done: \[hashes\] noted what the policy ignores (*); wrote both hashes *' "$(fresh send commit noise)"
like 'noted on the Canary' '????????????????' "$(note noise accepted)"
like 'the next upgrade finds it there, without a policy' 'done: \[hashes\] wrote both hashes *' "$(policy= flagger=1.41.0 fresh send guard noise)"
policy=

# --- what is refused

settled allowed
cat >"$scratch/rbac.yaml" <<'Y'
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: holds, namespace: shop}
rules: [{apiGroups: [flagger.app], resources: [canaries], verbs: [patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: holds, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: holds}
subjects: [{kind: User, name: perch}]
Y
k apply -f "$scratch/rbac.yaml" >/dev/null
export LAB_AS=perch
holds() { case $(fresh send guard:set allowed) in done*) ;; *) return 1 ;; esac; }
within 20 holds || true
is 'the verb patch is enough to hold' 'true' "$(field allowed .spec.suspend)"
like 'an Event that may not be written is a line of -v' '*no Event on *' "$(read_all; "$perch_test" act send guard:set --flagger 1.38.0 "$scratch/read.json" allowed 2>&1)"
like 'a right that lacks is an error' 'error (exit 4): *canaries/status*' "$(fresh send reconcile allowed)"
is 'and the hold stays' 'true' "$(field allowed .spec.suspend)"
cat >"$scratch/policy.yaml" <<'Y'
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-holds}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [flagger.app], apiVersions: ["*"], operations: [UPDATE], resources: [canaries]}]}
  validations: [{expression: "request.userInfo.username != 'perch' || !has(object.spec.suspend)", message: no holds today}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-holds}
spec: {policyName: no-holds, validationActions: [Deny]}
Y
settled denied
kubectl apply -f "$scratch/policy.yaml" >/dev/null
refused() { said=$(fresh send guard:set denied); case $said in refused*) ;; *) fresh send resume:end denied; return 1 ;; esac; }
within 20 refused || true
like 'admission says no (422)' "refused: couldn't hold it *: *denied request: no holds today" "$said"
kubectl patch validatingadmissionpolicy no-holds --type=json -p '[{"op":"add","path":"/spec/validations/0/reason","value":"Forbidden"}]' >/dev/null
forbidden() {
	apply_suspend denied perch true --as perch >"$scratch/forbidden" 2>&1 || true
	grep 'orbidden.*no holds today' "$scratch/forbidden"
}
within 20 forbidden || true
like 'admission says no (403)' 'refused: *denied request: no holds today' "$(fresh send guard:set denied)"
kubectl delete -f "$scratch/policy.yaml" >/dev/null
unset LAB_AS

like 'a Flagger that knows no suspend' "refused: Flagger 1.31.0 doesn't know spec.suspend*" "$(flagger=1.31.0 fresh send guard:set denied)"
kubectl patch crd canaries.flagger.app --type=json -p '[{"op": "remove",
	"path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/suspend"}]' >/dev/null
within 20 refused || true
like 'a CRD that knows none' 'refused: *the Canary CRD has no spec.suspend*' "$said"
like 'hashes can be written all the same' 'done: \[hashes\] *' "$(fresh send guard denied)"

kubectl apply -f "$crd" >/dev/null 2>&1

# --- the verbs

perch() { # VERB ARG...: its one row, then how it ended
	local code=0
	"$perch" "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
	printf '%s | %s | exit %s' "$(tr '\n' ' ' <"$scratch/out")" "$(tr '\n' ' ' <"$scratch/err")" $code
}
kubectl create namespace flagger-system >/dev/null
workload flagger '' | sed 's/namespace: shop/namespace: flagger-system, labels: {app: flagger}/; s#registry.example/web:1#ghcr.io/fluxcd/flagger:1.38.0#; s/name: web/name: flagger/' |
	kubectl create -f - >/dev/null

settled verb
like 'adopt' '*verb * exit 0' "$(perch adopt -n shop verb)"
like 'adopt twice' '* exit 0' "$(perch adopt shop/verb)"
is 'and once is enough' '1' "$(hashes verb | tr ' ' '\n' | sort -u | wc -l)"
settled changed Succeeded 2
like 'adopt what differs' '* perch explain shop/changed*--accept * exit 5' "$(perch adopt shop/changed)"
print=$({ "$perch" explain -n shop changed || true; } | sed -n 's/^fingerprint.*: //p')
like 'accept another difference' "*its difference is now $print, not 0123456789abcdef* exit 5" "$(perch adopt shop/changed --accept 0123456789abcdef)"
is 'which notes nothing' '' "$(note changed accepted)"
like 'accept it dry' '* exit 0' "$(perch adopt shop/changed --accept "$print" --dry-run=server)"
is 'which notes nothing either' '' "$(note changed accepted)"
like 'accept exactly it' '* exit 0' "$(perch adopt shop/changed --accept "$print")"
is 'noted' "$print" "$(note changed accepted)"
is 'and adopted' '1' "$(hashes changed | tr ' ' '\n' | sort -u | wc -l)"
settled failing Failed 2
like 'a failed one is refused' '*failing *failed: * exit 5' "$(perch adopt shop/failing)"
like 'nudge' '*verb * exit 0' "$(perch nudge shop/verb)"
like 'is an empty lastAppliedSpec' ' ?*' "$(hashes verb)"
settled busy Progressing 2
like 'nudge in flight' '*it is Progressing* exit 5' "$(perch nudge shop/busy)"
settled alone
k delete deployment alone-primary >/dev/null
like 'nudge without a primary' "*aren't both there* exit 5" "$(perch nudge shop/alone)"
like 'nudge what is not there' '* exit 2' "$(perch nudge shop/nobody)"

finish
