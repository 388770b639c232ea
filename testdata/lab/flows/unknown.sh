#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Flagger whose release isn't known: an image by digest, a vendor's tag, a release newer than perch, two of them, a --flagger that
# the tag contradicts. No hash is written, what to pass is said, and holds can still be ended.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
digest=corp.example/flagger@sha256:5e1100000000000000000000000000000000000000000000000000000000005e
vendor=corp.example/flagger:vendor-7
cat >>"$LAB_RUN/images" <<-I
	$digest=flagger:1.38.0
	$vendor=flagger:1.38.0
	ghcr.io/fluxcd/flagger:9.9.9=flagger:1.44.0
	ghcr.io/fluxcd/flagger:1.42.0=loadtester
I
"$LAB_SH" deploy 1.37.0 >/dev/null
install_perch
install_guard
flagger_ready
fleet settle plain env config-env
before=$(hashes) canaries=$(hashes | wc -l)
unwritten() { # WHAT: since $mark no canary was written, and no hash has moved from $before
	is "$1: no canary is written" "" "$(wrote "$mark" | grep -v ' configmaps ')"
	is "$1: no hash moves" "$before" "$(hashes)"
}
as() { "$perch" "$@" --as "$account"; }
says() { # NAME CODE TEXT VERB...: perch exits with CODE and says TEXT
	local name=$1 wanted=$2 text=$3 code=0
	shift 3
	as "$@" >"$scratch/said" 2>&1 || code=$?
	is "$name: exit code" "$wanted" "$code"
	has "$name" "$text" "$scratch/said"
}
held() { k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.namespace}/{.metadata.name} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}'; }

# --- guard: Flagger stays down, and one goes back

mark=$(audit_mark)
refused() { # IMAGE TEXT
	local pod
	pod=$(flagger_pod)
	upgrade "$1"
	within 30 another "$pod"
	ok "$1: guard ends with 5, and Flagger doesn't start" stopped 5
	guard_tries .message >"$scratch/message"
	has "$1: it says what it is" "$2" "$scratch/message"
	has "$1: and the way back" "or go back to 1.37.0; or say --on-unknown=hold" "$scratch/message"
}
refused $digest "names no release that perch knows, pass --flagger"
refused $vendor "names no release that perch knows, pass --flagger"
refused 9.9.9 "Flagger 9.9.9 of flagger-system/$(flagger_pod | sed 's/-[^-]*-[^-]*$//')"
has "9.9.9: upgrade perch" "is none that perch knows, upgrade perch" "$scratch/message"
pod=$(flagger_pod)
guard_args --timeout=10s --flagger=1.37.0
upgrade 1.38.0
within 30 another "$pod"
ok "against its tag: guard ends with 5" stopped 5
guard_tries .message >"$scratch/message"
has "against its tag: both are named" "--flagger says 1.37.0, the image tag of " "$scratch/message"
# The image first: 1.38.0 without --flagger is an upgrade like any other.
pod=$(flagger_pod)
upgrade 1.37.0
ok "back at the release before Flagger starts" another_than "$pod"
pod=$(flagger_pod)
guard_args --timeout=10s
ok "and without --flagger" another_than "$pod"
unwritten "refused by guard"

# --- the verbs that write hashes

says "--flagger against the tag" 5 "--flagger says 1.38.0, the image tag of flagger-system/flagger says 1.37.0" adopt -n fleet plain --flagger 1.38.0
fl create deployment flagger-two --image=ghcr.io/fluxcd/flagger:1.42.0 >/dev/null
fl label deployment flagger-two app.kubernetes.io/name=flagger >/dev/null # as every way of installing it does
fl rollout status deployment/flagger-two --timeout=60s >/dev/null
for verb in "adopt -n fleet plain" "reconcile -A --yes --timeout 20s" "hold -n fleet plain --for 1h"; do
	# shellcheck disable=SC2086
	says "two Flaggers, ${verb%% *}" 5 "two Flaggers act here: " $verb
