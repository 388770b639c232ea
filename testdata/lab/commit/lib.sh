# SPDX-License-Identifier: Apache-2.0
# What the scenarios of the commit flow share: hooks/ as they stand around apps of one canary each, which the engines sync. An app is a
# folder of manifests, an edit of it a commit.
. "$(dirname "${BASH_SOURCE[0]}")/../flows/lib.sh"
apps=$scratch/apps hooks=$scratch/perch/hooks
mkdir -p "$apps" "$scratch/perch"
cp -r "$root/hooks" "$hooks"

# Flagger behind guard, the account of the apps' namespace, and a sweeper whose Jobs are made here, not by the clock.
begin() { # RELEASE
	"$LAB_SH" deploy "$1" >/dev/null
	install_perch
	k apply -k "$hooks/commit/release" >/dev/null
	k apply -k "$hooks/sweeper" >/dev/null
	fl patch cronjob perch-sweeper -p '{"spec":{"suspend":true}}' >/dev/null
	install_guard
	k create namespace fleet >/dev/null
	mkdir "$scratch/account"
	printf 'namespace: fleet\nresources: [../perch/hooks/commit, ../perch/hooks/commit/sweeper]\n' >"$scratch/account/kustomization.yaml"
	k apply -k "$scratch/account" >/dev/null
	k -n fleet patch cronjob perch-sweeper -p '{"spec":{"suspend":true}}' >/dev/null
	flagger_ready 120
}
commit_account=system:serviceaccount:fleet:perch

# --- an app

app() { # NAME [ANALYSIS]: an application with what a commit can change
	local at=$apps/$1/app
	mkdir -p "$at"
	cat >"$at/deployment.yaml" <<-Y
		apiVersion: apps/v1
		kind: Deployment
		metadata:
		  name: $1
		spec:
		  selector:
		    matchLabels: {app: $1}
		  template:
		    metadata:
		      labels: {app: $1, helm.sh/chart: web-1.0.0}
		      annotations: {checksum/config: one}
		    spec:
		      containers:
		        - name: app
		          image: registry.example/app:1.0.0
		          ports:
		            - {name: http, containerPort: 8080}
		          env:
		            - {name: LEVEL, value: info}
		            - {name: SPEED, value: slow}
		            - {name: FROZEN, value: "no"}
		            - {name: MODE, valueFrom: {configMapKeyRef: {name: $1, key: mode}}}
		          resources:
		            requests: {cpu: "1", memory: 64Mi}
		            limits: {cpu: "2"}
	Y
	cat >"$at/configmap.yaml" <<-Y
		apiVersion: v1
		kind: ConfigMap
		metadata: {name: $1}
		data: {mode: quiet}
	Y
	cat >"$at/canary.yaml" <<-Y
		apiVersion: flagger.app/v1beta1
		kind: Canary
		metadata: {name: $1}
		spec:
		  targetRef: {apiVersion: apps/v1, kind: Deployment, name: $1}
		  service: {port: 80, targetPort: http}
		  analysis: {interval: 10s, threshold: 2, ${2:-iterations: 1}}
	Y
	cat >"$at/.perch.yaml" <<-Y
		rules:
		  - match: {paths: ["**.labels[helm.sh/chart]", "**.annotations[checksum/*]"]}
		    action: ignore
		  - match: {paths: ["**.env[SPEED].value"]}
		    action: ship
		  - match: {paths: ["**.env[FROZEN].value"]}
		    action: hold
		    reason: not before the freeze is over
	Y
}
# Two canaries of one application: what the second app has is the first's from here on.
join_apps() { # APP OTHER
	local file
	for file in deployment configmap canary; do
		{ echo ---; cat "$apps/$2/app/$file.yaml"; } >>"$apps/$1/app/$file.yaml"
	done
}
edit() { # APP SED-SCRIPT [FILE]: a commit
	sed -i "$2" "$apps/$1/app/${3:-deployment.yaml}"
}
# What a commit does, by its name.
image_to() { edit "$1" "s|app:[0-9][0-9.]*|app:$2|"; }
value_to() { edit "$1" "s|name: $2, value: [^}]*|name: $2, value: \"$3\"|"; }

# --- Argo CD

# The app's kustomization, as hooks/argocd/README.md has it.
argo_app() { # NAME [VARIANT]
	cat >"$apps/$1/app/kustomization.yaml" <<-Y
		namespace: fleet
		resources: [deployment.yaml, configmap.yaml, canary.yaml]
		components: [../../../perch/hooks/${2:-argocd}]
		configMapGenerator:
		  - name: perch-desired
		    files: [deployment.yaml, configmap.yaml, .perch.yaml]
		    literals: [app=$1]
		    options: {disableNameSuffixHash: true}
	Y
}
# More arguments for the hooks of this sync, the words of PRE and POST, as a patch of the app's kustomization would give them.
with_arguments() {
	awk -v pre="${PRE:-}" -v post="${POST:-}" 'function more(words,  n, i, w) {
			n = split(words, w, " ")
			for (i = 1; i <= n; i++) printf "%s- %s\n", substr($0, 1, index($0, "-") - 1), w[i]
		}
		{ print } /^ *- --timeout=2m$/ { more(pre) } /^ *- --timeout=15m$/ { more(post) }'
}
argo() { # APP [FLAG]...: a sync
	local name=$1
	shift
	k kustomize "$apps/$name/app" | with_arguments | engines argocd -health "$hooks/argocd/health.lua" "$@" "$name" fleet >>"$scratch/$name.sync" 2>&1
}

