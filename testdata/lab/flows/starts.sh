#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guard at every start of a Flagger Pod: the first installation, crashes, drained nodes, two replicas, a downgrade, an API that
# says no. What isn't an upgrade writes nothing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
quiet() { # WHAT: since $mark nothing was written, and no hash has moved from $before
	is "$1: nothing is written" "" "$(wrote "$mark")"
	is "$1: no hash moves" "$before" "$(hashes)"
}

# --- the first installation: guard is there before Flagger's CRDs are

touch "$LAB_RUN/crd" # so that `deploy` brings none
"$LAB_SH" deploy 1.37.0 >/dev/null
install_perch
fl delete deployment flagger --wait >/dev/null
sed '/^#/d; s|/flagger:1.38.0|/flagger:1.37.0|' "$root/testdata/lab/flagger.yaml" >"$scratch/flagger.yaml"
installed() { # FILE [IMAGE]: Flagger with guard, made anew
	sed "s|ghcr.io/fluxcd/flagger:1.37.0|${2:-&}|" "$1" >"$scratch/deployment.yaml"
	k patch --local -f "$scratch/deployment.yaml" --type=strategic --patch-file "$root/hooks/guard/patch.yaml" -o json |
		sed 's/"guard"/"guard", "--timeout=10s"/' | k create -f - >/dev/null
}
installed "$scratch/flagger.yaml"
ok "before there is a CRD guard lets Flagger start" within 40 ended 0
has "and says so" "Flagger isn't installed there" "$(guard_log)"
fleet apply -as update -manager helm "$(dirname "$(sed -n 's/^flagger:1.37.0=//p' "$LAB_RUN/images")")/crd.yaml"
ok "with its CRD Flagger runs" flagger_ready 60
fleet settle plain env config-env
canaries=$(hashes | wc -l)

# --- starts that are no upgrade

mark=$(audit_mark) before=$(hashes) pod=$(flagger_pod)
"$LAB_SH" pod crash "flagger-system/$pod" flagger
crashed() { [ "$(fl get pod "$pod" -o jsonpath='{.status.containerStatuses[0].restartCount}')" -ge 1 ]; }
ok "Flagger crashes" within 20 crashed
ok "and runs again" flagger_ready
is "which is no start of guard's" "" "$(asked "$mark")"
fl delete pod "$pod" >/dev/null
ok "its Pod is deleted, and there is another" another_than "$pod"
is "where guard has looked" "perch guard: Flagger 1.37.0: nothing to do for $canaries canaries" "$(guard_line | sed 's/^[^p]*//')"
quiet "another Pod"
mark=$(audit_mark) pod=$(flagger_pod)
fl rollout restart deployment flagger >/dev/null
another_than "$pod"
quiet "a restart"

# --- an upgrade and its way back

mark=$(audit_mark) pod=$(flagger_pod)
upgrade 1.38.0
another_than "$pod"
has "the upgrade is adopted" "Flagger 1.37.0 → 1.38.0: $canaries adopted" "$(guard_log)"
ticks 14
is "and rolls nothing" "" "$(begun)"
ok "with other hashes" test "$before" != "$(hashes)"
pod=$(flagger_pod)
upgrade 1.37.0
another_than "$pod"
has "so is the way back" "Flagger 1.38.0 → 1.37.0: $canaries adopted" "$(guard_log)"
ticks 14
is "which rolls nothing either" "" "$(begun)"
is "and has the old hashes again" "$before" "$(hashes)"
is "only hashes were written" "$account patch canaries/status" "$(wrote "$mark" | grep canaries | cut -d' ' -f1-3 | sort -u)"

# --- its node is drained, and can't be reached

