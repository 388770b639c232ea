#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The incident, with guard in Flagger's Pod: 1.37.0 → 1.38.0 over a fleet in all states. STORED has what 1.38.0 itself computes
# for the canaries that settled, from control.sh.
#   incident.sh STORED SHAPE...
set -euo pipefail
. "$(dirname "$0")/lib.sh"
stored=$1
shift
"$LAB_SH" deploy 1.37.0 >/dev/null
install_perch
flagger_ready

# --- guard comes in a change of its own, with the release as it is

k create namespace fleet >/dev/null
k apply -f "$flows/special.yaml" >/dev/null
fleet settle "$@"
for c in fails flying moved configured restarted webhooked doubtful; do settled $c Initialized; done
mark=$(audit_mark) before=$(hashes)
install_guard
flagger_ready 120
say "$(guard_line)"
is "installed with the release as it is, guard writes no canary" "" "$(wrote "$mark" | grep canaries)"
is "and no hash moves" "$before" "$(hashes)"

# --- a fleet in all states

image deployment/fails registry.example/app:1.1.0
image deployment/flying registry.example/app:1.1.0
k -n fleet rollout restart deployment/restarted-primary >/dev/null
k -n fleet patch deployment webhooked-primary --field-manager=optimizer --type=strategic -p \
	'{"spec":{"template":{"metadata":{"annotations":{"optimizer.example/seen":"yes"}}}}}' >/dev/null
settled fails Failed
within 60 sh -c '[ "$(kubectl -n fleet get canary flying -o jsonpath={.status.iterations})" -ge 2 ]'
flagger_down
image deployment/moved registry.example/app:1.1.0
k -n fleet patch configmap configured -p '{"data":{"level":"debug"}}' >/dev/null
image deployment/doubtful registry.example/app:1.1.0
image deployment/doubtful-primary registry.example/app:1.1.0
hashes >"$scratch/before"
iterations=$(field flying '{.status.iterations}')

# --- the upgrade is a change of image tag

mark=$(audit_mark)
upgrade 1.38.0
flagger_ready 120
say "$(guard_line)"
has "guard says in one line what it did" "perch guard: Flagger 1.37.0 → 1.38.0: $(($(wc -l <"$scratch/before") - 4)) adopted, 1 continuing in flight, 1 held (fleet/doubtful: unproved, see perch explain), 2 left to run" "$(guard_log)"
is "the termination message is that line" "$(guard_line | sed 's/^[^p]*perch guard/perch guard/')" "$(guard_end .message | head -1)"
ticks
is "only what really changed rolls" "$(printf 'fleet/configured\nfleet/moved\n')" "$(begun | sort -u)"
is "and each once" "$(begun | sort -u)" "$(begun)"
hashes | cut -f1,2 | grep -vE 'fleet/(fails|flying|moved|configured|restarted|webhooked|doubtful)' >"$scratch/adopted"
within 300 test -s "$stored" # the control runs beside this
ok "every proved canary has the hash that 1.38.0 itself computes" diff "$stored" "$scratch/adopted"
is "nothing proved was ever suspended" "patch canaries fleet/doubtful" "$(wrote "$mark" | grep ' canaries ' | cut -d' ' -f2-4 | sort -u)"
is "all writes are of perch's own account" "$account" "$(wrote "$mark" | cut -d' ' -f1 | sort -u)"
is "what failed isn't tried again" Failed "$(phase fails)"
ok "what is in flight goes on" test "$(field flying '{.status.iterations}')" -gt "$iterations"
is "a restarted primary is drift" Initialized "$(phase restarted)"
is "and so is one that another manager edited" Initialized "$(phase webhooked)"
for c in restarted webhooked; do
	$perch explain -n fleet $c -o json >"$scratch/drift" 2>&1 || true
	has "drift of $c is said" primary-drift: "$scratch/drift"
done

# --- what is held, and how it is let go

is "an unproved one is held" "true upgrade" "$(field doubtful '{.spec.suspend} {.metadata.annotations.perch\.dev/held-for}')"
$perch explain -n fleet doubtful >"$scratch/explain" 2>&1 || true
has "explain says why" unproved "$scratch/explain"
print=$(sed -n 's/.*fingerprint of the difference: //p' "$scratch/explain" | head -1)
code=0
$perch adopt -n fleet doubtful >"$scratch/adopt" 2>&1 || code=$?
is "adopt refuses it without an operator's word" 5 $code
ok "adopt --accept takes it" $perch adopt -n fleet doubtful --accept "$print"
is "and frees it" "" "$(field doubtful '{.spec.suspend}')"
ticks 15
is "it doesn't roll" Initialized "$(phase doubtful)"
settled moved Succeeded
settled configured Succeeded
is "each real change ran once" "$(printf 'fleet/configured\nfleet/moved\n')" "$(begun)"

# --- on, release by release

next() { # RELEASE
	local mark
	flagger_down
	mark=$(audit_mark)
	upgrade "$1"
	flagger_ready 120
	say "$(guard_line)"
	ticks "${2:-20}"
}
k apply -f "$flows/podlevel.yaml" >/dev/null
settled podlevel Initialized
$perch predict --to 1.41.0 -n fleet podlevel -o json >"$scratch/predict" 2>&1 || true
next 1.41.0 25
is "a field that only the new release knows runs" fleet/podlevel "$(begun | sort -u)"
has "with that reason" "resources differ from the primary" "$scratch/predict"
settled podlevel Succeeded
for release in 1.43.0 1.44.0; do
	next $release
	is "$release rolls nothing" "" "$(begun)"
done
is "what failed is still not tried again" Failed "$(phase fails)"
is "perch asked for no Secret" "" "$(asked 0 | grep " secrets" || true)"
nothing_confidential_is_told
finish
