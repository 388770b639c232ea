#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Real kubectl runs perch as its external diff against a real API server: noise is silent and exits 0,
# a real change names its path and exits 1, a refused object is kubectl's own error. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
if [ "${1:-}" != inside ]; then exec "$here/../lab.sh" run api -- "$here/run.sh" inside; fi

cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}/kubectl
mkdir -p "$cache"
(cd "$here" && go build -mod=readonly -o "$cache/kubectl" .)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
k() { "$cache/kubectl" --namespace=default "$@"; }
diff_with() { KUBECTL_EXTERNAL_DIFF="$root/perch diff" k diff "$@"; }

expect() { # NAME EXIT PATTERN ARG...: a pattern of '' wants no output
	local name=$1 want=$2 pattern=$3 code=0
	shift 3
	diff_with "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
	if [ $code = "$want" ] && { [ -n "$pattern" ] && grep -qF -- "$pattern" "$scratch/out" ||
		{ [ -z "$pattern" ] && [ ! -s "$scratch/out" ]; }; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok - $name: exit $code, wanted $want and '$pattern'"
		sed 's/^/    /' "$scratch/out" "$scratch/err"
	fi
}

edit() { sed "$@" "$here/web.yaml" >"$scratch/web.yaml"; } # an edited copy of what is deployed

for how in "" --server-side; do
	k delete deployment web --ignore-not-found >/dev/null
	# shellcheck disable=SC2086
	k apply $how -f "$here/web.yaml" >/dev/null
	d() { expect "$1 ${how:-client-side}" "$2" "$3" $how -f "$scratch/web.yaml"; }
	edit ''; d "the same" 0 ''
	edit 's/cpu: 100m/cpu: 0.1/; s/128Mi/131072Ki/'; d "a respelled quantity" 0 ''
	edit 's/replicas: 2/replicas: 5/'; d "replicas" 0 ''
	edit 's/web:1.0/web:1.1/'; d "an image" 1 'spec.template.spec.containers[web].image'
	edit '/LEVEL/d'; d "a removed variable" 1 'env[LEVEL]'
	edit 's/  name: web$/  name: other/'; d "a new object" 1 'other'
	edit 's/web:1.0/web:1.1/; s/replicas: 2/replicas: two/'; d "what the server refuses" 2 ''
done
k create secret generic credentials --from-literal=password=hunter2 >/dev/null
printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: credentials}\nstringData: {password: hunter3}\n' >"$scratch/web.yaml"
expect "a Secret" 1 'data.password' -f "$scratch/web.yaml"
if grep -qE 'hunter|aHVudGVy' "$scratch/out" "$scratch/err"; then
	failed=$((failed + 1))
	echo "not ok - a Secret's value is printed"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
