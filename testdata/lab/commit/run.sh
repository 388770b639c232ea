#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commit flow: what the engines make of hooks/, and hooks/ as they stand around the engines' own ways to apply, with real Flagger.
# Each scenario in a lab of its own, side by side.
#   run.sh SCENARIO...       argocd, flux, helm, unsettled, fights
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
"$lab/lab.sh" build lab flagger loadtester
tool commit engines
rmdir "$scratch" # exec runs no trap
"$here/health.sh"
exec "$here/../flows/run.sh" "${@/#/../commit/}"
