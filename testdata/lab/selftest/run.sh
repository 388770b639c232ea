#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lab's own test: the kubelet executes perch and Flagger as a node would, and nothing is left at the end. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
if [ "${1:-}" != inside ]; then
	"$lab/lab.sh" build lab 1.38.0 1.41.0
	code=0
	TMPDIR=$scratch "$lab/lab.sh" run "$here/run.sh" inside || code=$?
	left() { ls -A "$scratch"; grep -las -- "$scratch" /proc/[0-9]*/cmdline || true; }
	nothing_left() { [ -z "$(left)" ]; }
	within 10 nothing_left || { echo "not ok - left behind: $(left)"; code=1; } # what watches over the lab looks every two seconds
	exit $code
fi
needs_containers
says() { grep -qF -- "$2" "$LAB_RUN"/pods/$1.log; } # a container's log, by glob
field() { kubectl get "$1" "$2" -o jsonpath="$3"; }
reads() { [ "$(field "$1" "$2" "$3")" = "$4" ]; } # asks anew at each try of within
both_ready() { [ "$(flagger get deployment flagger -o jsonpath='{.status.readyReplicas}')" = 2 ]; }
flagger() { kubectl -n flagger-system "$@"; }
flagger_pod() { flagger get pods --field-selector=status.phase=Running -o jsonpath='{.items[0].metadata.name}'; }
ready() { flagger rollout status deployment/flagger --timeout=60s; }

kubectl config set-context --current --namespace=selftest >/dev/null
kubectl create namespace selftest >/dev/null
printf '%s=/bin/sh\n' registry.lab/shell@sha256:5e11 >>"$LAB_RUN/images"
within 10 kubectl get serviceaccount default >/dev/null
kubectl apply -f "$here/pods.yaml" >/dev/null

# --- Pods and Jobs of perch, and of a program that tells what it finds

ok "a Job of perch completes" kubectl wait --for=condition=complete --timeout=30s job/perch
ok "its log has perch's version" says 'selftest_perch-*_perch' "perch "
ok "kubectl has it too" test "$(kubectl logs job/perch | head -c 6)" = "perch "
ok "what is written to /dev/termination-log arrives" within 20 reads pod fails '{.status.phase} {.status.containerStatuses[0].state.terminated.exitCode} {.status.containerStatuses[0].state.terminated.message}' "Failed 3 last words"
ok "arguments, variables, volumes, user, root" within 15 says selftest_tells_tells "told everything"
is "each of them as a node gives it" "$(cat "$here/told.txt")" "$(cat "$LAB_RUN/pods/selftest_tells_tells.log")"
ok "a token of the pod's account is taken by the API" within 15 says selftest_tells_asks '"username": "system:serviceaccount:selftest:default"'
ok "the audit log has that request" within 10 grep -q '"/apis/authentication.k8s.io/v1/selfsubjectreviews".*"system:serviceaccount:selftest:default"' "$LAB_RUN/audit.log"
ok "a container waits for what its variables are made of" within 15 reads pod waits '{.status.containerStatuses[0].state.waiting.reason}' CreateContainerConfigError
kubectl create configmap late --from-literal=key=value >/dev/null
ok "and starts beside its sidecar when it comes" kubectl wait --for=jsonpath='{.status.phase}'=Succeeded --timeout=20s pod/waits
ok "an image that the lab doesn't know is called running" kubectl wait --for=condition=ready --timeout=15s pod/unknown
token() { sed -n 's/^token //p' "$LAB_RUN/pods/selftest_tells_lives.log"; }
distinct_tokens() { [ "$(token | sort -u | wc -l)" -ge "$1" ]; }
ok "a short token is replaced" within 20 distinct_tokens 2
"$LAB_SH" pod rotate selftest/tells
ok "and others on request" within 20 distinct_tokens 3

# --- A restart, and an end

"$LAB_SH" pod crash selftest/tells lives
ok "a crash is a restart" within 10 reads pod tells '{.status.containerStatuses[?(@.name=="lives")].lastState.terminated.exitCode}' 137
logged_before() { kubectl logs tells -c lives --previous | grep "$1"; }
ok "the log of the attempt before is kept" within 10 logged_before 'token 1'
"$LAB_SH" pod linger selftest/tells
kubectl delete pod tells --wait=false >/dev/null
sleep 2
ok "a pod whose node can't be reached stays" test -n "$(field pod tells '{.metadata.deletionTimestamp}')"
ok "and its process runs on" kill -0 "$(cat "$LAB_RUN/pods/selftest_tells_lives.pid")"
"$LAB_SH" pod reach selftest/tells
ok "until it can" kubectl wait --for=delete --timeout=10s pod/tells
ok "a process is asked to end" says selftest_tells_lives "asked to end"

# --- Flagger behind its Deployment: an upgrade is a change of the image's tag

"$LAB_SH" deploy 1.38.0 >/dev/null
flagger patch deployment flagger -p '{"spec":{"template":{"spec":{"initContainers":[{"name":"perch","image":"lab/perch:1","args":["version"]}]}}}}' >/dev/null
ok "Flagger is ready" ready
ok "after perch" says 'flagger-system_flagger-*_perch' "perch "
ok "it is the release of its tag" says 'flagger-system_flagger-*_flagger' "Starting flagger version 1.38.0"
kubectl apply -f "$here/canary.yaml" >/dev/null
ok "it makes a canary ready" kubectl wait --for=jsonpath='{.status.phase}'=Initialized --timeout=60s canary/web
ok "as its own account" grep -q '"username":"system:serviceaccount:flagger-system:flagger".*"resource":"canaries"' "$LAB_RUN/audit.log"
flagger set image deployment/flagger flagger=ghcr.io/fluxcd/flagger:9.9.9 >/dev/null
reason() { flagger get pods -o jsonpath='{.items[*].status.containerStatuses[*].state.waiting.reason}' | grep -x "$1"; }
ok "a tag that the lab hasn't isn't pulled" within 20 reason ErrImagePull
echo 'ghcr.io/fluxcd/flagger:9.9.9=flagger:1.41.0' >>"$LAB_RUN/images"
ok "until a scenario says what it is" ready
ok "and then runs" within 10 says 'flagger-system_flagger-*_flagger' "Starting flagger version 1.41.0"
flagger delete deployment flagger --wait >/dev/null
"$LAB_SH" deploy 1.41.0 ha >/dev/null
ok "two replicas are ready" ready
ok "both are counted" within 30 both_ready
ok "one of them leads" within 20 flagger get lease flagger-leader-election -o jsonpath='{.spec.holderIdentity}'

# --- A second node

"$LAB_SH" node second
within 10 kubectl get node second >/dev/null
kubectl cordon lab >/dev/null
pod=$(flagger_pod)
flagger delete pod "$pod" --wait=false >/dev/null
on_second() { flagger get pods -o jsonpath='{.items[*].spec.nodeName}' | grep -w second; }
ok "a pod that was drained is made on the other node" within 20 on_second
ok "and is ready" ready
ok "a CronJob's Job completes" within 70 says 'selftest_every-minute-*_perch' "perch "

finish
