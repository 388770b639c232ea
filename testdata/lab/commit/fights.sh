#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds of several at once: apps of one namespace, an upgrade, an engine whose Git has the key, somebody by hand. Each is told in words,
# none is fought.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
begin 1.37.0
all="one two upgraded git edited suspended applied"
for a in $all; do app "$a"; argo_app "$a"; done
ok "the first sync of each app" each argo -- $all
all_settled Initialized $all

# --- what the account and the Jobs ask for

may() { k auth can-i "$@" --as "$commit_account" 2>/dev/null || true; }
is "the account patches its namespace's canaries" "yes yes" "$(may patch canaries.flagger.app -n fleet) $(may patch canaries.flagger.app/status -n fleet)"
is "and no others" "no no" "$(may patch canaries.flagger.app -n default) $(may list canaries.flagger.app -A)"
is "it neither creates, changes nor deletes what is deployed, nor reads a Secret" "no no no no" \
	"$(may create canaries.flagger.app -n fleet) $(may patch deployments.apps -n fleet) $(may delete canaries.flagger.app -n fleet) $(may get secrets -n fleet)"
is "of Flagger's namespace it reads one ConfigMap" "yes no" "$(may get configmaps/perch-guard -n flagger-system) $(may list configmaps -n flagger-system)"
k label namespace fleet pod-security.kubernetes.io/warn=restricted >/dev/null
for hook in "$hooks"/argocd/{pre,post,fail}.yaml "$hooks"/argocd/pods/{pre,post,fail}.yaml "$hooks"/flux/{pre,post}/job.yaml; do
	is "${hook#"$hooks/"} is restricted" "" "$(k -n fleet create --dry-run=server -f "$hook" 2>&1 >/dev/null || true)"
done
like "one that isn't is warned of" '*would violate PodSecurity*' "$(k -n fleet run loose --image=registry.example/loose:1 --dry-run=server 2>&1)"
k label namespace fleet pod-security.kubernetes.io/warn- >/dev/null

app own
argo_app own
sed -i 's/namespace: fleet/namespace: own/; s|components: .|&../../../perch/hooks/argocd/account, |' "$apps/own/app/kustomization.yaml"
k create namespace own >/dev/null
for which in first second; do
	ok "an application that brings its account: its $which sync" \
		sh -c 'kubectl kustomize "$1" | engines argocd own own' - "$apps/own/app"
done
is "its hooks ran" "0 0" "$(k -n own get pods -o jsonpath='{.items[*].status.containerStatuses[?(@.name=="perch")].state.terminated.exitCode}')"

noise() { # APP: a commit of noise
	edit "$1" "s/web-1.0.\([0-9]*\)/web-1.0.1\1/"
}
holder() { echo $(field "$1" '{.spec.suspend} {.metadata.annotations.perch\.dev/held-for}'); }

# --- two apps in one namespace

noise one
noise two
ok "both are about to be synced" each argo -phases PreSync,Sync -- one two
is "each has its hold" "true commit/one, true commit/two" "$(holder one), $(holder two)"
ok "the second is done" argo two -phases PostSync
is "which ends its own and leaves the first's" "true commit/one, " "$(holder one), $(holder two)"
ok "the first is done" argo one -phases PostSync
is "and has none left" "" "$(suspended)"

# --- an upgrade's hold outranks an app's

"$perch" hold fleet/upgraded --for 1h --as "$account" >/dev/null 2>&1
noise upgraded
ok "a sync while an upgrade holds" argo upgraded
is "leaves its hold" "true upgrade" "$(holder upgraded)"
has "and says so" "not this app's" "$(hook_log pre upgraded)"
is "with success, before" 0 "$(hook_exit pre upgraded)"
is "and after" 0 "$(hook_exit post upgraded)"
ok "the upgrade ends it" "$perch" resume fleet/upgraded --as "$account"
is "as its own" "" "$(holder upgraded)"

# --- Git names the key

