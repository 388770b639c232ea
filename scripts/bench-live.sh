#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The numbers that perch promises on a cluster, measured against a real API server: plan of one canary
# beside kubectl diff of its Deployment and beside one curl that does the same GETs over one
# connection, of the static perch that images and releases have, then of the dynamic one of this folder, a
# fifth of whose time is the loader's; and the memory that verbs take, and what guard asks for, as a fleet
# grows. Prints ratios and judges nothing by the clock. Needs Go, for the lab.
set -euo pipefail
cd "$(dirname "$0")/.."
lab=$PWD/testdata/lab cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}
bin=${BIN:-$PWD} runner=${B:-build}/perch-test static=${B:-build}-static
if [ "${1:-}" != inside ]; then
	make -s STATIC=1 B="$static" >&2 || echo "no static perch can be linked here" >&2
	"$lab/lab.sh" build lab 1.38.0
	mkdir -p "$cache/guard"
	(cd "$lab/guard" && go build -mod=readonly -o "$cache/guard/seed" .)
	exec "$lab/lab.sh" run api -- "$PWD/scripts/bench-live.sh" inside
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/perch-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
ln -s "$(cd "$bin" && pwd)/perch" "$scratch/perch"
[ ! -x "$static/perch" ] || ln -s "$(cd "$static" && pwd)/perch" "$scratch/perch-static"
PATH=$scratch:$PATH
export POD_NAME=flagger-1 POD_NAMESPACE=flagger-system PERCH_TERMINATION_LOG=$scratch/termination

kubectl apply -f "$(ls -td "$cache"/flagger-1.38-*/crd.yaml | head -1)" >/dev/null 2>&1
until kubectl get canaries -A >/dev/null 2>&1; do sleep 0.2; done
"$cache/guard/seed" testdata/incident/cluster.json shop 2>/dev/null
kubectl create namespace flagger-system >/dev/null
kubectl -n flagger-system create serviceaccount flagger >/dev/null

flagger() { # NAMESPACE: who is about to start there
	kubectl -n flagger-system delete pod flagger-1 --ignore-not-found --grace-period=0 --force >/dev/null 2>&1
	kubectl -n flagger-system delete configmap perch-guard --ignore-not-found >/dev/null
	kubectl apply -f - >/dev/null <<-Y
		apiVersion: v1
		kind: Pod
		metadata: {name: flagger-1, namespace: flagger-system, labels: {app: flagger}}
		spec:
		  serviceAccountName: flagger
		  containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0", args: [-namespace=$1]}]
	Y
}

# The Deployment as Git has it: what was read, without what the server adds.
kubectl -n shop get deployment cart -o yaml --show-managed-fields=false |
	sed '/^status:/,$d; /^  \(uid\|resourceVersion\|generation\|creationTimestamp\):/d' >"$scratch/cart.yaml"

# A cluster with canaries has a Flagger, whose release is asked for.
kubectl apply -f "$lab/flagger.yaml" >/dev/null

# The GETs of a verb, as the configuration of one curl.
same_gets() { # VERB ARG...
	printf 'globoff\nsilent\ncacert = %s\ncert = %s\nkey = %s\n' "$LAB_CA" "$LAB_CERT" "$LAB_KEY"
	{ perch "$@" -v 2>&1 >/dev/null || true; } | sed -n 's/^► GET \([^ ]*\): .*/\1/p' |
		while read -r path; do printf 'output = /dev/null\nurl = "%s%s"\n' "$LAB_SERVER" "$path"; done
}
# kubectl diff has its discovery cached: each command runs once before it is timed.
echo "plan of one canary: ms, peak memory, ratios to the first"
same_gets plan shop/cart >"$scratch/curl.conf"
for perch in perch-static perch; do
	[ -x "$scratch/$perch" ] || continue
	"$runner" time 41 "$perch plan shop/cart" "kubectl diff -f $scratch/cart.yaml" "curl -K $scratch/curl.conf"
	echo "  the same with what Git has, which the server is asked to merge"
	"$runner" time 21 "$perch plan shop/cart -n shop -f $scratch/cart.yaml" "kubectl diff -f $scratch/cart.yaml"
done
echo "  the kernel's floor: a process that opens one TLS connection and asks for nothing but /version"
"$runner" time 21 "curl -s -o /dev/null --cacert $LAB_CA --cert $LAB_CERT --key $LAB_KEY $LAB_SERVER/version"

# Cart with its primary and its history, COUNT times in a namespace of its own; seed takes a dump.
fleet() { # NAMESPACE COUNT
	local dump=testdata/incident/cluster.json i
	{
		echo '{"apiVersion":"v1","kind":"List","items":['
		grep '"kind":"ConfigMap",' "$dump" | grep '"name":"shop-common'
		for i in $(seq "$2"); do
			grep -E '^."apiVersion":"[^"]*","kind":"(Canary|Deployment|ReplicaSet)",' "$dump" |
				grep -E '"name":"cart[-a-z0-9]*","namespace":"shop"' | sed "s/cart/cart-$i/g"
		done
		echo '{"kind":"ClusterInfo"}]}'
	} | sed "s/\"namespace\":\"shop\"/\"namespace\":\"$1\"/g" >"$scratch/$1.json"
	"$cache/guard/seed" "$scratch/$1.json" 2>"$scratch/seed" || { cat "$scratch/seed" >&2; exit 1; }
}

echo "hook post over the canaries of a namespace, beside a curl that does the same GETs: at most 2x, 16 MiB"
same_gets hook post -n shop --dry-run=client >"$scratch/post.conf"
for perch in perch-static perch; do
	[ ! -x "$scratch/$perch" ] ||
		"$runner" time 21 "$perch hook post -n shop --dry-run=client" "curl -K $scratch/post.conf"
done

echo "hook post and others over 400 canaries, whose lists are 7 MB, beside hook post over a few: at most 16 MiB as well"
fleet n400 400
for perch in perch-static perch; do
	[ ! -x "$scratch/$perch" ] ||
		"$runner" time 5 "$perch hook post -n shop --dry-run=client" "$perch hook post -n n400 --dry-run=client" \
			"$perch plan -n n400" "$perch plan -A" "$perch status -A" "$perch doctor -A"
done

# By method and path, whatever the canary is called.
asked() { sed -n "s|^► \([A-Z]* [^:]*\): .*|\1|p" "$1" | sed 's|cart-[0-9]*|NAME|; s|/namespaces/n[0-9]*/|/namespaces/N/|; s|?.*||' | LC_ALL=C sort | uniq -c; }

echo "guard over 10 canaries and over 50, all to adopt: requests"
for n in 10 50; do
	fleet "n$n" "$n"
	flagger "n$n"
	perch guard -v >/dev/null 2>"$scratch/said" || { cat "$scratch/said" >&2; exit 1; }
	grep -F 'perch guard: ' "$scratch/said" | sed 's/^/  /'
	asked "$scratch/said" >"$scratch/asked-$n"
	sed 's/^/  /' "$scratch/asked-$n"
done
reads() { grep ' GET ' "$scratch/asked-$1"; }
patches() { awk '$2 == "PATCH" && /canaries/ { n += $1 } END { print n + 0 }' "$scratch/asked-$1"; }
if [ "$(reads 10)" != "$(reads 50)" ] || [ "$(patches 10)" != 10 ] || [ "$(patches 50)" != 50 ]; then
	echo "✗ a constant number of lists and one write per adopted canary was promised" >&2
	exit 1
fi
echo "  as many reads for 50 as for 10, and one write per adopted canary"
