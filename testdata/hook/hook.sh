# SPDX-License-Identifier: Apache-2.0
# The commit flow in namespace shop, on what cluster.sh and served.sh make.
#   of APP                  the next target is of this app (the common label)
#   noise NAME TAG          `image NAME TAG` with a label that the policy of `rules` ignores; `kept` and `shipped` give
#                           an env that it holds or ships
#   rules                   that policy, beside D
#   git NAME TEMPLATE       D, in $T/desired
#   still NAME OLD          a canary whose target is what is promoted (a command in one word)
#   live NAME OLD NEW       a canary whose target is NEW, and OLD (each a command in one word) what is promoted, $phase
#   synced NAME TEMPLATE    the sync applies it: the target is that now
#   may_not_ask             the account may not ask for dry runs
#   hook PHASE [ARG]…       runs it there with D, and says what the termination message says
# Variables: record, the answer to a GET of guard's ConfigMap; may_list=no: no Deployments but the namespace's;
# deployments, another answer to their list.
. ../../cluster.sh
. ../../served.sh
export PERCH_TERMINATION_LOG=$T/termination
mkdir "$T/desired"
record='404 "configmaps "perch-guard" not found"' may_list=yes deployments= phase=Succeeded
of() { labels="app.kubernetes.io/instance: $1"; }
noise() { image "$@" | sed 's/{app: [^}]*/&, chart: "2"/'; }
with_env() { image "$1" "$2" | sed "s/image: [^}]*/&, env: [{name: $3, value: \"2\"}]/"; }
kept() { with_env "$@" KEPT; }
shipped() { with_env "$@" SHIPPED; }
rules() {
	cat >"$T/desired/.perch.yaml" <<-Y
		rules:
		  - {match: {paths: [spec.template.metadata.labels.chart]}, action: ignore}
		  - {match: {paths: ["spec.template.spec.containers[*].env[KEPT]"]}, action: hold}
		  - {match: {paths: ["spec.template.spec.containers[*].env[SHIPPED]"]}, action: ship}
	Y
}
git() {
	desired "$@"
	mv "$T/desired.yaml" "$T/desired/$1.yaml"
}
applied() {
	{
		printf 'spec:\n  template:\n'
		"$@" | sed 's/^/    /'
	} >"$T/applied.yaml"
	owner argocd-controller Apply <"$T/applied.yaml"
}
still() {
	live "$1" "$2" "$2"
}
live() {
	applied $3
	target "$1" $3
	was=$(hash 1.38.0 $2)
	canary "$1" "$phase" "$was" "$was"
	primary "$1" $2
}
synced() {
	of=$(cat "$T/Deployment-$1.json")
	name=$1
	shift
	printf '%s\n' "${of%\"template\":*}\"template\":$("$@" | stored)}}" >"$T/Deployment-$name.json"
	cat "$T"/Deployment-*.json | list >"$T/Deployment.json"
}
may_not_ask() {
	besides="$besides
PATCH /apis/apps/v1/namespaces/shop/deployments/*
  403 \"deployments.apps \"cart\" is forbidden: User \"perch\" cannot patch resource \"deployments\" in API group \"apps\" in the namespace \"shop\"\""
}
exchange_of_hook() {
	printf 'GET /api/v1/namespaces/flagger-system/configmaps/perch-guard\n  %s\n' "$record"
	[ $may_list = yes ] || cat <<-X
		GET /apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dflagger
		  403 "deployments.apps is forbidden: User "perch" cannot list resource "deployments" in API group "apps" at the cluster scope"
		GET /apis/apps/v1/deployments?labelSelector=app%3Dflagger%2Capp.kubernetes.io%2Fname%21%3Dflagger
		  403 "deployments.apps is forbidden: User "perch" cannot list resource "deployments" in API group "apps" at the cluster scope"
	X
	[ -z "$deployments" ] || printf 'GET /apis/apps/v1/namespaces/shop/deployments?limit=500\n  %s\n' "$deployments"
}
hook() {
	step=$1
	shift
	mine=$besides
	besides="$besides
$(exchange_of_hook)"
	: >"$T/termination"
	asks hook "$step" -f "$T/desired" "$@" | sed 's/,"perch.dev.undo":"\(\\.\|[^"\]\)*"//; s/^\(PATCH [^ ]*deployments[^ ]*\) .*/\1/; s#/apis/flagger.app/v1beta1/namespaces/shop/##; s/?fieldManager=perch[^ ]*//'
	besides=$mine
	sed 's/20[0-9][0-9]-[0-9-]*T[0-9:]*Z/NOW/g; '"s#$T/##g"'; 1s/^/# /; 2,$d' "$T/termination"
}
