#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Holds by way of Flux's postBuild: hooks/flux/postbuild as it stands, substituted and applied by Flux's own
# packages (main.go) on a real API server. Nothing here runs Flagger. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../guard/lib.sh"
in_lab api '' "$@"
tool postbuild
shipped=$root/hooks/flux/postbuild
s() { k -n shop "$@"; }

# --- the cluster: Flagger's CRD, a Flagger that is named, canaries that 1.38.0 would run for nothing

crds
for namespace in shop pay flux-system flagger-system; do k create namespace $namespace >/dev/null; done
k apply -f - >/dev/null <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: flagger, namespace: flagger-system, labels: {app: flagger}}
	spec:
	  selector: {matchLabels: {app: flagger}}
	  template:
	    metadata: {labels: {app: flagger}}
	    spec: {containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0", args: [-namespace=shop]}]}
Y
k -n flagger-system patch deployment flagger --subresource=status -p '{"status":{"observedGeneration":1}}' >/dev/null

workload() { # NAME STAMP
	cat <<-Y
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: $1, namespace: shop}
	spec:
	  replicas: 0
	  selector: {matchLabels: {app: $1}}
	  template:
	    metadata: {labels: {app: $1}, annotations: {$2}}
	    spec: {containers: [{name: web, image: "registry.example/web:1"}]}
	Y
}
# As Flagger 1.37.0 leaves one: 1.38.0 computes another hash of the same.
settle() { # NAME...
	local name hash
	for name in "$@"; do
		workload "$name" '' | s create --field-manager=helm -f - >/dev/null
		workload "$name-primary" 'flagger-id: 7e0c' | s create --field-manager=flagger -f - >/dev/null
		s get deployment "$name" -o json >"$scratch/target.json"
		hash=$("$perch" hash --flagger 1.37.0 -o tsv -f "$scratch/target.json" | cut -f 3)
		unsettle "$name" "$hash"
	done
}
unsettle() { # NAME HASH
	s patch canary "$1" --subresource=status --field-manager=flagger --type=merge -p '{"status":{"phase":"Succeeded",
		"failedChecks":0,"canaryWeight":0,"iterations":1,"lastAppliedSpec":"'"$2"'","lastPromotedSpec":"'"$2"'","trackedConfigs":{},
		"lastTransitionTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Promoted","status":"True","reason":"x","message":"x",
		"lastTransitionTime":"2026-01-01T00:00:00Z","lastUpdateTime":"2026-01-01T00:00:00Z"}]}}' >/dev/null
}
suspend() { s get canary "$1" -o jsonpath='{.spec.suspend}'; }
reads_suspend() { [ "$(suspend "$1")" = "$2" ]; }
hashes() { s get canary "$1" -o jsonpath='{.status.lastAppliedSpec} {.status.lastPromotedSpec}'; }
variable() { k -n flux-system get configmap "${2:-perch-holds-podinfo}" -o jsonpath="{.data.$1}" 2>/dev/null || true; }
map() { k -n flux-system create configmap perch-holds-podinfo "$@" >/dev/null; }
no_map() { k -n flux-system delete configmap perch-holds-podinfo --ignore-not-found >/dev/null; }

# --- what Flux makes of the example

canary_of() { postbuild build "$@" "${kustomization:-$shipped/kustomizations.yaml}" "$shipped/app" | sed -n 's/.*"spec":{.*"skipAnalysis":\([^,}]*\).*"suspend":\([^,}]*\).*/\2 \1/p'; }
for strict in '' strict; do
	is "no ConfigMap${strict:+, strict}: booleans" 'false false' "$(canary_of $strict)"
	map --from-literal=perch_holds=1
	is "an empty one${strict:+, strict}" 'false false' "$(canary_of $strict)"
	no_map
	map --from-literal=perch_hold_podinfo=true --from-literal=perch_ship_podinfo=false
	is "a hold${strict:+, strict}" 'true false' "$(canary_of $strict)"
	no_map
	map --from-literal=perch_hold_podinfo=false --from-literal=perch_ship_podinfo=true
	is "a ship${strict:+, strict}" 'false true' "$(canary_of $strict)"
	no_map
