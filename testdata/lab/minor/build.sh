#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh MINOR    builds the oracle of k8s.io/api 0.MINOR once and prints its path.
# The built modules are kept in PERCH_LAB_CACHE (default: perch-lab in the user's cache folder).
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
version=$(awk -v m="$1" '$1 == m { print $2 }' "$here/minors")
[ -n "$version" ] || { echo "build.sh: no k8s.io/api minor '$1' in $here/minors" >&2; exit 2; }

source_id=$(cat "$here"/*.go "$here/build.sh" | cksum | cut -d ' ' -f 1)
dir=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}/minor/$version
bin=$dir/minor-$source_id
if [ ! -x "$bin" ]; then
	mkdir -p "$dir"
	cp "$here"/*.go "$dir/"
	cat >"$dir/go.mod" <<-MOD
		module perch/lab/minor
		go 1.24
		require (
			github.com/davecgh/go-spew v1.1.1
			k8s.io/api $version
			k8s.io/apimachinery $version
			sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730
		)
	MOD
	(cd "$dir" && GOFLAGS=-mod=mod GOWORK=off go mod tidy && GOFLAGS= GOWORK=off go build -o "$bin" .) >"$dir/log" 2>&1 ||
		{ cat "$dir/log" >&2; rm -f "$bin"; exit 1; }
fi
echo "$bin"
