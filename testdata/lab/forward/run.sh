#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh N [SEED]; N random canaries each through the controllers of Flagger 1.38.0 and 1.44.0,
# and what perch says of them. Files with a disagreement go to $FINDINGS, if that is set.
here=$(cd "$(dirname "$0")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/forward
mkdir -p "$out"
cd "$here"
GOWORK=off go build -mod=readonly -o "$out/forward-1.44" .
GOWORK=off go build -mod=readonly -modfile=flagger-1.38.mod -tags flagger138 -o "$out/forward-1.38" .
code=0
for release in 1.38 1.44; do
	"$out/forward-$release" -n "${1:?usage: run.sh N [SEED]}" -seed "${2:-1}" -findings "${FINDINGS:-}" \
		-perch "${PERCH_TEST:-$here/../../../build/perch-test}" || code=1
done
exit $code