"$LAB_SH" node second
within 20 k get node second
k cordon lab >/dev/null
mark=$(audit_mark) twin=$(flagger_pod)
"$LAB_SH" pod linger "flagger-system/$twin"
fl delete pod "$twin" --wait=false >/dev/null
ok "beside a twin of its own release guard doesn't wait" another_than "$twin"
is "the new Pod is on another node" second "$(fl get pod "$(flagger_pod)" -o jsonpath='{.spec.nodeName}')"
ok "the twin is still there" fl get pod "$twin"
quiet "beside its like"
# The same with another release: Flagger is deployed anew, and the twin of the old one still acts.
fl delete deployment flagger >/dev/null
within 30 sh -c "[ \"\$(kubectl -n flagger-system get pods -l app.kubernetes.io/name=flagger -o name)\" = pod/$twin ]"
mark=$(audit_mark)
installed "$scratch/flagger.yaml" ghcr.io/fluxcd/flagger:1.38.0
another_than "$twin"
has "beside an older release it waits" "waiting for Flagger 1.37.0 of $twin to end" "$(guard_log)"
has "as long as it is told, and then holds" "beside 1.37.0 of $twin: $canaries held" "$(guard_log)"
is "it has let Flagger start" 0 "$(guard_end .exitCode)"
is "what it would have adopted is held" "$canaries true upgrade" "$(k get canaries -A -o jsonpath='{range .items[*]}{.spec.suspend} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}' | sort | uniq -c | sed 's/^ *//')"
is "and no hash is written" "" "$(wrote "$mark" | grep canaries/status)"
ticks 12
is "two Flaggers, and none rolls anything" " " "$(begun) $(begun "$LAB_RUN/pods/flagger-system_${twin}_flagger.log")"
k apply -f "$root/hooks/reconcile/job.yaml" >/dev/null
sleep 6
is "the reconcile Job waits for the twin, too" "$canaries" "$(k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name}{"\n"}{end}' | grep -c .)"
"$LAB_SH" pod reach "flagger-system/$twin"
ok "and is done once that is gone" fl wait --for=condition=complete job/perch-reconcile --timeout=60s
is "no hold is left" "" "$(k get canaries -A -o jsonpath='{.items[*].spec.suspend}{.items[*].metadata.annotations.perch\.dev/held-for}' | tr -d ' ')"
ticks 14
is "and nothing rolls" "" "$(begun)"
pod=$(flagger_pod)
fl delete pod "$pod" >/dev/null
another_than "$pod"
has "the next guard finds that done" "nothing to do for $canaries canaries" "$(guard_log)"
k uncordon lab >/dev/null

# --- the API says no

mark=$(audit_mark) before=$(hashes) pod=$(flagger_pod)
fl get rolebinding perch-impersonate -o yaml >"$scratch/impersonate.yaml"
fl delete rolebinding perch-impersonate >/dev/null
fl delete pod "$pod" >/dev/null
within 30 another "$pod"
ok "where it may not be perch, guard ends with 4, and Flagger doesn't start" stopped 4
guard_tries .message >"$scratch/message"
has "it says what is missing" impersonate "$scratch/message"
pod=$(flagger_pod)
guard_args --timeout=10s --on-error=proceed
ok "with --on-error=proceed Flagger starts" another_than "$pod"
has "and guard says why it shouldn't" "Flagger starts all the same" "$(guard_log)"
quiet "without a right"
k apply -f "$scratch/impersonate.yaml" >/dev/null
pod=$(flagger_pod)
guard_args --timeout=10s
guard_variable KUBERNETES_SERVICE_PORT 9
within 30 another "$pod"
ok "where the API can't be reached, guard ends with 3, and Flagger doesn't start" stopped 3
pod=$(flagger_pod)
guard_args --timeout=10s --on-error=proceed
ok "with --on-error=proceed Flagger starts" another_than "$pod"
quiet "without an API"

# --- one of two replicas

fl delete deployment flagger >/dev/null
within 30 sh -c '[ -z "$(kubectl -n flagger-system get pods -l app.kubernetes.io/name=flagger -o name)" ]'
sed '/^#/d' "$root/testdata/lab/flagger-ha.yaml" >"$scratch/ha.yaml"
mark=$(audit_mark)
installed "$scratch/ha.yaml"
ok "two replicas start" flagger_ready
within 20 sh -c '[ "$(kubectl -n flagger-system get deployment flagger -o jsonpath={.status.readyReplicas})" = 2 ]'
pod=$(flagger_pod)
fl delete pod "$pod" >/dev/null
ok "one of them starts again" another_than "$pod"
has "guard doesn't wait for the other" "nothing to do for $canaries canaries" "$(guard_log)"
quiet "one of two"

# --- observe

mark=$(audit_mark)
guard_variable PERCH_MODE observe
upgrade 1.37.0 1
flagger_ready
has "with PERCH_MODE=observe it says what it would do" "would hold it for upgrade" "$(guard_log)"
is "and writes nothing" "" "$(wrote "$mark")"
is "perch asked for no Secret" "" "$(asked 0 | grep ' secrets' || true)"
nothing_confidential_is_told
finish
