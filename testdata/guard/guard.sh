# SPDX-License-Identifier: Apache-2.0
# Sourced by the cases: guard in the Pod flagger-1, which runs Flagger 1.38.0 with -namespace=shop, against
# what a real API server answered (shop/, by testdata/lab/guard/record.sh). A case sets what differs.
export POD_NAME=flagger-1 POD_NAMESPACE=flagger-system PERCH_TERMINATION_LOG=$T/termination
cp -r ../shop/. "$T"
pod='200 pod.json' pods='200 pods.json' record='404 "configmaps \"perch-guard\" not found"'
canaries='200 canaries.json' deployments='200 deployments.json' hashes=ok publish='201 configmap.json' more=
crd=/apis/flagger.app/v1beta1/namespaces/shop/canaries

exchange() {
	cat <<-X
		GET /api/v1/namespaces/flagger-system/pods/flagger-1
		  $pod
		GET /api/v1/namespaces/flagger-system/pods
		$(printf '%s\n' "$pods" | sed 's/^/  /')
		GET /api/v1/namespaces/flagger-system/configmaps/perch-guard
		  $record
		GET /version
		  200 version.json
		GET $crd
		  $canaries
		GET /apis/apps/v1/namespaces/shop/deployments
		  $deployments
		GET /apis/apps/v1/namespaces/shop/replicasets
		  200 replicasets.json
		GET /api/v1/namespaces/shop/services
		  200 services.json
		GET /api/v1/namespaces/shop/configmaps
		  200 configmaps.json
		GET /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers
		  200 horizontalpodautoscalers.json
		POST /apis/events.k8s.io/v1/namespaces/shop/events
		  201 {"kind":"Event","apiVersion":"events.k8s.io/v1"}
		PATCH /api/v1/namespaces/flagger-system/configmaps/perch-guard
		  $publish
	X
	printf '%s\n' "$more"
	for file in "$T"/after/*.json; do
		name=$(basename "$file" .json)
		printf 'PATCH %s/%s/status\n' "$crd" "$name"
		if [ "$hashes" = ok ]; then echo "  200 after/$name.json"; else echo "  $hashes"; fi
	done
}

# The ConfigMap as release $1 left it.
guarded() { sed "s|1\.38\.0|$1|g; s|\"k8s\":\"0.30\"|\"k8s\":\"$2\"|" ../shop/configmap.json >"$T/guarded.json"; record='200 guarded.json'; }
# The Pod, with another image.
image() { sed "s|ghcr.io/fluxcd/flagger:1.38.0|$1|g" ../shop/pod.json >"$T/pod.json"; }
# Another Flagger's Pod, NAME RELEASE STATE, in the list of Pods FILE.
other() {
	sed "s|flagger-1|$1|g; s|flagger:1.38.0|flagger:$2|g; s|\"status\":{|\"status\":{\"containerStatuses\":[{\"name\":\"flagger\",\"state\":$3}],|" \
		../shop/pods.json >"$T/$4"
}

# What it said and what it wrote; times are masked.
guard() {
	exchange >"$T/exchange"
	code=0
	perch-test serve --writes "$T/exchange" perch guard "$@" >"$T/out" 2>&1 || code=$?
	sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g; s/"reportingInstance":"[^"]*"/"reportingInstance":"HOST"/' "$T/out"
	echo "exit $code"
}
termination() { cat "$T/termination"; }
