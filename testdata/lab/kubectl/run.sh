#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Real kubectl runs perch as its external diff against a real API server: noise is silent and exits 0,
# a real change names its path and exits 1, a refused object is kubectl's own error. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
in_lab api '' "$@"
kubectl config set-context --current --namespace=default >/dev/null
differs_by() { # NAME CODE TEXT ARGUMENT-OF-KUBECTL-DIFF...: TEXT is on stdout, '' is that nothing is
	local name=$1 wanted=$2 text=$3 code=0
	shift 3
	KUBECTL_EXTERNAL_DIFF="$perch diff" kubectl diff "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
	is "$name: exit code" "$wanted" "$code"
	if [ -n "$text" ]; then has "$name" "$text" "$scratch/out"; else is "$name" '' "$(cat "$scratch/out")"; fi
}

edit() { sed "$@" "$here/web.yaml" >"$scratch/web.yaml"; } # an edited copy of what is deployed

for how in "" --server-side; do
	kubectl delete deployment web --ignore-not-found >/dev/null
	# shellcheck disable=SC2086
	kubectl apply $how -f "$here/web.yaml" >/dev/null
	# shellcheck disable=SC2086
	d() { differs_by "$1 ${how:-client-side}" "$2" "$3" $how -f "$scratch/web.yaml"; }
	edit ''; d "the same" 0 ''
	edit 's/cpu: 100m/cpu: 0.1/; s/128Mi/131072Ki/'; d "a respelled quantity" 0 ''
	edit 's/replicas: 2/replicas: 5/'; d "replicas" 0 ''
	edit 's/web:1.0/web:1.1/'; d "an image" 1 'spec.template.spec.containers[web].image'
	edit '/LEVEL/d'; d "a removed variable" 1 'env[LEVEL]'
	edit 's/  name: web$/  name: other/'; d "a new object" 1 'other'
	edit 's/web:1.0/web:1.1/; s/replicas: 2/replicas: two/'; d "what the server refuses" 2 ''
done
kubectl create secret generic credentials --from-literal=password=hunter2 >/dev/null
printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: credentials}\nstringData: {password: hunter3}\n' >"$scratch/web.yaml"
differs_by "a Secret" 1 'data.password' -f "$scratch/web.yaml"
is "its value isn't printed" '' "$(grep -hE 'hunter|aHVudGVy' "$scratch/out" "$scratch/err" || true)"
finish
