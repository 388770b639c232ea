#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# Hashing one object against Flagger's own code: both take turns and the best of each counts, so a
# busy machine hits both alike. Fails where a ratio misses its target. Needs Go.
cd "$(dirname "$0")/.."
object=testdata/bench/deployment.json
PATH=$PWD/${B:-build}:$PATH
peers=$(testdata/lab/peers/build.sh)
runs=$(mktemp "${TMPDIR:-/tmp}/perch-bench.XXXXXX")
trap 'rm -f "$runs"' EXIT

for turn in 1 2 3 4 5; do
	"$peers/peer-hash" "$object" 2000 | sed 's/^/go /'
	perch-test bench "$object" 30 4000 | sed 's/^/perch /'
done >"$runs"

[ "$(awk '$2 == "value" { print $3 }' "$runs" | sort -u | wc -l)" -eq 1 ] || { echo "✗ the hashes differ"; exit 1; }
awk -v bytes="$(wc -c <"$object")" '
	$2 != "value" { k = $1 " " $2; if (!(k in best) || $3 < best[k]) best[k] = $3 }
	function row(what, is, target, ok) {
		printf "%s %-44s %5.2f  (%s)\n", ok ? "✔" : "✗", what, is, target
		if (!ok) bad = 1
	}
	END {
		printf "hash of one object, %d bytes of JSON, in µs\n", bytes
		printf "  perch   parse %6.1f  hash %6.1f  both %6.1f\n", best["perch parse"] / 1e3, best["perch hash"] / 1e3, best["perch both"] / 1e3
		printf "  Go     decode %6.1f  hash %6.1f  both %6.1f\n", best["go decode"] / 1e3, best["go hash"] / 1e3, best["go both"] / 1e3
		r = best["go both"] / best["perch both"]; row("times faster than Go, parse and hash", r, "at least 4, aim 5", r >= 4)
		r = best["perch hash"] / best["perch fnv"]; row("times FNV-1a over the same dump, hash alone", r, "at most 2", r <= 2)
		exit bad
	}' "$runs"
