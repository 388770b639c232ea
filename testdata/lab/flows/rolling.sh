#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An upgrade without a moment in which no Flagger runs: two replicas with leader election. hold → upgrade → reconcile → resume,
# as the account that perch ships for it; reconcile is the shipped Job.
#   rolling.sh SHAPE...
set -euo pipefail
. "$(dirname "$0")/lib.sh"
"$LAB_SH" deploy 1.37.0 ha >/dev/null
install_perch
flagger_ready
k create namespace fleet >/dev/null
k apply -f "$flows/special.yaml" >/dev/null
fleet settle "$@"
for c in fails flying moved configured; do settled $c Initialized; done
image deployment/fails registry.example/app:1.1.0
image deployment/flying registry.example/app:1.1.0
settled fails Failed
iterations() { test "$(field flying '{.status.iterations}')" -ge 2; }
within 60 iterations
hashes >"$scratch/before"
as() { "$perch" "$@" --as "$account"; } # the upgrade account's rights, no more

ok "hold" as hold -A --for 2h --in-flight=freeze --yes
suspended() { k get canaries -A -o jsonpath='{range .items[*]}{.spec.suspend} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}' | sort | uniq -c | tr -s ' '; }
is "every canary is held for the upgrade" " $(wc -l <"$scratch/before") true upgrade" "$(suspended)"
held=$(k get canaries -A -o jsonpath='{range .items[*]}{.metadata.annotations.perch\.dev/held-by}{"|"}{.metadata.annotations.perch\.dev/held-until}{"|"}{.metadata.annotations.perch\.dev/held-at}{"|"}{.metadata.annotations.perch\.dev/held-reason}{"|"}{.metadata.annotations.perch\.dev/undo}{"\n"}{end}')
ok "and says by whom, until when, since when, why and how to undo" sh -c '! echo "$1" | grep -qE "^\||\|\||\|$"' - "$held"
stopped=$(field flying '{.status.iterations}')
image deployment/moved registry.example/app:1.1.0
k -n fleet patch configmap configured -p '{"data":{"level":"debug"}}' >/dev/null

upgrade 1.38.0 2
k apply -f "$root/hooks/reconcile/job.yaml" >/dev/null
flagger_ready 120
ok "the shipped Job reconciles once the old Pods are gone" k -n flagger-system wait --for=condition=complete job/perch-reconcile --timeout=120s
log=$(ls -t "$LAB_RUN"/pods/flagger-system_perch-reconcile-*_perch.log | head -1)
say "$(grep -h 'perch reconcile:' "$log" | tail -1)"
is "what really changed stays held for resume" "fleet/configured fleet/moved" "$(k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.namespace}/{.metadata.name}{" "}{end}' | sed 's/ $//')"
ticks
rolled() { cat "$LAB_RUN"/pods/flagger-system_flagger-*_flagger.log | grep -h '"version":\|New revision\|canary' | sed -n 's/.*"msg":"New revision detected! \(Scaling up\|Restarting\)[^"]*".*"canary":"\([^".]*\)\.\([^"]*\)".*/\3\/\2/p' | sort -u; }
is "nothing rolls yet but what did before" "$(printf 'fleet/fails\nfleet/flying\n')" "$(rolled)"
ok "the analysis in flight went on" test "$(field flying '{.status.iterations}')" -gt "$stopped"
is "what failed isn't tried again" Failed "$(phase fails)"
ok "resume" as resume -A --yes --timeout 4m
is "it ran what really changed, one after another, to the end" "Succeeded Succeeded" "$(phase moved) $(phase configured)"
is "no hold is left" "" "$(k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name}{" "}{end}')"
is "and no annotation of one" "" "$(k get canaries -A -o yaml | grep perch.dev/held || true)"
is "nothing else ran" "$(printf 'fleet/configured\nfleet/fails\nfleet/flying\nfleet/moved\n')" "$(rolled)"
is "perch asked for no Secret" "" "$(asked 0 | grep ' secrets' || true)"
nothing_confidential_is_told
finish
