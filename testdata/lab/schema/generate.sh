#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: generate.sh OUT; writes src/k8s/schema.def from the real k8s.io/api modules. The minors, and
# the release of each, are those of the hash oracle. Everything but the sources is in the cache.
out=$(realpath "$1")
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
minors=$here/../fuzz-hash/minors
cache=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/schema
work=$(mktemp -d "${TMPDIR:-/tmp}/perch-schema.XXXXXX")
trap 'rm -rf "$work"' EXIT
export GOWORK=off GOFLAGS=-mod=mod

cd "$here/types"
while read -r minor version; do
	mkdir -p "$cache/$minor"
	sed "s|^require .*|require k8s.io/api $version|" go.mod >"$work/go.mod"
	[ -e "$cache/$minor/go.mod" ] && grep -q "k8s.io/api $version\$" "$cache/$minor/go.mod" ||
		cp "$work/go.mod" "$cache/$minor/go.mod"
	go build -modfile="$cache/$minor/go.mod" -o "$cache/$minor/types" . 2>"$cache/$minor/build.log" ||
		{ cat "$cache/$minor/build.log" >&2; exit 1; }
	"$cache/$minor/types" >"$work/$minor.json"
	newest=$version
done <"$minors"

# What server-side apply knows is in the schema text that client-go carries.
client_go=$(go mod download -json "k8s.io/client-go@$newest" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cd "$here"
go build -o "$cache/schema" .
"$cache/schema" -minors "$minors" -types "$work" \
	-facts "$client_go/applyconfigurations/internal/internal.go" >"$work/schema.def"
mv "$work/schema.def" "$out"
