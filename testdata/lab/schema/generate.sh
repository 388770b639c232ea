#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: generate.sh OUT    writes src/k8s/schema.def from the real k8s.io/api modules (needs Go)
out=$1
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

while read -r minor version; do
	"$here/../minor/build.sh" "$minor" >"$work/bin"
	"$(cat "$work/bin")" types >"$work/$minor.json"
	newest=$version
done <"$here/../minor/minors"

# Server-side apply's facts are in the schema text that client-go carries.
client_go=$(go mod download -json "k8s.io/client-go@$newest" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
(cd "$here" && GOWORK=off go build -o "$work/schema" .)
"$work/schema" -minors "$here/../minor/minors" -types "$work" \
	-facts "$client_go/applyconfigurations/internal/internal.go" >"$work/schema.def"
mv "$work/schema.def" "$out"
