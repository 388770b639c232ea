#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Guard is killed after each of its requests, the next run does the rest: the end state is that of an
# undisturbed run, and in between no canary is suspended without saying for what, why and how to undo it.
# Stopped at each of them, for a hook to come in between: what that lets go has the new release's hash.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
in_lab api 1.38.0 "$@"

export POD_NAME=flagger-1 POD_NAMESPACE=flagger-system PERCH_TERMINATION_LOG=$scratch/termination PERCH_AS=$perch_account
k create namespace flagger-system >/dev/null
seed shop
k -n flagger-system create serviceaccount flagger >/dev/null
k apply -k "$root/hooks/rbac" >/dev/null
k apply -k "$root/hooks/policy" >/dev/null
k apply -f - >/dev/null <<-Y
	apiVersion: v1
	kind: Pod
	metadata: {name: flagger-1, namespace: flagger-system, labels: {app: flagger}}
	spec:
	  serviceAccountName: flagger
	  containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0", args: [-namespace=shop]}]
Y
sleep 2
s() { k -n shop "$@"; }
s delete canary catalog nudged podinfo recommend reviews search >/dev/null
# web is unproved, so that there is a hold too.
s get canary web -o 'jsonpath={.status.lastAppliedSpec}' >"$scratch/web"
s patch deployment web-primary --field-manager=someone --type=merge \
	-p '{"spec":{"template":{"metadata":{"annotations":{"example.com/restarted":"yes"}}}}}' >/dev/null
hash_patch() { printf '{"status":{"lastAppliedSpec":"%s","lastPromotedSpec":"%s"}}' "$1" "$2"; }
s patch canary web --subresource=status --field-manager=flagger --type=merge -p "$(hash_patch 5d7f 5d7f)" >/dev/null
s get canaries -o 'jsonpath={range .items[*]}{.metadata.name} {.status.lastAppliedSpec} {.status.lastPromotedSpec}{"\n"}{end}' >"$scratch/before"
cat >"$scratch/unheld.yaml" <<-Y
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata: {name: web, namespace: shop}
Y
cat >"$scratch/record.yaml" <<-Y
	apiVersion: v1
	kind: ConfigMap
	metadata: {name: perch-guard, namespace: flagger-system}
	data:
	  {release: 1.37.0, k8s: "0.27", image: "ghcr.io/fluxcd/flagger:1.37.0", config-tracking: "true", namespace: shop,
	  guarded-at: "2026-01-01T00:00:00Z"}
Y

back() {
	local name applied promoted
	while read -r name applied promoted; do
		s patch canary "$name" --subresource=status --field-manager=flagger --type=merge -p "$(hash_patch "$applied" "$promoted")" >/dev/null
	done <"$scratch/before"
	k apply --server-side --field-manager=perch -f "$scratch/unheld.yaml" >/dev/null
	k apply --server-side --field-manager=perch --force-conflicts -f "$scratch/record.yaml" >/dev/null
}
state() {
	s get canaries -o 'jsonpath={range .items[*]}{.metadata.name} {.status.lastAppliedSpec} {.status.lastPromotedSpec} {.spec.suspend} {.metadata.annotations.perch\.dev/held-for} {.metadata.annotations.perch\.dev/held-reason}{"\n"}{end}'
	k -n flagger-system get configmap perch-guard -o 'jsonpath={.data.release} {.data.k8s} {.data.image} {.data.namespace} {.data.begun-release}'
}
silent_holds() { # canaries that are suspended and don't say all of it
	s get canaries -o 'jsonpath={range .items[?(@.spec.suspend==true)]}{.metadata.name}{" "}{.metadata.annotations}{"\n"}{end}' |
		grep -vE 'held-at.*held-by.*held-for.*held-reason.*held-until.*undo' || true
}
# Runs guard and, once it has said N requests, sends it SIGNAL and does the rest; fails where it ends before, or otherwise than
# with CODE.
disturbed_after() { # N SIGNAL CODE COMMAND...
	local n=0 line pid code=0 was=no
	mkfifo "$scratch/talk"
	"$perch" guard -v >/dev/null 2>"$scratch/talk" &
	pid=$!
	while read -r line; do
		case $line in '► GET /'* | '► PATCH /'* | '► POST /'*) n=$((n + 1)) ;; esac
		if [ $n = "$1" ] && [ $was = no ]; then
			kill "-$2" $pid 2>/dev/null
			was=yes
			"${@:4}" $pid
		fi
	done <"$scratch/talk"
	rm "$scratch/talk"
	wait $pid 2>/dev/null || code=$?
	[ $was = yes ] && [ $code = "$3" ]
}
killed_after() { disturbed_after "$1" KILL 137 true; }

