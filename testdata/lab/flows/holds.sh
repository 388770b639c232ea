#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds: whose they are, how they end by time, by hand and by two at once, and that none makes a Canary that isn't there.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
"$LAB_SH" deploy 1.37.0 >/dev/null
install_perch
k apply -k "$root/hooks/sweeper" >/dev/null
fl patch cronjob perch-sweeper -p '{"spec":{"suspend":true}}' >/dev/null # its Jobs are made here, not by the clock
flagger_ready
k create namespace fleet >/dev/null
special() { # NAME...: those of special.yaml
	awk -v names=" $* " 'BEGIN { RS = ORS = "---\n" } match($0, /metadata: {name: [a-z]+/) &&
		index(names, " " substr($0, RSTART + 17, RLENGTH - 17) " ")' "$flows/special.yaml"
}
special doubtful moved restarted | k apply -f - >/dev/null
fleet settle plain env config-env
for c in doubtful moved restarted; do settled $c Initialized; done
as() { "$perch" "$@" --as "$account"; }
held() { k get canaries -A -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}' | sed 's/ $//'; }
twice() { # VERB...: at once
	local one=0 two=0
	as "$@" >"$scratch/one" 2>&1 &
	as "$@" >"$scratch/two" 2>&1 || two=$?
	wait $! || one=$?
	cat "$scratch/one" "$scratch/two"
	[ "$one$two" = 00 ]
}
hash_of() { hashes | grep "/$1	"; }

# --- two of them are suspended already: by somebody, and by an app's policy

k -n fleet patch canary env --field-manager=kubectl-edit --type=merge -p '{"spec":{"suspend":true}}' >/dev/null
# Not by kubectl, which would make perch the manager of all that kubectl applied before.
curl -sS --fail-with-body --cacert "$LAB_CA" --cert "$LAB_CERT" --key "$LAB_KEY" -X PATCH -H 'Content-Type: application/apply-patch+yaml' --data-binary @- \
	"$LAB_SERVER/apis/flagger.app/v1beta1/namespaces/fleet/canaries/config-env?fieldManager=perch" >/dev/null <<-Y
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata:
	  name: config-env
	  namespace: fleet
	  annotations:
	    perch.dev/held-for: policy/shop
	    perch.dev/held-by: perch hook (ci)
	    perch.dev/held-at: "2026-01-01T00:00:00Z"
	    perch.dev/held-reason: only on weekdays
	    perch.dev/undo: kubectl -n fleet patch canary config-env --type=merge -p '{"metadata":{"annotations":{"perch.dev/held-for":null}},"spec":{"suspend":null}}'
	spec: {suspend: true}
Y
others=$(printf 'config-env policy/shop\nenv\n')
theirs() { is "$1: their suspensions stay" "$others" "$(held | grep -E '^(config-env|env)( |$)')"; }

# --- held and let go by two at once, and by hand

before=$(hashes)
ok "two hold the fleet at once" twice hold -A --for 1h --in-flight=leave --yes
is "each canary is held once, but those of others" "$(printf 'config-env policy/shop\ndoubtful upgrade\nds-plain upgrade\nenv\nmoved upgrade\npartner upgrade\nplain upgrade\nrestarted upgrade\n')" "$(held)"
field plain '{.metadata.annotations.perch\.dev/undo}' >"$scratch/undo"
ok "the undo line works as written" sh "$scratch/undo"
is "and leaves no suspension" "" "$(field plain '{.spec.suspend}')"
ok "two resume the fleet at once" twice resume -A --yes
is "no hold is left but those of others" "$others" "$(held)"
is "and no annotation of one" "" "$(k get canaries -A -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}' | grep ' upgrade' || true)"
is "no hash has moved" "$before" "$(hashes)"

# --- past its time a hold is decided again

ok "held for a second" as hold -A --for 1s --in-flight=leave --yes
flagger_down
image deployment/doubtful registry.example/app:1.1.0
image deployment/doubtful-primary registry.example/app:1.1.0
upgrade 1.38.0
flagger_ready
sweep() { # NAME
	fl create job "$1" --from=cronjob/perch-sweeper >/dev/null
	within 60 sh -c "kubectl -n flagger-system get job $1 -o jsonpath='{.status.conditions[*].type}' | grep -qE 'Complete|Failed'"
	fl get pods -l job-name="$1" -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}'
}
mark=$(audit_mark) theirs_before=$(hash_of config-env; hash_of env)
is "the sweeper's Job fails, as an alert" 7 "$(sweep first)"
log=$(ls "$LAB_RUN"/pods/flagger-system_first-*_perch.log)
has "which says what for" "fleet/doubtful: unproved" "$log"
is "its hold is ended, like all that were past their time" "$others" "$(held)"
is "what is proved got its hashes before its hold ended" "$(printf 'canaries/status\ncanaries\n')" "$(wrote "$mark" | grep -E 'fleet/plain ' | cut -d' ' -f3)"
is "what isn't, none" canaries "$(wrote "$mark" | grep -E 'fleet/doubtful ' | cut -d' ' -f3)"
begins() { [ "$(begun | sort -u)" = "$1" ]; }
ok "Flagger analyses it" within 30 begins fleet/doubtful
is "the holds of others aren't touched" "$theirs_before" "$(hash_of config-env; hash_of env)"
is "the next Job finds nothing" 0 "$(sweep second)"

