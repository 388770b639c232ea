#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh N [SEED]; N random objects, hashed by the real Go code of every k8s.io/api minor and
# by perch. Every minor makes its share of the objects, so fields that came and went are all there.
# Exit 0 if no hash differs. Else the smallest objects that show it, and both dumps, are in
# $FINDINGS (a folder, by default in the cache).
n=${1:?usage: run.sh N [SEED]} seed=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/fuzz-hash
perch_test=${PERCH_TEST:-$here/../../../build/perch-test}
findings=${FINDINGS:-$cache/findings}
cores=$(nproc)
work=$(mktemp -d "${TMPDIR:-/tmp}/perch-fuzz-hash.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

minors=$(cut -d' ' -f1 "$here/minors")
count=$(echo "$minors" | wc -l)

start=$(date +%s)
xargs -P1 -n2 "$here/build.sh" <"$here/minors" >"$work/built"
echo "built for $count minors in $(($(date +%s) - start)) s"

start=$(date +%s)
share=$(((n + count - 1) / count))
echo "$minors" | xargs -P"$cores" -I{} sh -c \
	"'$cache/{}/fuzz-hash' gen -n $share -seed $seed >'$work/{}.json' 2>'$work/{}.said'"
for m in $minors; do cat "$work/$m.json"; done | head -n "$n" >"$work/objects"
sed 's/^/last minor: /' "$work/$(echo "$minors" | tail -1).said"

echo "$minors" | xargs -P"$cores" -I{} sh -c "'$cache/{}/fuzz-hash' hash <'$work/objects' >'$work/{}.hashes'"
(cd "$work" && for m in $minors; do echo "$m.hashes"; done | xargs paste) >"$work/go"
echo "made and hashed by Go in $(($(date +%s) - start)) s, $(wc -c <"$work/objects") bytes"

start=$(date +%s)
"$perch_test" hash_lines <"$work/objects" >"$work/perch"
echo "hashed by perch in $(($(date +%s) - start)) s"

# One line per object that differs: its number and the minors' columns.
awk -F'\t' -v OFS='\t' 'NR == FNR { go[FNR] = $0; next }
	$0 != go[FNR] { split(go[FNR], g); s = ""; for (i = 1; i in g; i++) if (g[i] != $i) s = s " " i; print FNR, substr(s, 2) }
	END { if (FNR != length(go)) print "lines", length(go), FNR }' "$work/go" "$work/perch" >"$work/differ"
differences=$(cut -f2 "$work/differ" | wc -w)
refused=$(tr '\t' '\n' <"$work/go" | grep -c '^ERR' || true)
echo "$n objects × $count minors: $((n * count)) hashes ($refused refused by Go), $differences differences"
[ "$differences" -eq 0 ] && exit 0

rm -rf "$findings"
mkdir -p "$findings"
head -n "${SHOW:-20}" "$work/differ" | while read -r line column rest; do
	m=$(echo "$minors" | sed -n "${column}p")
	f=$findings/$line-$m
	sed -n "${line}p" "$work/objects" >"$f.whole.json"
	"$cache/$m/fuzz-hash" shrink -minor "$m" -perch "$perch_test" <"$f.whole.json" >"$f.json" || cp "$f.whole.json" "$f.json"
	"$cache/$m/fuzz-hash" hash -dump <"$f.json" >"$f.go"
	"$perch_test" hash_lines --dump "$m" <"$f.json" >"$f.perch" || true
	echo "object $line, minor $m: $(cut -c1-400 "$f.json")"
	cmp "$f.go" "$f.perch" || true
done
echo "see $findings"
exit 1