done
sed '/substitute:/,/perch_holds/d' "$shipped/kustomizations.yaml" >"$scratch/bare.yaml"
like 'without any variable nothing is substituted: the inline one is needed' '"${perch_hold_podinfo:=false *' "$(kustomization=$scratch/bare.yaml canary_of)"
is 'or the strategy Always' 'false false' "$(kustomization=$scratch/bare.yaml canary_of always)"
map --from-literal=held.podinfo=x
like 'a key that is no name of a variable breaks it all' '*var name is invalid*' "$(canary_of 2>&1 || postbuild build "$shipped/kustomizations.yaml" "$shipped/app" 2>&1)"
no_map

# --- an app of six canaries, applied by what stands for the controller

app=$scratch/app names='podinfo api web-1 a b c'
mkdir "$app"
for name in $names; do
	sed "s/perch_\([a-z]*\)_podinfo/perch_\1_$(echo "$name" | tr - _)/; s/name: podinfo/name: $name/" "$shipped/app/canary.yaml" >"$app/$name.yaml"
done
controller() { # start | stop | pause | go
	case $1 in
	start) postbuild run "$shipped/kustomizations.yaml" "$app" >>"$scratch/controller" 2>&1 & controller_pid=$! ;;
	stop) kill "$controller_pid" && wait "$controller_pid" 2>/dev/null || true ;;
	pause) kill -STOP "$controller_pid" ;;
	go) kill -CONT "$controller_pid" ;;
	esac
}
postbuild apply strict "$shipped/kustomizations.yaml" "$app" >/dev/null
is 'applied as a boolean' 'false' "$(suspend podinfo)"
settle $names
sed "s/NAME/plain/" "$here/../act/web.yaml" | s create --field-manager=helm -f - >/dev/null
settle plain
old_hash=$(hashes podinfo | cut -d ' ' -f 1)
controller start
trap 'kill -CONT $controller_pid; kill $controller_pid; rm -rf "$scratch"' EXIT
via=--via=configmap=flux-system/perch-holds-podinfo
run() { "$perch" "$@" -n shop; }
by_map() { "$perch" "$@" -n shop $via; }
back() { # [NAME...]: as they were, also what Flux has applied
	no_map
	for name in "$@"; do unsettle "$name" "$old_hash"; done
	for name in "$@"; do
		for _ in $(seq 600); do [ "$(suspend "$name")" != true ] && continue 2; sleep 0.1; done
		echo "what applies for Flux stands still: $name is still suspended" >&2
		tail -5 "$scratch/controller" >&2
		exit 1
	done
}

expect 'a hold' 0 '' by_map hold podinfo --for 2h --reason test
is 'is what Flux applied' 'true' "$(suspend podinfo)"
is 'by its own manager alone' 'kustomize-controller' "$(s get canary podinfo --show-managed-fields -o go-template='{{range $m := .metadata.managedFields}}{{range $key, $_ := index $m.fieldsV1 "f:spec"}}{{if eq $key "f:suspend"}}{{$m.manager}}{{end}}{{end}}{{end}}')"
like 'with a record' '{"canary":"shop/podinfo","held-for":"upgrade","held-by":"perch hold (*","held-reason":"test","undo":"kubectl *' "$(variable perch_held_podinfo)"
is 'the ConfigMap is watched' 'Enabled' "$(k -n flux-system get configmap perch-holds-podinfo -o jsonpath='{.metadata.labels.reconcile\.fluxcd\.io/watch}')"
is 'and still gives booleans' 'true false' "$(canary_of strict)"
expect 'status shows it' 0 'upgrade' by_map status podinfo
expect 'who reads no ConfigMap leaves it' 0 'suspended by others, left so' run hold podinfo --for 2h
expect 'twice is once' 0 'nothing to do' by_map hold podinfo --for 1h
run hold plain --for 2h >/dev/null 2>&1
expect 'reconcile adopts and ends it' 0 '1 adopted' by_map reconcile podinfo --timeout 60s
run reconcile plain >/dev/null 2>&1
is 'Flux has applied that, too' 'false' "$(suspend podinfo)"
adopted() { # NAME: with both hashes of 1.38.0
	local hash
	s get deployment "$1" -o json >"$scratch/target.json"
	hash=$("$perch" hash --flagger 1.38.0 -o tsv -f "$scratch/target.json" | cut -f 3)
	is "$1 is adopted" "$hash $hash" "$(hashes "$1")"
}
adopted podinfo
adopted plain
is 'and nothing is left on either Canary' ' ' "$(for name in podinfo plain; do s get canary $name -o jsonpath='{.metadata.annotations}' | grep perch; done) "
expect 'a second run finds nothing to write' 0 '' by_map reconcile podinfo
back podinfo
by_map hold podinfo --for 2h >/dev/null 2>&1
expect 'resume ends it as well' 0 '1 adopted' by_map resume podinfo
is 'in the same state' false "$(suspend podinfo)"
adopted podinfo
by_map hold podinfo --for 2h >/dev/null 2>&1
is 'what was let go is held again' 'true' "$(suspend podinfo)"
mkdir -p "$scratch/bin" && undo=$(k -n flux-system get configmap perch-holds-podinfo -o go-template='{{.data.perch_held_podinfo}}' | sed 's/.*"undo":"//; s/"}$//; s/\\"/"/g')
expect 'the undo line works as written' 0 'patched' sh -c "$undo"
within 10 reads_suspend podinfo false || true
is 'and Flux applies it' 'false' "$(suspend podinfo)"

