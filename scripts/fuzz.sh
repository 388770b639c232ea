#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh run SECONDS TARGET…: each target of cmd/fuzz under libFuzzer with ASan and UBSan (clang).
# fuzz.sh replay 0 TARGET…: only the committed corpus and past findings (testdata/fuzz/TARGET).
set -eu
cd "$(dirname "$0")/.."
mode=$1 seconds=$2
shift 2
command -v clang >/dev/null || { echo "✗ fuzzing needs clang" >&2; exit 2; }
b=build-fuzz
make -s B=$b CC=clang SANITIZE=address,undefined CFLAGS="-O1 -g -fsanitize=fuzzer-no-link" $b/perch.a
for t in "$@"; do
	clang -std=c17 -D_GNU_SOURCE -Isrc -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		$(pkg-config --cflags libcjson) -o $b/fuzz-"$t" cmd/fuzz/"$t".c $b/perch.a \
		$(pkg-config --libs libcjson yaml-0.1 libcurl libcrypto libgit2)
	mkdir -p testdata/fuzz/"$t" $b/corpus-"$t" $b/finding
	if [ "$mode" = replay ]; then
		ARENA_DEBUG=1 $b/fuzz-"$t" -runs=0 testdata/fuzz/"$t" 2>$b/fuzz-"$t".log ||
			{ tail -30 $b/fuzz-"$t".log; exit 1; }
	else
		ARENA_DEBUG=1 $b/fuzz-"$t" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
			-artifact_prefix=testdata/fuzz/"$t"/finding- $b/corpus-"$t" testdata/fuzz/"$t" \
			2>$b/fuzz-"$t".log || { tail -30 $b/fuzz-"$t".log; exit 1; }
	fi
	grep -E '^Done|DONE' $b/fuzz-"$t".log | tail -1 | sed "s/^/fuzz $t: /"
done
