#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh MINOR VERSION; builds fuzz-hash against that k8s.io/api and prints where it is.
# Everything but the sources is in the cache, a module file per minor among it.
here=$(cd "$(dirname "$0")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/fuzz-hash/$1
mkdir -p "$out"
[ -e "$out/go.mod" ] && grep -q "k8s.io/api $2\$" "$out/go.mod" || cat >"$out/go.mod" <<END
module perch.dev/lab/fuzz-hash

go 1.26

require (
	github.com/davecgh/go-spew v1.1.1
	k8s.io/api $2
	k8s.io/apimachinery $2
	sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730
)
END
cd "$here"
[ -x "$out/fuzz-hash" ] && [ -z "$(find . -newer "$out/fuzz-hash" -name '*.go')" ] && [ "$out/go.mod" -ot "$out/fuzz-hash" ] &&
	{ echo "$out/fuzz-hash"; exit 0; }
GOWORK=off go build -mod=mod -modfile="$out/go.mod" -o "$out/fuzz-hash" . 2>"$out/build.log" ||
	{ cat "$out/build.log" >&2; exit 1; }
echo "$out/fuzz-hash"