back
"$perch" guard >/dev/null 2>&1
state >"$scratch/undisturbed"
grep -q '^web .* true upgrade' "$scratch/undisturbed" && pass || not_ok "web isn't held" "$scratch/undisturbed"
requests=0
for n in $(seq 60); do
	back
	killed_after "$n" 2>/dev/null || break
	requests=$n
	silent_holds >"$scratch/silent"
	[ ! -s "$scratch/silent" ] && pass || not_ok "killed after request $n: a suspend that doesn't say why" "$scratch/silent"
	"$perch" guard >"$scratch/out" 2>&1 || not_ok "killed after request $n: the next run fails" "$scratch/out"
	state >"$scratch/after"
	diff "$scratch/undisturbed" "$scratch/after" >"$scratch/out" && pass || not_ok "killed after request $n: another end" "$scratch/out"
done

# Decided again at the next start: what guard holds and is proved now. A person's hold stays.
s patch deployment web-primary --field-manager=someone --type=merge \
	-p '{"spec":{"template":{"metadata":{"annotations":{"example.com/restarted":null}}}}}' >/dev/null
s patch canary web --subresource=status --field-manager=flagger --type=merge \
	-p "$(hash_patch "$(cat "$scratch/web")" "$(cat "$scratch/web")")" >/dev/null
expect "a person holds cart" 0 "" "$perch" hold shop/cart --for 1h --flagger 1.38.0 --as="$perch_account"
expect "the next start looks at web again" 0 "perch guard: Flagger 1.38.0: 1 adopted" "$perch" guard
expect "and ends its hold" 0 "" test -z "$(s get canary web -o 'jsonpath={.spec.suspend}')"
expect "cart stays held" 0 true s get canary cart -o 'jsonpath={.spec.suspend}'

# A sync of noise is held, and its post comes while guard is at work, before or after that was at the canary.
printf 'rules: [{match: {paths: ["spec.template.metadata.annotations.chart"]}, action: ignore}]\n' >"$scratch/policy.yaml"
s patch deployment cart --field-manager=argocd-controller --type=merge -p '{"spec":{"template":{"metadata":{"annotations":{"chart":"2"}}}}}' >/dev/null
cat >"$scratch/held.yaml" <<-Y
	apiVersion: flagger.app/v1beta1
	kind: Canary
	metadata:
	  name: cart
	  namespace: shop
	  annotations: {perch.dev/held-for: "commit/shop:*", perch.dev/held-by: perch hook pre, perch.dev/held-reason: noise,
	    perch.dev/held-at: "2026-01-01T00:00:00Z", perch.dev/held-until: "2099-01-01T00:00:00Z", perch.dev/undo: "perch resume"}
	spec: {suspend: true}
Y
s get deployment cart -o yaml >"$scratch/cart.yaml"
wanted=$("$perch" hash -f "$scratch/cart.yaml" --flagger 1.38.0 -o json | sed -n 's/.*"hash":"\([^"]*\)".*/\1/p')
post() { # PID
	"$perch" hook post -n shop --policy "$scratch/policy.yaml" --as="$perch_account" >"$scratch/post" 2>&1 || true
	kill -CONT "$1"
}
between=0
for n in $(seq 60); do
	back
	k apply --server-side --field-manager=perch --force-conflicts -f "$scratch/held.yaml" >/dev/null
	disturbed_after "$n" STOP 0 post || break
	between=$n
	expect "a post after request $n of guard" 0 "$wanted $wanted;" s get canary cart \
		-o 'jsonpath={.status.lastAppliedSpec} {.status.lastPromotedSpec};{.spec.suspend}'
done
echo "killed after each of $requests requests, a hook after each of $between"
[ $between -ge 15 ] && pass || not_ok "too few posts"
[ $requests -ge 15 ] && pass || not_ok "too few requests"
finish
