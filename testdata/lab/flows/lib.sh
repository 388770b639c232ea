# SPDX-License-Identifier: Apache-2.0
# What the scenarios share: words for Flagger, canaries and what perch did to them. A scenario is run
# inside of a lab (lab.sh run) and prints a line per failure and a count.
flows=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$flows/../check.sh"
account=system:serviceaccount:flagger-system:perch
needs_containers

say() { echo "  $*"; }
# What perch's Pods printed, and what it wrote where others read it.
told() {
	cat "$LAB_RUN"/pods/*_perch*.log 2>/dev/null || true
	kubectl get events -A -o jsonpath='{.items[?(@.reportingComponent=="perch")].message}'
	kubectl get pods -A -o jsonpath='{..terminated.message}'
}
nothing_confidential_is_told() {
	told >"$scratch/told"
	ok "no token, key or value of a variable is told" \
		sh -c 'test -s "$1" && ! grep -aE "eyJhbGciOi|PRIVATE KEY|Ünïcödé" "$1"' - "$scratch/told"
}

# --- Flagger, behind its Deployment

k() { kubectl "$@"; }
fl() { kubectl -n flagger-system "$@"; }
flagger_ready() { fl rollout status deployment/flagger --timeout="${1:-90}s" >/dev/null; }
flagger_down() {
	fl scale deployment/flagger --replicas=0 >/dev/null
	within 60 sh -c '! kubectl -n flagger-system get pods -o name | grep -q pod/flagger-'
}
# upgrade RELEASE|IMAGE [REPLICAS]: another tag and nothing else.
upgrade() {
	local image=ghcr.io/fluxcd/flagger:$1
	case $1 in */*) image=$1 ;; esac
	fl patch deployment flagger --type=strategic -p \
		"{\"spec\":{\"replicas\":${2:-1},\"template\":{\"spec\":{\"containers\":[{\"name\":\"flagger\",\"image\":\"$image\"}]}}}}" >/dev/null
}
# The newest Pod of Flagger, and its logs: guard's of its last start, and Flagger's.
flagger_pod() { fl get pods -l app.kubernetes.io/name=flagger --sort-by=.metadata.creationTimestamp -o jsonpath='{.items[-1:].metadata.name}'; }
guard_log() { echo "$LAB_RUN/pods/flagger-system_$(flagger_pod)_perch-guard.log"; }
flagger_log() { echo "$LAB_RUN/pods/flagger-system_$(flagger_pod)_flagger.log"; }
guard_line() { grep -h 'perch guard:' "$(guard_log)" | tail -1; }
# What guard left on its container: exit code and termination message.
guard_end() {
	fl get pod "$(flagger_pod)" -o jsonpath="{.status.initContainerStatuses[?(@.name=='perch-guard')].state.terminated$1}"
}

# Another Pod of Flagger's, and whether guard in it has ended with CODE, at this try or the one before: the kubelet tries again.
another() { [ -n "$(flagger_pod)" ] && [ "$(flagger_pod)" != "$1" ]; } # a younger one than that POD
another_than() { within 30 another "$1" && flagger_ready 60; }
ended() { guard_tries .exitCode | grep -qw "$1"; }
guard_tries() { fl get pod "$(flagger_pod)" -o jsonpath="{range .status.initContainerStatuses[?(@.name=='perch-guard')]}{.state.terminated$1} {.lastState.terminated$1}{end}"; }
stopped() { # CODE: guard has ended so, and Flagger doesn't start
	within 60 ended "$1" || { guard_tries .exitCode; return 1; }
	[ -z "$(fl get pod "$(flagger_pod)" -o jsonpath='{.status.containerStatuses[*].state.running}{.status.containerStatuses[*].lastState.terminated}')" ]
}
guard_args() { # ARGUMENT...: in another Pod
	local words
	words=$(printf ',"%s"' "$@")
	fl patch deployment flagger --type=strategic -p \
		"{\"spec\":{\"template\":{\"spec\":{\"initContainers\":[{\"name\":\"perch-guard\",\"args\":[\"guard\"$words]}]}}}}" >/dev/null
}
guard_variable() { # NAME VALUE: in another Pod
	fl patch deployment flagger --type=strategic -p \
		"{\"spec\":{\"template\":{\"spec\":{\"initContainers\":[{\"name\":\"perch-guard\",\"env\":[{\"name\":\"$1\",\"value\":\"$2\"}]}]}}}}" >/dev/null
}

# What perch ships, with the release as it is: its account, what it may do, and guard in Flagger's Pod.
install_perch() {
	k apply --server-side -k "$root/hooks/rbac" >/dev/null
	k apply --server-side -k "$root/hooks/policy" >/dev/null
}
install_guard() {
	fl patch deployment flagger --patch-file "$root/hooks/guard/patch.yaml" >/dev/null
}

# --- canaries

field() { k -n "${3:-fleet}" get canary "$1" -o jsonpath="$2"; }
phase() { field "$1" '{.status.phase}' "${2:-fleet}"; }
settled() { # NAME PHASE [SECONDS]
	within "${3:-120}" sh -c "test \"\$(kubectl -n fleet get canary $1 -o jsonpath='{.status.phase}')\" = $2"
}
hashes() { k get canaries -A -o jsonpath='{range .items[*]}{.metadata.namespace}/{.metadata.name}{"\t"}{.status.lastAppliedSpec}{"\t"}{.status.lastPromotedSpec}{"\n"}{end}' | sort; }
image() { # WORKLOAD IMAGE, e.g. deployment/env registry.example/app:2
	k -n "${3:-fleet}" patch "$1" --type=strategic -p "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"$2\"}]}}}}" >/dev/null
}
# Which canaries did the newest Flagger begin to run, each time it did, as NAMESPACE/NAME?
begun() {
	sed -n 's/.*"msg":"New revision detected! \(Scaling up\|Restarting\)[^"]*".*"canary":"\([^".]*\)\.\([^"]*\)".*/\3\/\2/p' "${1:-$(flagger_log)}" | sort
}
# Two ticks of every canary and then some.
ticks() { sleep "${1:-28}"; }

# --- what perch asked of the API, by the audit log, from a mark on: USER VERB RESOURCE[/SUBRESOURCE] NAMESPACE/NAME CODE

audit_mark() { wc -l <"$LAB_RUN/audit.log"; }
asked() { fleet asked "${1:-0}"; }
wrote() { asked "$1" | grep -E ' (create|update|patch|delete) ' | grep -vE ' (create events|create selfsubject)'; }
