# SPDX-License-Identifier: Apache-2.0
# What the suites of this folder share: real kubectl, a seeded fleet, and counting.
lab=$(cd "$here/.." && pwd)
root=$(cd "$lab/../.." && pwd)
perch=${PERCH_BINARY:-$root/perch}
cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
perch_account=system:serviceaccount:flagger-system:perch

k() { kubectl "$@"; }
as_perch() { k --as="$perch_account" "$@"; }

build_tools() {
	"$lab/lab.sh" build lab "$@"
	mkdir -p "$cache/guard"
	(cd "$here" && go build -mod=readonly -o "$cache/guard/seed" .)
}

# The kinds that Flagger defines, and a fleet as real Flagger 1.37.0 left it.
seed() { # [NAMESPACE...]
	local crds
	crds=$(ls -td "$cache"/flagger-1.38-*/crd.yaml | head -1)
	k apply -f "$crds" >/dev/null 2>&1
	until k get canaries -A >/dev/null 2>&1; do sleep 0.2; done # wait stumbles over a CRD without status
	"$cache/guard/seed" "$root/testdata/incident/cluster.json" "$@"
}

ok() { passed=$((passed + 1)); }
not_ok() { # WHAT [FILE...]
	failed=$((failed + 1))
	echo "not ok - $1"
	shift
	[ $# -eq 0 ] || sed 's/^/    /' "$@"
}

# COMMAND exits with CODE and says PATTERN (a fixed text; '' for any) on stdout or stderr.
expect() { # NAME CODE PATTERN COMMAND...
	local name=$1 want=$2 pattern=$3 code=0
	shift 3
	"$@" >"$scratch/out" 2>&1 || code=$?
	if [ $code = "$want" ] && { [ -z "$pattern" ] || grep -qF -- "$pattern" "$scratch/out"; }; then ok; else
		not_ok "$name: exit $code, wanted $want and '$pattern'" "$scratch/out"
	fi
}

finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
