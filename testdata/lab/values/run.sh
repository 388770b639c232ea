#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh N [SEED]; N random YAML texts and N quantities, read by the code that Kubernetes
# reads them with and by perch. Texts that are read differently go to $FINDINGS, if that is set.
here=$(cd "$(dirname "$0")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/values
mkdir -p "$out"
cd "$here"
GOWORK=off go build -o "$out/values" .
code=0
for suite in yaml quantity; do
	"$out/values" -n "${1:?usage: run.sh N [SEED]}" -seed "${2:-1}" -findings "${FINDINGS:-}" \
		-perch "${PERCH_TEST:-$here/../../../build/perch-test}" "$suite" || code=1
done
exit $code
