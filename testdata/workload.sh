# SPDX-License-Identifier: Apache-2.0
# Builds the Git and the live object of a case from pod spec fragments, so that a case shows only
# what it is about. The init container `&c` and the pod have their defaults spelled out: a fragment
# begins at the pod spec, a container in it is `{<<: *c, name: web, ...}`.
#   desired, live       <<fragment: the object from Git, the live one
#   last_applied        <<fragment: what kubectl noted on the live object; before live
#   owner NAME Apply|Update  <<fragment: what NAME owns of the live object; before live
#   changes APPLIER [MINOR]  what the apply changes, leaves to others, notes and warns about
# Variables: kind, meta (of the template), spec (the rest of the object's spec), annotations.
kind=Deployment meta='{labels: {app: web}}' annotations= owners= time=10
spec='replicas: 1
  revisionHistoryLimit: 10
  progressDeadlineSeconds: 600
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}}'

workload() {
	cat <<END
apiVersion: apps/v1
kind: $kind
metadata: {name: web, namespace: shop, annotations: {$annotations}, managedFields: [$owners]}
spec:
  selector: {matchLabels: {app: web}}
  $spec
  template:
    metadata: $meta
    spec:
      initContainers:
      - &c
        {name: init, image: "x:1", imagePullPolicy: IfNotPresent,
         terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File}
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
END
	sed 's/^/      /'
}

# Just the fragment, as an applier sends it.
sent() {
	cat <<END
apiVersion: apps/v1
kind: $kind
metadata: {name: web, namespace: shop}
spec:
  template:
    metadata: $meta
    spec:
END
	sed 's/^/      /'
}

plain() { owners= annotations= workload | sed 's/, annotations: {}, managedFields: ..}$/}/'; }
desired() { plain >"$T/desired.yaml"; }
live() { workload >"$T/live.yaml"; }

last_applied() {
	plain >"$T/last.yaml"
	annotations="kubectl.kubernetes.io/last-applied-configuration: '$(perch-test yaml "$T/last.yaml")'"
}

owner() {
	sent >"$T/sent.yaml"
	time=$((time + 1))
	owners="$owners${owners:+, }{manager: $1, operation: $2, time: '2026-01-01T00:00:${time}Z', fieldsV1: $(perch-test fields "$T/sent.yaml")}"
}

changes() {
	perch-test diff "$1" "${2:-36}" "$T/desired.yaml" "$T/live.yaml" || {
		code=$?
		[ $code = 1 ] || return $code
	}
}
