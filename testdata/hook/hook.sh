# SPDX-License-Identifier: Apache-2.0
# The commit flow in namespace shop, before and behind what cluster.sh and served.sh make.
#   of APP                  the next target is of this app (Argo CD's label)
#   noise NAME TAG          a template that differs from `image NAME TAG` in a label that policy ignores
#   policy                  <<YAML: rules, in $T/desired/.perch.yaml
#   git NAME TEMPLATE       D, in $T/desired
#   dry NAME ANSWER         what the server makes of D; without it the account may not ask
#   hook PHASE [ARG]…       runs it there with D
# Variables: record, the answer to a GET of guard's ConfigMap; may_list=no: no Deployment of other namespaces.
. ../../cluster.sh
. ../../served.sh
export PERCH_TERMINATION_LOG=$T/termination
mkdir "$T/desired"
record='404 "configmaps "perch-guard" not found"' may_list=yes
of() { labels="app.kubernetes.io/instance: $1"; }
noise() { image "$@" | sed 's/{app: [^}]*/&, chart: "2"/'; }
policy() { cat >"$T/desired/.perch.yaml"; }
git() { desired "$@" && mv "$T/desired.yaml" "$T/desired/$1.yaml"; }
dry() { besides="$besides
PATCH /apis/apps/v1/namespaces/shop/deployments/$1?dryRun=All
  $2"; }
hook() {
	phase=$1
	shift
	asks hook "$phase" -f "$T/desired" "$@"
	echo "# $(sed 's/20[0-9][0-9]-[0-9-]*T[0-9:]*Z/NOW/g' "$T/termination" | head -n 1)"
}
