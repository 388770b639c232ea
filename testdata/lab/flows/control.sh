#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The control: the same fleet, upgraded without perch. All of it rolls; what 1.38.0 then stores goes to FILE.
#   control.sh FILE SHAPE...
set -euo pipefail
. "$(dirname "$0")/lib.sh"
file=$1
shift
"$LAB_SH" deploy 1.37.0 >/dev/null
flagger_ready
fleet settle "$@"
hashes >"$scratch/before"
upgrade 1.38.0
flagger_ready
moved() { hashes >"$scratch/after" && [ "$(comm -12 "$scratch/before" "$scratch/after" | wc -l)" -le "$1" ]; }
ok "without perch every canary gets another hash" within 120 moved 0
# Every one runs: the Service too, at its next tick.
all() { [ "$(begun | sort -u | wc -l)" = "$(wc -l <"$scratch/before")" ]; }
ok "and every one rolls, with no change" within 60 all
cut -f1,2 "$scratch/after" >"$file.new" && mv "$file.new" "$file"
say "control: $(begun | sort -u | wc -l) of $(wc -l <"$scratch/before") canaries rolled for nothing"
is "and perch had no hand in it" "" "$(asked 0)"
finish
