# SPDX-License-Identifier: Apache-2.0
# What the check that a case is named after finds.
#   git TITLE <<YAML    in rendered manifests
#   live TITLE <<YAML   in a dump
# Prints TITLE, then a line for each finding: object, path, line, what is so; `nothing` where there is none.
# For YAML: $canary is the rest of a sound Canary's spec; `manages WHO HOW FIELD` is managedFields of one
# manager with one field of spec, `held UNTIL` what a hold of perch's has.
check=$(basename "$PWD")
canary='targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, analysis: {interval: 1m, threshold: 5, iterations: 10}'
web='{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {selector: {matchLabels: {app: web}}}}'
cart="{apiVersion: flagger.app/v1beta1, kind: Canary, metadata: {name: web, namespace: shop}, spec: {$canary}}"
manages() { printf 'managedFields: [{manager: %s, operation: %s, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:%s": {}}}}]' "$1" "$2" "$3"; }
held() {
	printf 'annotations: {perch.dev/held-for: upgrade, perch.dev/held-by: perch hold, perch.dev/held-at: 2026-01-01T00:00:00Z, perch.dev/held-until: "%s", perch.dev/held-reason: r, perch.dev/undo: u}, ' "$1"
	manages perch Apply suspend
}
looks() { # TITLE OPTION
	# Where a dump begins with a brace it is JSON.
	{ [ "$2" = -f ] || echo ---; cat; } >"$T/objects.yaml"
	code=0
	perch doctor "$2" "$T/objects.yaml" -o tsv >"$T/found" || code=$?
	echo "$1:"
	case $code in 0 | 1) ;; *) echo "  exit $code" ;; esac
	if grep -q "^$check	" "$T/found"; then
		grep "^$check	" "$T/found" | cut -f 3,4,6,7 | tr '\t' ' ' | sed 's/^/  /'
		[ $code = 1 ] || echo "exit $code"
	else
		echo '  nothing'
	fi
}
git() { looks "$1" -f; }
live() { looks "$1" --live; }