# --- what would come to nothing is refused, what doesn't come is told

expect 'a manifest without the variable' 7 "doesn't say \`suspend: \${perch_hold_plain:=false}\`" by_map hold plain --for 2h
expect 'a ConfigMap where its Kustomization reads none' 7 '--via configmap=flux-system/perch-holds' "$perch" hold podinfo -n shop --for 2h --via=configmap
is 'nothing was made of it' '' "$(s get configmap perch-holds -o name 2>/dev/null)"
sed 's/name: web-1/name: web.1/; s/\${.*}/false/' "$app/web-1.yaml" | k apply --server-side --field-manager=kustomize-controller -f - >/dev/null 2>&1
settle web.1 2>/dev/null
by_map hold web-1 --for 2h >/dev/null 2>&1
expect 'two names of one variable' 7 "is shop/web-1's" by_map hold web.1 --for 2h
s delete canary web.1 >/dev/null
by_map resume web-1 >/dev/null 2>&1
controller pause
expect 'never applied' 6 "Kustomization flux-system/podinfo hasn't applied what ConfigMap flux-system/perch-holds-podinfo says" by_map hold api --for 2h --timeout 3s
is 'it is written all the same' 'true' "$(variable perch_hold_api)"
expect 'status says so' 0 'not applied' by_map status api
controller go
expect 'the next run waits for it' 0 '' by_map hold api --for 1h
is 'and then it is there' 'true' "$(suspend api)"
k -n flux-system patch configmap perch-holds-podinfo --field-manager=kubectl-edit --type=merge -p '{"data":{"perch_hold_api":"false"}}' >/dev/null
expect 'a variable that another took over' 7 'belongs to kubectl-edit' by_map hold api --for 8h
back api

# --- the account's rights

k apply -f "$shipped/role.yaml" >/dev/null
k apply -n shop -k "$root/hooks/commit" >/dev/null
k apply -f "$root/hooks/policy/policy.yaml" >/dev/null 2>&1 || true
team=--as=system:serviceaccount:shop:perch
no_map
within 20 k auth can-i create configmaps/perch-holds-podinfo -n flux-system $team
expect 'the rights that are shipped make and write it' 0 '' by_map hold podinfo --for 2h --flagger 1.38.0 $team
is 'it is held' 'true' "$(suspend podinfo)"
expect 'and end it' 0 '' by_map resume podinfo --flagger 1.38.0 $team
expect 'and none else' 4 'configmaps' "$perch" hold podinfo -n shop --for 2h --flagger 1.38.0 $team --via=configmap=flux-system/another

# --- two at once

k delete --ignore-not-found -f "$root/hooks/policy/policy.yaml" >/dev/null 2>&1 || true
for round in 1 2; do
	back $names
	by_map hold podinfo api web-1 --for 2h >"$scratch/one" 2>&1 & one=$!
	by_map hold a b c --for 2h >"$scratch/other" 2>&1 || not_ok "round $round: the other" "$scratch/other"
	wait $one || not_ok "round $round: the one" "$scratch/one"
	is "round $round: two runs make the ConfigMap and keep each other's" 6 "$(k -n flux-system get configmap perch-holds-podinfo -o json | grep -c '"perch_hold_.*": "true"')"
	is "round $round: and Flux applies all" 6 "$(for name in $names; do suspend "$name"; echo; done | grep -c true)"
	by_map resume podinfo api web-1 >"$scratch/one" 2>&1 & one=$!
	by_map resume a b c >"$scratch/other" 2>&1 || not_ok "round $round: the other's end" "$scratch/other"
	wait $one || not_ok "round $round: the one's end" "$scratch/one"
	is "round $round: all are let go" 0 "$(for name in $names; do suspend "$name"; echo; done | grep -c true || true)"
	by_map hold a b c --for 2h >"$scratch/one" 2>&1 & one=$!
	by_map hold a b c --for 3h >"$scratch/other" 2>&1 || not_ok "round $round: the same by two" "$scratch/other"
	wait $one || not_ok "round $round: the same by one" "$scratch/one"
	is "round $round: once each" 3 "$(k -n flux-system get configmap perch-holds-podinfo -o json | grep -c '"perch_hold_.*": "true"')"
