#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The numbers that perch promises, each measured beside its peer in one run: hash against Flagger's
# own code, predict over a big fleet against the same in Go, plan of one canary against dyff on the
# same pair. Prints ratios and judges nothing but the hash (scripts/bench-hash.sh). Needs Go.
# CANARIES is the fleet's size; its dump is ~46 KB a canary.
set -eu
cd "$(dirname "$0")/.."
canaries=${CANARIES:-10000}
PATH=$PWD:$PWD/${B:-build}:$PATH
peers=$(testdata/lab/peers/build.sh)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/perch-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

scripts/bench-hash.sh

echo "predict over a dump: ms, peak memory, ratios to the first"
"$peers/fleet" "$canaries" >"$scratch/fleet.json"
ls -l "$scratch/fleet.json" | awk -v n="$canaries" '{ printf "  %d canaries, %d MB\n", n, $5 / 1e6 }'
perch-test time 3 "perch predict --live $scratch/fleet.json --to 1.38 -o tsv" \
	"$peers/peer-predict $scratch/fleet.json"
"$peers/fleet" $((canaries * 2)) >"$scratch/double.json"
echo "  the same of twice as many canaries"
perch-test time 1 "perch predict --live $scratch/double.json --to 1.38 -o tsv"

echo "plan of one canary from files: ms, peak memory, ratios to the first"
bench=$PWD/testdata/bench
GOBIN=$peers go install github.com/homeport/dyff/cmd/dyff@v1.10.2
perch-test time 21 "perch plan --live $bench/live.json -f $bench/desired.yaml" \
	"$peers/dyff between $bench/target.json $bench/desired.yaml"
