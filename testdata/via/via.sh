# SPDX-License-Identifier: Apache-2.0
# Holds by way of a ConfigMap, on a cluster made by cluster.sh and served by served.sh.
#   in_git [suspend] [skipAnalysis]   the next canary's manifest names these: Flux's controller owns them
#   record NAME JSON                  what the ConfigMap says of shop/NAME, after its "canary": members of JSON
#   variable KEY VALUE                one of its data; each is perch's
#   map                               the ConfigMap of these is what the server has: reads have it, writes are stored
#   reads                             the next read has it as it is here
#   reads_none                        … has none; `writes ANSWER`: the next write is answered so
#   flux NAME BOOLEAN [LOOKS]         after so many reads of the canary (1) Flux has applied suspend: BOOLEAN
#   by_map VERB [ARG]…                as `asks`; after it, reads and writes are forgotten
. ../../cluster.sh
. ../../served.sh
configmap=/api/v1/namespaces/shop/configmaps/perch-holds
: >"$T/data"
map_gets= map_patches= versions=0

in_git() {
	owned=
	for field in "$@"; do owned="$owned${owned:+, }f:$field: {}"; done
	holder="{manager: kustomize-controller, operation: Apply, apiVersion: flagger.app/v1beta1, fieldsV1: {f:spec: {$owned}}}"
}
variable() { printf '%s\t%s\n' "$1" "$2" >>"$T/data"; }
record() { variable "perch_held_$(echo "$1" | tr .- __)" "{\"canary\":\"shop/$1\"$2}"; }
map() {
	versions=$((versions + 1))
	{
		printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: perch-holds, namespace: shop, uid: uid-map, resourceVersion: "7%s",\n' $versions
		printf '  labels: {reconcile.fluxcd.io/watch: Enabled},\n  managedFields: [{manager: perch, operation: Apply, apiVersion: v1, fieldsV1: {f:data: {f:perch_holds: {}'
		cut -f 1 "$T/data" | sed 's/.*/, f:&: {}/' | tr -d '\n'
		printf "}}}]}\ndata:\n  perch_holds: '1'\n"
		sed "s/\t/: '/; s/^/  /; s/$/'/" "$T/data"
	} >"$T/map.yaml"
	perch-test yaml "$T/map.yaml" >"$T/map.json"
}
reads() {
	cp "$T/map.json" "$T/map-$versions.json"
	map_gets="$map_gets
  200 map-$versions.json"
}
reads_none() { map_gets="$map_gets
  404 \"configmaps perch-holds not found\""; }
writes() { map_patches="$map_patches
  $1"; }
flux() {
	: >"$(next "$1")"
	for look in $(seq "${3:-1}"); do gets "$1"; done
	now "$1" "s/\"suspend\":[a-z]*/\"suspend\":$2/"
	gets "$1"
}
by_map() {
	besides="GET $configmap$map_gets
  200 merged=map.json
PATCH $configmap$map_patches
  200 merged=map.json"
	asks "$@" | sed -E 's/\(([^()]*)\)\\"/(HOST)\\"/g; s/ [0-9]+d +/ AGE /; s/^PATCH /\n&/'
	map_gets= map_patches=
}
