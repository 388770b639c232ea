#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commit flow: what the engines make of hooks/, and hooks/ as they stand around the engines' own ways to apply, with real Flagger.
# Each scenario in a lab of its own, side by side.
#   run.sh SCENARIO...       argocd, flux, helm, unsettled, fights
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}/commit
"$here/../lab.sh" build lab flagger loadtester
mkdir -p "$cache"
(cd "$here" && go build -mod=readonly -o "$cache/engines" .)
export PATH=$cache:$PATH
"$here/health.sh"
exec "$here/../flows/run.sh" "${@/#/../commit/}"