edit git 's/^spec:/spec:\n  suspend: false/' canary.yaml
ok "a sync that says suspend: false" argo git
noise git
mark=$(audit_mark)
ok "a sync of noise goes on" argo git
is "pre exits 0" 0 "$(hook_exit pre git)"
has "it names who owns the key" "argocd-controller" "$(hook_log pre git)"
has "and what ends that" "drop spec.suspend from Git" "$(hook_log pre git)"
is "it tries once" 1 "$(asked "$mark" | grep -cF "$commit_account patch canaries fleet/git 409")"
is "nothing is held" "" "$(suspended)"
noise git
code=0
PRE=--on-error=fail argo git || code=$?
is "told to fail, it stops the sync" 1 $code
is "for what wasn't done" 7 "$(hook_exit pre git | cut -d' ' -f1)"

# --- somebody else has it

k -n fleet patch canary edited --field-manager=kubectl-edit --type=merge -p '{"spec":{"suspend":false}}' >/dev/null
k -n fleet patch canary suspended --field-manager=kubectl-edit --type=merge -p '{"spec":{"suspend":true}}' >/dev/null
noise edited
noise suspended
ok "syncs of those go on" each argo -- edited suspended
has "pre names who wants it unsuspended" "kubectl-edit" "$(hook_log pre edited)"
has "and leaves what somebody suspended" "suspended by others" "$(hook_log pre suspended)"
is "which stays" "suspended" "$(suspended | tr -d ' ')"
for a in edited suspended; do is "$a: success" "0 0" "$(hook_exit pre $a) $(hook_exit post $a)"; done
k -n fleet patch canary suspended --field-manager=kubectl-edit --type=merge -p '{"spec":{"suspend":false}}' >/dev/null

# --- engines apply again while perch holds

noise applied
ok "pre and sync" argo applied -phases PreSync,Sync
for _ in 1 2; do
	argo applied -phases Sync
	argo applied -client-side -phases Sync
	k apply --server-side --force-conflicts --field-manager=kustomize-controller -n fleet -f "$apps/applied/app/canary.yaml" \
		-f "$apps/applied/app/deployment.yaml" >/dev/null
done
is "the hold stays" "true commit/applied" "$(holder applied)"
ok "until post" argo applied -phases PostSync
is "ends it" "" "$(suspended)"
ticks 14
is "noise that was held ran nowhere" "" "$(begun | grep -E '/(one|two|suspended|applied)$' || true)"
# --- a right that is missing

without() { # RULE-INDEX HOOK-ARGUMENT...: its exit code
	local index=$1 code=0
	shift
	k -n fleet patch role perch-commit --type=json -p "[{\"op\":\"remove\",\"path\":\"/rules/$index\"}]" >/dev/null
	sleep 1
	"$perch" hook "$@" --app one -n fleet --as "$commit_account" >"$scratch/without" 2>&1 || code=$?
	k apply -k "$scratch/account" >/dev/null 2>&1
	echo $code
}
needs() { # RULE-INDEX RULE HOOK-ARGUMENT...
	is "without $2 it stops where it shall fail" 4 "$(without "$1" "${@:3}" --on-error=fail)"
	has "and prints the rule" "Role: $2" "$scratch/without"
}
needs 0 '{apiGroups: [flagger.app], resources: [canaries], verbs: [list]}' post
needs 1 '{apiGroups: [flagger.app], resources: [canaries], verbs: [patch]}' pre --hold=all
needs 3 '{apiGroups: [apps], resources: [deployments], verbs: [list]}' post
is "and lets the sync go on where it isn't told to" 0 "$(without 3 post)"
has "which it says, with the rule" "Role: {apiGroups: [apps], resources: [deployments], verbs: [list]}" "$scratch/without"
is "it does without ConfigMaps" 0 "$(without 8 post --on-error=fail)"
has "and says what it then doesn't know" "{apiGroups: [\"\"], resources: [configmaps], verbs: [list]}" "$scratch/without"
is "perch asked for no Secret" "" "$(asked 0 | grep -E ':perch .* secrets' || true)"
nothing_confidential_is_told
finish