done
fl delete deployment flagger-two >/dev/null
unwritten "refused by verbs"

# --- guard is told to hold: nothing rolls, and what is held can be let go

mark=$(audit_mark) pod=$(flagger_pod)
guard_args --timeout=10s --on-unknown=hold
another_than "$pod"
pod=$(flagger_pod)
upgrade 9.9.9
ok "with --on-unknown=hold Flagger starts" another_than "$pod"
has "guard says why it holds" "Flagger 9.9.9 of flagger-system/" "$(guard_log)"
is "all are held" "$canaries" "$(held | grep -c ' upgrade$')"
is "no hash is written" "" "$(wrote "$mark" | grep canaries/status)"
ticks 12
is "and none rolls" "" "$(begun)"
says "adopt" 5 "upgrade perch" adopt -n fleet plain
says "reconcile" 5 "upgrade perch" reconcile -A --yes --timeout 20s
says "resume" 5 "upgrade perch" resume -A --yes --timeout 20s
is "all are still held" "$canaries" "$(held | grep -c ' upgrade$')"
says "resume --step --roll lets one go" 0 "1 ended" resume -n fleet plain --roll --step
field env '{.metadata.annotations.perch\.dev/undo}' >"$scratch/undo"
ok "the undo line lets another go" sh "$scratch/undo"
is "neither is held" "" "$(held | grep -E '/(plain|env) ' || true)"
rolls() { [ "$(begun | sort -u | tr '\n' ' ')" = "fleet/env fleet/plain " ]; }
ok "Flagger analyses those two, which is the safe end" within 40 rolls
is "no hash was perch's" "" "$(wrote "$mark" | grep canaries/status)"

# --- back at a release that is known: guard ends its holds

pod=$(flagger_pod)
upgrade 1.37.0
ok "back again" another_than "$pod"
say "$(guard_line)"
is "no hold is left" "" "$(held)"
ticks 12
is "what was in flight goes on, and the rest doesn't roll" "" "$(begun)"
settled plain Succeeded 60 && settled env Succeeded 60

# --- told what it is

pod=$(flagger_pod) before=$(hashes)
guard_args --timeout=10s --flagger=1.38.0
upgrade $digest
ok "with --flagger the image by digest starts" another_than "$pod"
has "and the fleet is adopted for it" "Flagger 1.37.0 → 1.38.0: $canaries adopted" "$(guard_log)"
ticks 12
is "nothing rolls" "" "$(begun)"
mark=$(audit_mark) before=$(hashes)
says "hold, without" 5 "pass --flagger" hold -n fleet config-env --for 1h
says "hold, with" 0 "1 held" hold -n fleet config-env --for 1h --flagger 1.38.0
says "resume, without" 5 "pass --flagger" resume -n fleet config-env
says "reconcile, without" 5 "pass --flagger" reconcile -n fleet config-env --timeout 20s
says "reconcile, with" 0 "1 ended" reconcile -n fleet config-env --flagger 1.38.0 --timeout 20s
is "it is let go" "" "$(held)"
is "only holds were written" "$account patch canaries fleet/config-env 200" "$(wrote "$mark" | sort -u)"

# --- told to proceed: as if there were no guard

mark=$(audit_mark) pod=$(flagger_pod)
guard_args --timeout=10s --on-unknown=proceed
upgrade $vendor
ok "with --on-unknown=proceed Flagger starts" another_than "$pod"
has "guard warns" "pass --flagger" "$(guard_log)"
unwritten "told to proceed"
pod=$(flagger_pod)
guard_args --timeout=10s
ok "what was let start once starts again" another_than "$pod"
has "and guard says so" "it was let start before, nothing is written" "$(guard_log)"
unwritten "started again"
is "perch asked for no Secret" "" "$(asked 0 | grep ' secrets' || true)"
nothing_confidential_is_told
finish
