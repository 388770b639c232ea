#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commit flow as Flux runs it, by Flux's own apply: three Kustomizations per app, whose Jobs run once per commit.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
begin 1.37.0
changed="image removed"
all="$changed label frozen ship still"
for a in $all; do
	app "$a"
	flux_app "$a"
done
ok "the first commit of each app" each flux -- $all
all_settled Initialized $all

# --- a commit to each but one

jobs() { k -n fleet get jobs -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.uid}{"\n"}{end}' | sort; }
before=$(jobs)
image_to image 1.1.0
edit removed '/name: LEVEL/d'
edit label 's/web-1.0.0/web-1.0.1/'
value_to frozen FROZEN "yes"
value_to ship SPEED fast
mark=$(audit_mark)
ok "a reconciliation of each app" each flux -- $all
is "the Jobs of a commit run, of none they don't" "$(printf 'perch-post-still\nperch-pre-still\n')" \
	"$(join <(echo "$before") <(jobs) | awk '$2 == $3 {print $1}')"
is "policy holds what it shall hold" "frozen policy/frozen" "$(suspended)"
is "noise was held, noted and let go" "label 3" "$(patched "$mark" | grep label)"
mark=$(audit_mark)
ok "and again with no commit" each flux -- label image
is "which writes nothing" "" "$(wrote "$mark" | grep -F "$commit_account" || true)"

# --- Flux applies again while perch holds

edit label 's/web-1.0.1/web-1.0.2/'
ok "pre" flux label pre
is "holds" true "$(field label '{.spec.suspend}')"
for _ in 1 2 3; do ok "the app's Kustomization" flux label app; done
is "and is left holding" true "$(field label '{.spec.suspend}')"
ok "until post" flux label post
is "ends it" "" "$(field label '{.spec.suspend}')"
all_settled Succeeded $changed ship
is "what really changed runs, a removed variable too, and each once" "$(fleet_of $changed ship)" "$(ran)"
for a in $changed; do ok "$a was analysed" test "$(analysed $a) $(skipped $a)" = "1 0"; done
ok "what is shipped isn't analysed" test "$(analysed ship) $(skipped ship)" = "0 1"
is "and leaves nothing" "" "$(shipping ship)"

# --- with healthCheckExprs the app's Kustomization waits for its canary

health=$hooks/flux/health.yaml
value_to frozen FROZEN "no"
ok "what policy held is taken back" flux frozen
is "and is let go" "" "$(suspended)"
image_to still 1.1.0
ok "the sync of a change" flux still
settled still Progressing
ok "the next reconciliation waits for the analysis" flux still
is "to end" Succeeded "$(phase still)"
is "nothing else ran" "$(fleet_of $changed ship still)" "$(ran)"
is "perch asked for no Secret" "" "$(asked 0 | grep -E ':perch .* secrets' || true)"
nothing_confidential_is_told
finish
