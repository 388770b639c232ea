# SPDX-License-Identifier: Apache-2.0
# Puts what cluster.sh made behind an API server that is only read, worded as the real one does: the items of
# a list of a built-in kind name neither apiVersion nor kind.
#   answers REQUEST ANSWER…   instead of what is there: as in perch-test serve
#   asks VERB [ARG]…          runs perch there: what it says, the requests, and an exit code other than 0
# Variable: space, the namespace of all but Flagger.
space=shop
plural_of() {
	case $1 in
	Canary) echo flagger.app/v1beta1/canaries ;;
	Deployment | DaemonSet | ReplicaSet | ControllerRevision) echo "apps/v1/$(echo "${1}s" | tr A-Z a-z)" ;;
	ConfigMap | Service | Secret) echo "v1/$(echo "${1}s" | tr A-Z a-z)" ;;
	HorizontalPodAutoscaler) echo autoscaling/v2/horizontalpodautoscalers ;;
	esac
}
path() { # KIND NAMESPACE: of its list
	of=$(plural_of "$1")
	case $of in v1/*) api=/api/v1 ;; *) api=/apis/${of%/*} ;; esac
	echo "$api${2:+/namespaces/$2}/${of##*/}"
}
name_of() { printf '%s' "$1" | sed 's/.*"name":"\([^"]*\)","namespace":"[^"]*".*/\1/'; }

list_of() { # KIND, items on standard input
	case $1 in Canary) cat ;; *) sed 's/"apiVersion":"[^"]*",//; s/"kind":"'"$1"'",//' ;; esac |
		paste -s -d, - | sed 's/^/{"kind":"'"$1"'List","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[/; s/$/]}/'
}
answers() {
	printf '%s\n' "$1" >>"$T/instead"
	shift
	printf '  %s\n' "$@" >>"$T/instead"
}
answer() { # REQUEST FILE, unless there is another
	grep -qxF "$1" "$T/instead" || printf '%s\n  200 %s\n' "$1" "$(basename "$2")" >>"$T/exchange"
}
: >"$T/instead"

exchange() {
	cp "$T/instead" "$T/exchange"
	printf '{"major":"1","minor":"36","gitVersion":"v1.36.3"}\n' >"$T/version.json"
	answer 'GET /version' "$T/version.json"
	grep '"name":"flagger"' "$T/items" | list_of Deployment >"$T/flaggers.json" || :
	printf '{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}' >"$T/none.json"
	answer 'GET /apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dflagger' "$T/flaggers.json"
	answer 'GET /apis/apps/v1/deployments?labelSelector=app%3Dflagger%2Capp.kubernetes.io%2Fname%21%3Dflagger' "$T/none.json"
	for kind in keda.sh/v1alpha1/scaledobjects serving.knative.dev/v1/services; do
		printf 'GET /apis/%s\n  404 "the server could not find the requested resource"\n' $kind >>"$T/exchange"
	done
	for kind in Canary Deployment DaemonSet ReplicaSet ControllerRevision ConfigMap Service Secret HorizontalPodAutoscaler; do
		grep "\"kind\":\"$kind\",\"metadata\"" "$T/items" >"$T/$kind" || :
		list_of $kind <"$T/$kind" >"$T/$kind.json"
		answer "GET $(path $kind)" "$T/$kind.json"
		grep -v '"namespace":"flagger-system"' "$T/$kind" | list_of $kind >"$T/$kind-shop.json" || :
		answer "GET $(path $kind $space)" "$T/$kind-shop.json"
		while read -r object; do
			printf '%s\n' "$object" >"$T/$kind-$(name_of "$object").json"
			answer "GET $(path $kind $space)/$(name_of "$object")" "$T/$kind-$(name_of "$object").json"
		done <"$T/$kind"
	done
	# What a canary's name makes perch ask for, where its target is called otherwise.
	for name in $(while read -r object; do name_of "$object"; echo; done <"$T/Canary"); do
		for guess in "$name" "$name-primary"; do
			request="GET $(path Deployment $space)/$guess"
			grep -qxF "$request" "$T/exchange" ||
				printf '%s\n  404 "deployments.apps "%s" not found"\n' "$request" "$guess" >>"$T/exchange"
		done
	done
}

asks() {
	exchange
	code=0
	perch-test serve --sort "$T/exchange" perch "$@" >"$T/out" 2>&1 || code=$?
	sed "s#$T/##g; s/ [0-9]* bytes, [0-9]* ms/ N bytes, N ms/; s/, HTTP.*//" "$T/out"
	[ $code = 0 ] || echo "exit $code"
}

# A fleet: web with two configs and a Secret, api that failed, a DaemonSet, and what no canary uses.
template() {
	printf '{metadata: {labels: {app: %s}}, spec: {containers: [{name: %s, image: "registry.example/%s:%s", envFrom: [{configMapRef: {name: %s-env}}, {secretRef: {name: %s-key}}]}]}}\n' \
		"$1" "$1" "$1" "$2" "$1" "$1"
}
config() { printf '{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: shop}, data: {k: %s}}\n' "$1" "$2" | object; }
secret() { printf '{apiVersion: v1, kind: Secret, type: Opaque, metadata: {name: %s, namespace: shop}, data: {k: %s}}\n' "$1" "$2" | object; }
fleet() {
	flagger 1.38.0
	secret web-key aHVudGVyMg==
	key=$(tracked_as)
	config web-env v
	tracked="{configmap/web-env: $(tracked_as), secret/web-key: $key}" refs='web-env web-key'
	settled web 1.38.0 template web 1
	target api image api 2
	primary api image api 1
	revision api 2026-01-01T00:00:00Z b image api 2
	canary api Failed "$(hash 1.38.0 image api 2)" "$(hash 1.38.0 image api 1)"
	kind=DaemonSet
	settled node 1.37.0 image node 1
	kind=Deployment
	config unused x
	secret unused-key aHVudGVyMw==
	target lone image lone 1
}