# --- Flux

# The kustomizations of an app's pre and post, as hooks/flux/README.md has them.
flux_app() { # NAME
	local phase
	echo '{namespace: fleet, resources: [deployment.yaml, configmap.yaml, canary.yaml]}' >"$apps/$1/app/kustomization.yaml"
	for phase in pre post; do
		mkdir "$apps/$1/$phase"
		cat >"$apps/$1/$phase/kustomization.yaml" <<-Y
			namespace: fleet
			nameSuffix: -$1
			resources: [../../../perch/hooks/flux/$phase]
			configMapGenerator:
			  - name: perch-$phase
			    files: [../app/deployment.yaml, ../app/configmap.yaml, ../app/.perch.yaml]
			    literals: [app=$1]
		Y
	done
}
flux() { # APP [STEP]...: its three Kustomizations, one after another, or some of them
	local name=$1 step kustomization flags
	shift
	[ $# -gt 0 ] || set -- pre app post
	for step in "$@"; do
		kustomization=$name-$step flags=-force
		[ $step != app ] || kustomization=$name flags=
		k kustomize --load-restrictor LoadRestrictionsNone "$apps/$name/$step" |
			engines flux $flags ${health:+-health "$health"} "$kustomization" >>"$scratch/$name.sync" 2>&1 || return
	done
}

# --- several at once

each() { # COMMAND... -- APP...: of all apps at once; which of them failed
	local words=() pids=() names=() i code=0
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	for i in "$@"; do
		"${words[0]}" "$i" "${words[@]:1}" &
		pids+=($!) names+=("$i")
	done
	for i in "${!pids[@]}"; do
		wait "${pids[$i]}" || { code=1; echo "${names[$i]} failed:"; tail -5 "$scratch/${names[$i]}.sync"; }
	done
	return $code
}

# --- what perch said and left

hook_log() { # PHASE APP: the newest
	ls -t "$LAB_RUN"/pods/fleet_perch-"$1"-"$2"-*_perch.log "$LAB_RUN/pods/fleet_perch-$1-$2_perch.log" 2>/dev/null | head -1
}
hook_line() { tail -1 "$(hook_log "$1" "$2")"; }
hook_exit() { # PHASE APP
	k -n fleet get pods -l "job-name=perch-$1-$2" -o jsonpath='{.items[*].status.containerStatuses[0].state.terminated.exitCode}'
}
suspended() { k -n fleet get canaries -o jsonpath='{range .items[?(@.spec.suspend==true)]}{.metadata.name} {.metadata.annotations.perch\.dev/held-for}{"\n"}{end}'; }
shipping() { field "$1" '{.spec.skipAnalysis}{.metadata.annotations.perch\.dev/ship}'; }
# Which Flagger began to run. One whose target it couldn't scale up at once it begins at the next tick again; that each was run
# once is what `analysed` tells, and that none was begun anew in its middle.
ran() {
	begun | sort -u
	grep -o 'New revision detected! Restarting analysis[^"]*' "$(flagger_log)" || true
}
fleet_of() { printf 'fleet/%s\n' "$@" | sort; }
# Was the newest run of this canary analysed, or promoted without?
analysed() { grep -F '"'"canary\":\"$1.fleet\"" "$(flagger_log)" | grep -c 'Advance .* canary iteration' || true; }
skipped() { grep -F '"'"canary\":\"$1.fleet\"" "$(flagger_log)" | grep -c 'analysis was skipped' || true; }
# Which of perch's own writes to Canaries there were since LINE, as NAME COUNT.
patched() { # LINE
	wrote "$1" | grep -F "$commit_account patch canaries fleet/" | sed 's/.* fleet\/\([a-z-]*\) .*/\1/' | sort | uniq -c | awk '{print $2, $1}'
}
ended_as() { # APP ANALYSED SKIPPED: by this Flagger, so often each
	[ "$(phase "$1") $(analysed "$1") $(skipped "$1")" = "Succeeded $2 $3" ]
}
sweep() { # NAME [NAMESPACE]: its exit code
	k -n "${2:-flagger-system}" create job "$1" --from=cronjob/perch-sweeper >/dev/null
	within 60 sh -c "kubectl -n ${2:-flagger-system} get job $1 -o jsonpath='{.status.conditions[*].type}' | grep -qE 'Complete|Failed'"
	k -n "${2:-flagger-system}" get pods -l job-name="$1" -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}'
}
all_settled() { # PHASE APP...
	local phase=$1 app
	shift
	for app in "$@"; do settled "$app" "$phase" 150; done
}