done

# --- an app's sync: held by pre, shipped by post, until it is promoted

back $names
s delete canary plain >/dev/null
cat >"$scratch/policy.yaml" <<-Y
	rules:
	- match: {images: ["registry.example/web:2"]}
	  action: ship
Y
sync() { "$perch" hook "$1" -n shop $via --flagger 1.38.0 --policy "$scratch/policy.yaml" --on-error=fail --timeout="$2" "${@:3}"; }
controller pause
expect 'pre holds, and leaves it to the sync to apply that' 0 '6 held' sync pre 20s --hold=all
is 'it is written' 'true' "$(variable perch_hold_a)"
controller go
within 10 reads_suspend a true || true
is 'and applied with the app' 'true' "$(suspend a)"
s patch deployment a --field-manager=helm --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.example/web:2"}]' >/dev/null
expect 'post adopts five, and ships one' 0 '5 adopted, 1 shipped' sync post 20s
is 'the ship is one write with the end of the hold' 'false true' "$(variable perch_hold_a) $(variable perch_ship_a)"
is 'Flux has applied both' 'false true' "$(s get canary a -o jsonpath='{.spec.suspend} {.spec.skipAnalysis}')"
shipped_as=$(variable perch_held_a | sed 's/.*"ship":"\([^"]*\)".*/\1/')
expect 'status shows it' 0 "shipped as $shipped_as" by_map status a
s patch canary a --subresource=status --field-manager=flagger --type=merge -p '{"status":{"lastAppliedSpec":"'"$shipped_as"'","lastPromotedSpec":"'"$shipped_as"'"}}' >/dev/null
s patch deployment a-primary --field-manager=flagger --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.example/web:2"}]' >/dev/null
expect 'once it is promoted the next run takes the ship off' 0 '' by_map resume
is 'as Flux has applied, too' 'false false' "$(s get canary a -o jsonpath='{.spec.suspend} {.spec.skipAnalysis}')"
is 'and nothing is left of it' 'false' "$(variable perch_ship_a)"

# --- killed after a request, then run again

back $names
killed_after() { # N VERB...
	local n=0 line pid code=0 wanted=$1
	shift
	mkfifo "$scratch/talk"
	"$perch" "$@" -v >/dev/null 2>"$scratch/talk" &
	pid=$!
	while read -r line; do
		case $line in '► GET /'* | '► PATCH /'* | '► POST /'*) n=$((n + 1)) ;; esac
		if [ $n = "$wanted" ]; then kill -KILL $pid 2>/dev/null; break; fi
	done <"$scratch/talk"
	rm "$scratch/talk"
	wait $pid 2>/dev/null || code=$?
	[ $code = 137 ]
}
silent() { # true without a record
	k -n flux-system get configmap perch-holds-podinfo -o json 2>/dev/null | sed -n 's/.*"perch_hold_\(.*\)": "true".*/\1/p' |
		while read -r name; do [ -n "$(variable "perch_held_$name")" ] || echo "$name"; done
}
# Flux stands still meanwhile, so that what is written isn't applied. The first requests only read.
requests=0
for verb in 'hold --for 2h' resume; do
	for n in $(seq 5 40); do
		back podinfo
		[ "$verb" != resume ] || by_map hold podinfo --for 2h >/dev/null 2>&1
		controller pause
		ended=no
		killed_after "$n" $verb podinfo -n shop $via --timeout 2s 2>/dev/null || ended=yes
		controller go
		[ $ended = no ] || break
		requests=$((requests + 1))
		is "$verb, killed after request $n: every hold says why" '' "$(silent)"
		expect "$verb, killed after request $n: the next run" 0 '' by_map $verb podinfo --timeout 60s
		[ "$verb" = resume ] && want=false || want=true
		is "$verb, killed after request $n: its end" $want "$(suspend podinfo)"
	done
done
echo "killed after $requests requests"
finish
