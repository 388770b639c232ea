# SPDX-License-Identifier: Apache-2.0
# The writes of an action, on a cluster made by cluster.sh.
#   writes FLOW[:ASK] [options]   the requests as data
#   would FLOW[:ASK] [options]    what a dry run on the client says
. ../../cluster.sh
listed() {
	{
		printf '{"apiVersion":"v1","kind":"List","items":['
		sed 's/"uid":"uid-canary-[^"]*"/&,"resourceVersion":"41"/' "$T/items" | paste -sd ,
		printf ']}\n'
	} >"$T/list.json"
}
writes() {
	flow=$1
	shift
	listed
	echo "# $flow $*"
	perch-test act show "$flow" "$@" "$T/list.json"
}
would() {
	flow=$1
	shift
	listed
	echo "# $flow $*"
	perch-test act client "$flow" "$@" "$T/list.json"
}
# A canary of the next hold, as every holder in turn would have it.
under_holders() { # COMMAND
	for held in nobody upgrade commit/app policy/app manual others; do
		case $held in
		nobody) ;;
		others)
			suspend=true
			holder='{manager: kubectl-edit, operation: Update, apiVersion: flagger.app/v1beta1, fieldsV1: {f:spec: {f:suspend: {}}}}'
			;;
		*) hold $held ;;
		esac
		"$1" "held-by-${held%/app}"
	done
}
