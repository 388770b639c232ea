# SPDX-License-Identifier: Apache-2.0
# Puts what cluster.sh made behind an API server, in namespace shop, as that lists it and answers writes.
#   served                 what cluster.sh has made so far: lists, and each object by its name
#   now NAME SED           canary NAME changes: a new resourceVersion, and SED on its JSON
#   lists | gets NAME      the next answer to a list of canaries, or to a GET of one: how it is now
#   patches NAME           the next answer to a write of spec or metadata: how it is now
#   patches NAME/status    the same of its status
#   takes NAME             writes of it are stored, as a server does; `relist`: the next list has them
#   answers WHAT ANSWER    the next answer to canaries, a canary, or a write of it: as in perch-test serve
#   asks VERB [ARG]…       runs perch there; prints what it says, its writes, and an exit code other than 0
# Variables: besides, more of the exchange; pods, the Pods of Flagger (JSON with commas between), may_list_pods=no. `released` and `adopted_as
# HASH` are for SED: perch's hold is gone, both hashes are this one.
pods= may_list_pods=yes besides=
canaries=/apis/flagger.app/v1beta1/namespaces/shop/canaries
released='s/"annotations":{[^}]*}/"annotations":{}/; s/"managedFields":\[.*\],"name"/"managedFields":[],"name"/; s/"suspend":true/"suspend":false/'
adopted_as() { echo "s/\"lastAppliedSpec\":\"[^\"]*\"/\"lastAppliedSpec\":\"$1\"/; s/\"lastPromotedSpec\":\"[^\"]*\"/\"lastPromotedSpec\":\"$1\"/"; }

of_kind() { grep "^{\"apiVersion\":\"[^\"]*\",\"kind\":\"$1\"" "$T/items" | grep -v '"name":"flagger"' || :; }
list() { printf '{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":"9"},"items":['; paste -s -d, -; printf ']}\n'; }
name_of() { printf '%s' "$1" | sed 's/.*"name":"\([^"]*\)","namespace":"shop".*/\1/'; }

served() {
	mkdir "$T/next"
	of_kind Canary | sed 's/"uid":"uid-canary-/"resourceVersion":"1",&/' >"$T/now"
	lists
	while read -r object; do gets "$(name_of "$object")"; done <"$T/now"
	for of in Deployment DaemonSet ReplicaSet ControllerRevision; do
		of_kind $of >"$T/of-kind"
		list <"$T/of-kind" >"$T/$of.json"
		while read -r object; do
			printf '%s\n' "$object" >"$T/$of-$(name_of "$object").json"
		done <"$T/of-kind"
	done
	grep '"name":"flagger"' "$T/items" >"$T/flagger.json" || :
	list <"$T/flagger.json" >"$T/flaggers.json"
}

now() { sed -i "/\"name\":\"$1\",\"namespace\"/{s/\"resourceVersion\":\"\([0-9]*\)\"/\"resourceVersion\":\"1\1\"/; $2
}" "$T/now"; }
keep() { echo >>"$T/states"; n=$(grep -c ^ "$T/states"); cat >"$T/$n.json"; echo "  200 $n.json"; }
next() { echo "$T/next/$(echo "$1" | tr / +)"; }
lists() { list <"$T/now" | keep >>"$(next canaries)"; }
gets() { grep "\"name\":\"$1\",\"namespace\"" "$T/now" | keep >>"$(next "$1")"; }
patches() { grep "\"name\":\"${1%/status}\",\"namespace\"" "$T/now" | keep >>"$(next "PATCH/$1")"; }
takes() {
	grep "\"name\":\"$1\",\"namespace\"" "$T/now" >"$T/stored-$1.json"
	echo "  200 merged=stored-$1.json" |
		tee "$(next "$1")" "$(next "PATCH/$1")" >"$(next "PATCH/$1/status")"
}
relist() {
	while read -r object; do
		file=$T/stored-$(name_of "$object").json
		if [ -f "$file" ]; then cat "$file"; else printf '%s\n' "$object"; fi
	done <"$T/now" >"$T/then"
	mv "$T/then" "$T/now"
	rm -f "$T/next/canaries"
	lists
}
answers() { echo "  $2" >>"$(next "$1")"; }

exchange() {
	printf 'GET /version\n  200 {"gitVersion":"v1.36.3"}\n'
	printf 'GET /apis/apps/v1/deployments?labelSelector=app.kubernetes.io%%2Fname%%3Dflagger\n  200 {"items":[]}\n'
	printf 'GET /apis/apps/v1/deployments\n  200 flaggers.json\n'
	[ ! -s "$T/flagger.json" ] || printf 'GET /apis/apps/v1/namespaces/flagger-system/deployments/flagger\n  200 flagger.json\n'
	printf '{"items":[%s]}' "$pods" >"$T/pods.json"
	printf 'GET /api/v1/namespaces/flagger-system/pods\n'
	if [ $may_list_pods = yes ]; then echo '  200 pods.json'; else
		echo '  403 "pods is forbidden: User "perch" cannot list resource "pods" in API group "" in the namespace "flagger-system""'
	fi
	for of in Deployment DaemonSet ReplicaSet ControllerRevision; do
		path=/apis/apps/v1/namespaces/shop/$(echo "${of}s" | tr A-Z a-z)
		printf 'GET %s\n  200 %s.json\n' "$path" $of
		for file in "$T/$of"-*.json; do
			[ ! -f "$file" ] || printf 'GET %s/%s\n  200 %s\n' "$path" "$(basename "${file#"$T/$of-"}" .json)" "$(basename "$file")"
		done
	done
	echo 'POST /apis/events.k8s.io/v1/namespaces/shop/events
  201 {"kind":"Event"}'
	printf '%s\n' "$besides"
	for file in "$T/next"/*; do
		what=$(basename "$file" | tr + /)
		case $what in
		canaries) echo "GET $canaries" ;;
		PATCH/*) echo "PATCH $canaries/${what#PATCH/}" ;;
		*) echo "GET $canaries/$what" ;;
		esac
		cat "$file"
	done
}

asks() {
	exchange >"$T/exchange"
	code=0
	perch-test serve --writes "$T/exchange" perch "$@" -n shop >"$T/out" 2>&1 || code=$?
	grep -v '^POST ' "$T/out" | sed "s#$T/##g; s/2026-01-/2026.01-/g; s/20[0-9][0-9]-[0-9-]*T[0-9:]*Z/NOW/g; s/2026.01-/2026-01-/g; s/\(perch [a-z ]*\) ([^)]*)\"/\1 (HOST)\"/g"
	[ $code = 0 ] || echo "exit $code"
}
