# SPDX-License-Identifier: Apache-2.0
# `perch doctor` against a recorded cluster that has nothing but what a case puts there.
#   there PATH <<YAML         one more object in the list at this path, below /apis or /api
#   answers REQUEST ANSWER    instead of what is there, as in perch-test serve
#   empty                     nothing is there any more
#   examines [ARG]…           runs perch doctor: what it finds of $check (all, where that is empty), the requests
#                             where $requests is yes, and an exit code other than 0 and 1
# Variables: rights, the rules of a SelfSubjectRulesReview (JSON with commas between); incomplete.
check=$(basename "$PWD") requests= incomplete=false
all='{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}'
rights=$all
not_found() { echo '{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"message":"not found","details":{"name":"x"}}'; }
lists='apis/flagger.app/v1beta1/canaries apis/apps/v1/deployments apis/apps/v1/daemonsets api/v1/services
apis/batch/v1/jobs apis/batch/v1/cronjobs apis/argoproj.io/v1alpha1/applications
apis/kustomize.toolkit.fluxcd.io/v1/kustomizations apis/helm.toolkit.fluxcd.io/v2/helmreleases
apis/source.toolkit.fluxcd.io/v1/ocirepositories'
crd=apis/apiextensions.k8s.io/v1/customresourcedefinitions/canaries.flagger.app
binding=apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/perch-fields
rules=apis/authorization.k8s.io/v1/selfsubjectrulesreviews

empty() { rm -rf "$T/there"; mkdir "$T/there"; : >"$T/instead"; }
empty
there() {
	cat >"$T/object.yaml"
	perch-test yaml "$T/object.yaml" >>"$T/there/$(echo "$1" | tr / +)"
}
answers() { printf '%s\n  %s\n' "$1" "$2" >>"$T/instead"; }
unless_answered() { grep -qxF "$1" "$T/instead" || printf '%s\n  %s\n' "$1" "$2" >>"$T/exchange"; }
of_list() { # PATH FILE
	{ printf '{"kind":"List","metadata":{"resourceVersion":"9"},"items":['; paste -s -d, "$2"; printf ']}'; } | tr -d '\n' >"$2.json"
	unless_answered "GET /$1" "200 there/$(basename "$2").json"
}
exchange() {
	cp "$T/instead" "$T/exchange"
	for path in $lists; do
		: >>"$T/there/$(echo "$path" | tr / +)"
	done
	unless_answered "GET /$crd" '200 {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"canaries.flagger.app"},"spec":{"versions":[{"name":"v1beta1","schema":{"openAPIV3Schema":{"x-kubernetes-preserve-unknown-fields":true}}}]}}'
	unless_answered "GET /$binding" "404 $(not_found)"
	unless_answered "POST /$rules" "201 {\"status\":{\"incomplete\":$incomplete,\"resourceRules\":[$rights]}}"
	for file in "$T/there"/*; do
		case $file in *.json) ;; *) of_list "$(basename "$file" | tr + /)" "$file" ;; esac
	done
	# Of one namespace there is nothing but what is answered.
	printf 'GET %s\n  200 {"items":[]}\n' '/apis/*/*/namespaces/*/*' '/api/v1/namespaces/*/*' >>"$T/exchange"
}
examines() {
	exchange
	code=0
	perch-test serve --sort ${show:+--show $show} "$T/exchange" perch doctor "$@" >"$T/out" 2>&1 || code=$?
	sed "s#$T/##g" "$T/out" >"$T/said"
	[ "$requests" = yes ] || sed -i '/^\(GET\|POST\) \//d' "$T/said"
	if [ -n "$check" ]; then
		grep "^$check	" "$T/said" >"$T/found" || echo '  nothing'
		cut -f 3,4,7 "$T/found" | tr '\t' ' ' | sed 's/^/  /'
	else
		cat "$T/said"
	fi
	case $code in 0 | 1) ;; *) echo "exit $code" ;; esac
}
