#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# perch behind a proxy that kills or ends it at every request, and that answers in the API server's stead:
#   run.sh [killed | ended | recovered | refused | secrets]...
# Three canaries as real Flagger 1.37.0 left them: cart is proved unchanged, web isn't, reviews is Failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../guard/lib.sh"
[ $# -gt 0 ] || set -- killed ended recovered refused secrets
in_lab api '' "$@"
shift

k create namespace flagger-system >/dev/null
seed shop
s() { k -n shop "$@"; }
s get canaries -o name | grep -vE '/(cart|web|reviews)$' | xargs kubectl -n shop delete --wait=false >/dev/null
s patch deployment web-primary --field-manager=someone --type=merge \
	-p '{"spec":{"template":{"metadata":{"annotations":{"example.com/restarted":"yes"}}}}}' >/dev/null
s patch canary web --subresource=status --field-manager=flagger --type=merge \
	-p '{"status":{"lastAppliedSpec":"5d7f","lastPromotedSpec":"5d7f"}}' >/dev/null
# Seeding has made its ReplicaSets younger than the run that failed.
s patch canary reviews --subresource=status --field-manager=flagger --type=json \
	-p '[{"op":"replace","path":"/status/conditions/0/lastUpdateTime","value":"2099-01-01T00:00:00Z"}]' >/dev/null
k -n flagger-system create serviceaccount flagger >/dev/null
flagger='containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:1.38.0", args: [-namespace=shop]}]'
k apply -f - >/dev/null <<-Y
	apiVersion: v1
	kind: Pod
	metadata: {name: flagger-1, namespace: flagger-system, labels: {app: flagger}}
	spec: {serviceAccountName: flagger, $flagger}
	---
	apiVersion: apps/v1
	kind: Deployment
	metadata: {name: flagger, namespace: flagger-system, labels: {app: flagger}}
	spec:
	  selector: {matchLabels: {app: flagger}}
	  template: {metadata: {labels: {app: flagger}}, spec: {serviceAccountName: flagger, $flagger}}
Y
k -n flagger-system patch deployment flagger --subresource=status -p '{"status":{"observedGeneration":1}}' >/dev/null
tool faults
faults "$perch" "$@"
