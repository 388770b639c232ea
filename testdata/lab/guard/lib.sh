# SPDX-License-Identifier: Apache-2.0
# What the suites of this folder share: real kubectl, and a seeded fleet.
. "$(dirname "${BASH_SOURCE[0]}")/../check.sh"
perch_account=system:serviceaccount:flagger-system:perch

k() { kubectl "$@"; }
as_perch() { k --as="$perch_account" "$@"; }

# The kinds that Flagger defines, and a fleet as real Flagger 1.37.0 left it.
seed() { # [NAMESPACE...]
	crds
	tool guard seed
	command seed "$root/testdata/incident/cluster.json" "$@"
}
crds() {
	k apply -f "$(crd_of 1.38)" >/dev/null 2>&1
	within 30 k get canaries -A # `kubectl wait` stumbles over a CRD without status
}
nobody_read_secrets() {
	has "the audit log knows perch" ':perch"' "$LAB_RUN/audit.log"
	is "perch asked for no Secret" 0 "$(grep '"resource":"secrets"' "$LAB_RUN/audit.log" | grep -c ':perch"' || true)"
}
