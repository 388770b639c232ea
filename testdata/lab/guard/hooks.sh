#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hooks/ as they stand, in front of real Flagger: each way to install guard gives the same Deployment;
# installed with the release unchanged it writes no hash; an upgrade then rolls nothing and suspends
# nothing; the reconcile Job and the sweeper's Job run; their Pods pass the restricted Pod standard.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
in_lab lab '1.37.0 1.38.0' "$@"
needs_containers
fl() { k -n flagger-system "$@"; }
ready() { fl rollout status deployment/flagger --timeout=90s >/dev/null; }
guard_log() { fl logs deployment/flagger -c perch-guard >"$scratch/out" 2>&1; }
canaries() { k -n fleet get canaries -o "jsonpath={range .items[*]}{.metadata.name} $1{\"\n\"}{end}"; }

"$lab/lab.sh" deploy 1.37.0 >/dev/null
ready
fleet settle plain env config-env >/dev/null

# --- Three ways, one Deployment
cp -r "$root/hooks" "$scratch/hooks"
mkdir "$scratch/component" "$scratch/helm" "$scratch/all"
sed '/^#/d' "$lab/flagger.yaml" | sed 's|/flagger:1.38.0|/flagger:1.37.0|' >"$scratch/flagger.yaml"
for way in component helm all; do cp "$scratch/flagger.yaml" "$scratch/$way"; done
printf 'resources: [flagger.yaml]\ncomponents: [../hooks/guard]\n' >"$scratch/component/kustomization.yaml"
{
	echo 'resources: [flagger.yaml]'
	sed -n '/- kustomize:/,$p' "$root/hooks/guard/helmrelease.yaml" | sed '1d; s/^        //'
} >"$scratch/helm/kustomization.yaml"
for way in component helm; do k kustomize "$scratch/$way" >"$scratch/$way.yaml"; done
expect "the HelmRelease patches as the component does" 0 '' diff "$scratch/component.yaml" "$scratch/helm.yaml"
template='jsonpath={.spec.template.spec}'
fl apply --dry-run=server -f "$scratch/component.yaml" -o "$template" >"$scratch/a" 2>/dev/null
fl patch deployment flagger --dry-run=server --patch-file "$root/hooks/guard/patch.yaml" -o "$template" >"$scratch/b"
expect "kubectl patch does too" 0 '' diff "$scratch/a" "$scratch/b"

# --- Installed, with the release unchanged
k apply -k "$root/hooks/rbac" >/dev/null
k apply -k "$root/hooks/policy" >/dev/null
k apply -k "$root/hooks/require-guard" >/dev/null
k apply -k "$root/hooks/sweeper" >/dev/null
sleep 2
canaries '{.status.lastAppliedSpec} {.status.lastPromotedSpec}' >"$scratch/before"
cat >"$scratch/all/kustomization.yaml" <<-Y
	namespace: flagger-system
	resources: [flagger.yaml]
	components: [../hooks/guard, ../hooks/reconcile]
Y
k apply --server-side --force-conflicts --field-manager=installer -k "$scratch/all" >/dev/null
expect "Flagger starts behind guard" 0 '' ready
guard_log
has "guard finds nothing to do" 'perch guard: Flagger 1.37.0: nothing to do for 5 canaries' "$scratch/out"
expect "it tells the next one" 0 "release: 1.37.0" fl get configmap perch-guard -o yaml
expect "no hash was written" 0 '' diff "$scratch/before" <(canaries '{.status.lastAppliedSpec} {.status.lastPromotedSpec}')
expect "the reconcile Job completes" 0 '' fl wait --for=condition=complete --timeout=60s job/perch-reconcile
expect "it names Flagger's image" 0 "ghcr.io/fluxcd/flagger:1.37.0" fl get job perch-reconcile -o yaml

# --- The upgrade
fl set image deployment/flagger flagger=ghcr.io/fluxcd/flagger:1.38.0 >/dev/null
expect "the new Flagger starts" 0 '' ready
guard_log
has "guard adopts the fleet" 'perch guard: Flagger 1.37.0 → 1.38.0: 5 adopted' "$scratch/out"
fl get pods -l app.kubernetes.io/name=flagger -o 'jsonpath={..initContainerStatuses[*].state.terminated.message}' >"$scratch/message"
has "the termination message says so" '1.37.0 → 1.38.0: 5 adopted' "$scratch/message"
canaries '{.status.lastAppliedSpec} {.status.lastPromotedSpec}' >"$scratch/adopted"
sleep 12 # four ticks of Flagger's
expect "Flagger computes the hashes that perch wrote, and rolls nothing" 0 '' \
	diff "$scratch/adopted" <(canaries '{.status.lastAppliedSpec} {.status.lastPromotedSpec}')
expect "every canary is as it was" 0 '' diff <(canaries Initialized) <(canaries '{.status.phase}')
is "nothing was suspended" "" "$(grep '"verb":"patch"' "$LAB_RUN/audit.log" | grep '"resource":"canaries"' | grep -v '"subresource":"status"' |
	grep ':perch"' || true)"
fl rollout restart deployment flagger >/dev/null
ready
guard_log
has "a restart has nothing to do" 'perch guard: Flagger 1.38.0: nothing to do for 5 canaries' "$scratch/out"

# --- The sweeper
ok "a hold that runs out" "$perch" hold fleet/plain --for 1s --as="$perch_account"
sleep 2
fl create job sweep --from=cronjob/perch-sweeper >/dev/null
expect "the sweeper's Job completes" 0 '' fl wait --for=condition=complete --timeout=60s job/sweep
expect "and the hold is gone" 0 '' test -z "$(k -n fleet get canary plain -o 'jsonpath={.spec.suspend}{.metadata.annotations}')"

# --- What the Pods ask of a node
k label namespace flagger-system pod-security.kubernetes.io/warn=restricted >/dev/null
for hook in sweeper/cronjob reconcile/job; do
	sed 's/^  name: perch-/  name: strict-/' "$root/hooks/$hook.yaml" >"$scratch/strict.yaml"
	expect "the Pods of $hook are taken" 0 'created' fl create --dry-run=server -f "$scratch/strict.yaml"
	is "and are restricted" "" "$(grep 'would violate' "$scratch/out" || true)"
done
expect "Flagger's aren't" 0 'would violate' \
	fl patch deployment flagger --dry-run=server -p '{"spec":{"template":{"metadata":{"annotations":{"x":"y"}}}}}'
is "but guard is" "" "$(grep '"perch-guard"' "$scratch/out" || true)"

nobody_read_secrets
finish
