# SPDX-License-Identifier: Apache-2.0
# Holds by way of a ConfigMap, on a cluster made by cluster.sh and served by served.sh.
#   in_git [suspend] [skipAnalysis]   the next canary's manifest names these: Flux's controller owns them
#   record NAME JSON                  what the ConfigMap says of shop/NAME, after its "canary": members of JSON
#   variable KEY VALUE                one of its data; each is perch's
#   map                               the ConfigMap of these, as the next answer to a GET
#   no_map                            it isn't there
#   map_takes                         the next answer to a write of it: it, with what was sent
#   map_answers ANSWER                the same by itself
#   map_is_taken                      from then on a GET has what was sent
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
	perch-test yaml "$T/map.yaml" >"$T/map-$versions.json"
	map_gets="$map_gets
  200 map-$versions.json"
}
no_map() { map_gets="$map_gets
  404 \"configmaps perch-holds not found\""; }
map_takes() { map_patches="$map_patches
  200 merged map-$versions.json"; }
map_answers() { map_patches="$map_patches
  $1"; }
by_map() {
	besides="GET $configmap$map_gets"
	[ -z "$map_patches" ] || besides="$besides
PATCH $configmap$map_patches"
	asks "$@" | sed 's/(\([^()]*\))\\"/(HOST)\\"/g; s/^PATCH [^ ]*/\n&/'
}