# --- others' outlive an upgrade, by reconcile and by guard

ok "reconcile" as reconcile -A --yes --timeout 1m
theirs reconcile
ok "but it has written their hashes" test "$theirs_before" != "$(hash_of config-env; hash_of env)"
ok "resume" as resume -A --yes
theirs resume
settled doubtful Succeeded
install_guard
flagger_ready 120
theirs "guard at the same release"
theirs_before=$(hash_of config-env; hash_of env)
upgrade 1.41.0
flagger_ready 120
say "$(guard_line)"
theirs "guard at another"
ok "which has written their hashes too" test "$theirs_before" != "$(hash_of config-env; hash_of env)"
field config-env '{.metadata.annotations.perch\.dev/undo}' >"$scratch/undo"
ok "they are let go by their own" sh "$scratch/undo"
k -n fleet patch canary env --field-manager=kubectl-edit --type=merge -p '{"spec":{"suspend":false}}' >/dev/null
ticks 14
is "and nothing rolls" "" "$(begun)"

# --- two guards at once

pod=$(flagger_pod)
upgrade 1.43.0 2
another_than "$pod"
ok "two guards let two Flaggers start" within 30 sh -c '[ "$(kubectl -n flagger-system get deployment flagger -o jsonpath={.status.readyReplicas})" = 2 ]'
for log in "$LAB_RUN"/pods/flagger-system_flagger-"$(flagger_pod | cut -d- -f2)"-*_perch-guard.log; do say "$(grep -h 'perch guard:' "$log" | tail -1)"; done
ticks 14
is "into a fleet that doesn't roll" "" "$(cat "$LAB_RUN"/pods/flagger-system_flagger-"$(flagger_pod | cut -d- -f2)"-*_flagger.log | begun /dev/stdin)"
is "nor is held" "" "$(held)"
fl scale deployment/flagger --replicas=1 >/dev/null

# --- deleted, or made anew, between perch's read and its write: on a terminal it asks, and that is when

raced() { # REMADE DELETED VERB...: both are deleted meanwhile, and the first made anew
	local uid verb=$3
	uid=$(field "$1" '{.metadata.uid}')
	mark=$(audit_mark)
	: >"$scratch/terminal"
	{
		within 40 grep -qa 'y/N' "$scratch/terminal"
		k -n fleet delete canary "$1" "$2" >/dev/null
		special "$1" | k apply -f - >/dev/null
		echo y
		within 40 grep -qa "perch $verb: " "$scratch/terminal"
	} | NO_COLOR=1 script -qfec "'$perch' ${*:3} --as $account" "$scratch/terminal" >/dev/null || true
	say "$(grep -ao "perch $verb: [^(]*" "$scratch/terminal" | tr -d '\r')"
	is "$verb: what was deleted stays so" "" "$(k -n fleet get canary "$2" -o name --ignore-not-found)"
	ok "$verb: what was made anew is another" test "$uid" != "$(field "$1" '{.metadata.uid}')"
	is "$verb: and isn't perch's" "" "$(field "$1" '{.metadata.managedFields[*].manager}' | grep -w perch || true)"
	is "$verb: nothing was created" "" "$(wrote "$mark" | grep -E ' (create|patch) canaries.* 201$' || true)"
}
raced moved restarted hold -A --for 1h --in-flight=leave
is "the rest is held, but what somebody wants unsuspended" "$(printf 'config-env upgrade\ndoubtful upgrade\nds-plain upgrade\npartner upgrade\nplain upgrade\n')" "$(held)"
flagger_down
upgrade 1.44.0 0
before=$(hash_of ds-plain)
raced doubtful plain reconcile -A
is "what was made anew has no status" "" "$(field doubtful '{.status}')"
ok "the rest has other hashes" test "$before" != "$(hash_of ds-plain)"
is "and no hold" "" "$(held)"
is "perch asked for no Secret" "" "$(asked 0 | grep ' secrets' || true)"
nothing_confidential_is_told
finish
