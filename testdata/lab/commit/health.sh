#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the engines make of a Canary in each phase by hooks/: Argo CD by health.lua, beside its own script; Flux by health.yaml. And what all
# hooks have. No lab is needed, only `engines` on the PATH.
set -euo pipefail
. "$(dirname "$0")/../check.sh"
cd "$root/hooks"
phases="Initializing Initialized Waiting Progressing WaitingPromotion Promoting Finalising Succeeded Failed Terminating Terminated"
canaries() { # [METADATA SPEC]: one in each phase, and one that has none
	local phase canary="apiVersion: flagger.app/v1beta1, kind: Canary, spec: {${2:-}}"
	for phase in $phases; do
		printf '{%s, metadata: {name: %s}, status: {phase: %s, canaryWeight: 5, conditions: [{type: Promoted, message: as it goes}]}}\n---\n' \
			"$canary" "$phase${1:-}" "$phase"
	done
	printf '{%s, metadata: {name: none%s}}\n' "$canary" "${1:-}"
}
hold=', annotations: {perch.dev/held-for: commit/shop, perch.dev/held-until: "2026-01-01T00:00:00Z", perch.dev/held-reason: noise}'
bundled=$(canaries | engines health bundled | cut -f1,2)
is "each has the health that Argo CD gives it" "$bundled" "$(canaries | engines health argocd/health.lua | cut -f1,2)"
is "a held one too" "$bundled" "$(canaries "$hold" 'suspend: true' | engines health argocd/health.lua | cut -f1,2)"
said() { canaries "$@" | engines health argocd/health.lua | sed -n 's/^Succeeded.*\t//p'; }
is "of a held one it is said" "held for commit/shop until 2026-01-01T00:00:00Z: noise · Succeeded · weight 5% · as it goes" "$(said "$hold" 'suspend: true')"
is "of one that others suspended" "suspended · Succeeded · weight 5% · as it goes" "$(said '' 'suspend: true')"
is "of any other its phase" "Succeeded · weight 5% · as it goes" "$(said "$hold" 'suspend: false')"
is "Flux waits for what isn't settled, and not for what failed" \
	"$(for p in $phases; do case $p in Initialized | Succeeded) echo "$p Current" ;; Failed) echo "$p Failed" ;; *) echo "$p InProgress" ;; esac; done; echo none Unknown)" \
	"$(canaries | engines expressions flux/health.yaml | tr '\t' ' ')"

cp -r helm "$scratch/perch"
mkdir -p "$scratch/web/charts" "$scratch/web/templates"
mv "$scratch/perch" "$scratch/web/charts"
printf 'apiVersion: v2\nname: web\nversion: 1.0.0\n' >"$scratch/web/Chart.yaml"
echo '{{ include "perch.hooks" (dict "chart" . "templates" (list "deployment.yaml" "more/config.yaml")) }}' >"$scratch/web/templates/perch.yaml"
mkdir "$scratch/web/templates/more"
printf 'kind: Deployment\nquoted: {{ "\\"a: b\\" #" }}\n{{- if .Values.more }}\nmore: |\n  {{ .Values.more }}\n{{- end }}\n' >"$scratch/web/templates/deployment.yaml"
printf 'kind: ConfigMap\n' >"$scratch/web/templates/more/config.yaml"
echo 'rules: []' >"$scratch/web/.perch.yaml"
engines render "$scratch/web" shop-web shop 'more=two  blanks' >"$scratch/rendered"
is "the chart hands over what its templates render, in a folder or not, and its policy" \
	"$(printf '%s\n' '.perch.yaml: "rules: []\n"' 'app: shop-web' 'deployment.yaml: "kind: Deployment\nquoted: \"a: b\" #\nmore: |\n  two  blanks\n"' 'more_config.yaml: "kind: ConfigMap\n"')" \
	"$(sed -n '/^data:/,/^---/{/^  /p}' "$scratch/rendered" | sed 's/^ *//' | sort)"
for hook in argocd/{pre,post,fail}.yaml argocd/pods/{pre,post,fail}.yaml flux/{pre,post}/job.yaml helm/templates/_hooks.tpl; do
	is "$hook has an end" 1 "$(grep -c activeDeadlineSeconds $hook)"
	is "$hook has no TTL" 0 "$(grep -c ttlSeconds $hook || true)"
done
finish
