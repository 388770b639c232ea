#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Records for testdata/guard what a real API server answers to a guard in front of namespace shop: the
# fleet as it is, each canary once guard has adopted it, and the ConfigMap. Needs a built perch.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
in_lab api '' "$@"

out=$root/testdata/guard/shop
mkdir -p "$out/after"
k create namespace flagger-system >/dev/null
seed shop
# Its ReplicaSets are as old as this lab; it failed after they were made, as in the dump.
now=$(date -u -d '+1 minute' +%Y-%m-%dT%H:%M:%SZ)
k -n shop patch canary reviews --subresource=status --type=json -p "[
	{\"op\":\"replace\",\"path\":\"/status/conditions/0/lastTransitionTime\",\"value\":\"$now\"},
	{\"op\":\"replace\",\"path\":\"/status/conditions/0/lastUpdateTime\",\"value\":\"$now\"}]" >/dev/null
k -n flagger-system create serviceaccount flagger >/dev/null
k apply -f - >/dev/null <<-Y
	apiVersion: v1
	kind: Pod
	metadata: {name: flagger-1, namespace: flagger-system, labels: {app: flagger}}
	spec:
	  serviceAccountName: flagger
	  containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0", args: [-namespace=shop]}]
Y
get() { k get --raw "$1" >"$out/$2.json"; }
canaries=/apis/flagger.app/v1beta1/namespaces/shop/canaries
get /version version
get "$canaries?limit=500" canaries
for kind in deployments replicasets daemonsets; do get "/apis/apps/v1/namespaces/shop/$kind?limit=500" $kind; done
get "/api/v1/namespaces/shop/services?limit=500" services
get "/api/v1/namespaces/shop/configmaps?limit=500" configmaps
get "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers?limit=500" horizontalpodautoscalers
get /api/v1/namespaces/flagger-system/pods/flagger-1 pod
get "/api/v1/namespaces/flagger-system/pods?limit=500" pods
POD_NAME=flagger-1 POD_NAMESPACE=flagger-system "$perch" guard
for name in $(k -n shop get canaries -o 'jsonpath={.items[*].metadata.name}'); do get "$canaries/$name" "after/$name"; done
get /api/v1/namespaces/flagger-system/configmaps/perch-guard configmap
