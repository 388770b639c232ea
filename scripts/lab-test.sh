#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The oracles that need Go, one after another within BUDGET minutes (default 40): what would not
# start in time is skipped and counted. Prints a line per oracle and a closing count.
set -u
cd "$(dirname "$0")/.." || exit 2
command -v go >/dev/null || { echo "✗ the lab needs Go" >&2; exit 2; }
budget=$((${BUDGET:-40} * 60))
start=$(date +%s)
passed=0 failed=0 skipped=0 again=0

run() { # NAME MINUTES COMMAND...
	name=$1 minutes=$2
	shift 2
	spent=$(($(date +%s) - start))
	if [ $((spent + minutes * 60)) -gt $budget ]; then
		skipped=$((skipped + 1))
		echo "skipped - $name (needs up to $minutes min, $(((budget - spent) / 60)) left of $((budget / 60)))"
		return 0
	fi
	echo "► $name"
	timeout $((budget - spent + 60)) "$@" || return
	passed=$((passed + 1))
	echo "ok - $name ($(($(date +%s) - start - spent)) s)"
}
oracle() {
	run "$@" && return
	failed=$((failed + 1))
	echo "not ok - $1"
}
# Real Flagger against the clock: a machine that stalls gets a second try, and it is said.
scenario() {
	run "$@" && return
	again=$((again + 1))
	echo "► once more, the first try failed"
	unplayed=$skipped
	run "$@" && [ $skipped = $unplayed ] && return
	skipped=$unplayed failed=$((failed + 1))
	echo "not ok - $1"
}

oracle "schema.def is what reflection over k8s.io/api gives" 5 make -s schema-check
oracle "hash: real Go code, every minor" 10 testdata/lab/fuzz-hash/run.sh "${N:-20000}"
oracle "values: sigs.k8s.io/yaml and resource.Quantity" 5 testdata/lab/values/run.sh 20000
oracle "transform and tracker: Flagger's own controllers, 1.38 and 1.44" 10 testdata/lab/forward/run.sh 2000
oracle "apply: a real API server's dry-run" 12 testdata/lab/apiserver/run.sh
oracle "act: holds and hashes on a real API server" 5 testdata/lab/act/run.sh
scenario "the lab executes perch and Flagger" 5 testdata/lab/selftest/run.sh
scenario "flows: the incident without perch and with guard, and a rolling upgrade" 12 testdata/lab/flows/run.sh incident rolling
scenario "transport: TLS, HTTP/2, proxies and RBAC of a real API server" 3 testdata/lab/transport/run.sh
oracle "hooks: what the admission policies refuse" 2 testdata/lab/guard/policy.sh
scenario "hooks: each right of the upgrade account" 4 testdata/lab/guard/rights.sh
scenario "guard: killed after each of its requests" 4 testdata/lab/guard/killed.sh
scenario "faults: every verb that writes, killed at each request" 5 testdata/lab/faults/run.sh killed
scenario "faults: process 1, asked to end at each request" 3 testdata/lab/faults/run.sh ended
oracle "faults: what is over when perch asks again" 6 testdata/lab/faults/run.sh recovered
oracle "faults: what isn't, and canaries that go meanwhile" 6 testdata/lab/faults/run.sh refused
oracle "faults: nothing confidential is said or stored" 2 testdata/lab/faults/run.sh secrets
scenario "hooks: as they stand, in front of real Flagger" 4 testdata/lab/guard/hooks.sh
scenario "flows: every start of a Flagger Pod, killed guards, releases that aren't known, holds" 6 testdata/lab/flows/run.sh starts killed unknown holds
scenario "commit: hooks/ around a dozen apps each, as Argo CD, Flux and Helm sync them" 8 testdata/lab/commit/run.sh argocd flux helm unsettled fights
scenario "reads: one plan by lists, names, dumps and dry runs of a real API server" 4 testdata/lab/live/run.sh
oracle "doctor: CRDs of each release, rights and owners by a real API server" 2 testdata/lab/doctor/run.sh
scenario "postBuild: holds by way of what Flux substitutes and applies" 4 testdata/lab/postbuild/run.sh
oracle "kubectl runs perch as its external diff" 3 testdata/lab/kubectl/run.sh
scenario "access: kubectl reads kubeconfigs alike" 4 testdata/lab/access/run.sh

echo "$passed passed, $failed failed, $skipped skipped, $again tried twice"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
