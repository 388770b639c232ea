#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What apply() and diff say against dry-runs of a real kube-apiserver, object for object.
#   run.sh [N] [SEED]    N generated objects (default 300) besides the rows of rows.yaml
#   run.sh record        write the recorded cases of testdata/apply anew
# Disagreements are written to $FINDINGS (default: build/apiserver-findings).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build
findings=${FINDINGS:-$build/apiserver-findings}

make -C "$root" build/perch-test >&2
(cd "$here" && go build -mod=readonly -o "$build/apiserver-oracle" .)
if [ "${1:-}" = record ]; then
	exec "$here/../lab.sh" run api -- "$build/apiserver-oracle" -n 0 -record "$root/testdata/apply" -perch-test "$build/perch-test"
fi
rm -rf "$findings"
mkdir -p "$findings"
exec "$here/../lab.sh" run api -- "$build/apiserver-oracle" -n "${1:-300}" -seed "${2:-1}" \
	-perch-test "$build/perch-test" -findings "$findings"
