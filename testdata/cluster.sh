# SPDX-License-Identifier: Apache-2.0
# Makes the dump of a small cluster as a real server, the controllers and Flagger leave it, in
# namespace shop. TEMPLATE is a command that prints spec.template as Git has it; live objects get the
# server's defaults here.
#   flagger TAG [ARG,…]         Flagger's Deployment
#   target NAME TEMPLATE        the live target, parked at 0 replicas
#   primary NAME TEMPLATE       the live primary, with the ConfigMaps and Secrets of $refs renamed; $by owns it, or
#                               only what the template command $wrote prints
#   canary NAME PHASE APPLIED PROMOTED
#   settled NAME RELEASE TEMPLATE  all three as RELEASE left them, Succeeded
#   revision NAME TIME HASH TEMPLATE  a ReplicaSet of the target
#   object                      <<YAML: anything else; `none KIND` says that there is none
#   owner NAME Apply|Update     <<YAML: what NAME owns of the next target or primary
#   hold FOR                    the next canary is held by perch
#   desired NAME TEMPLATE       the target as Git has it, in $T/desired.yaml
#   image NAME TAG              the smallest template
#   hash RELEASE TEMPLATE       RELEASE's hash; `tracked_as`: its checksum of the last object
# Variables, each for the next object: replicas, labels, annotations, spec, refs, wrote (of a workload);
# suspend, tracked, marks (annotations), more (spec), status, since, weight (of a canary); kind and by stay.
# `plan`, `predict`, `explain`, `changes` run the verb, and say an exit code other than 0; `verdict`
# and `action FLOW` say in a line per canary what plan's JSON has; `under_each_holder COMMAND` shows all
# actions on what COMMAND NAME makes.
kind=Deployment by=flagger
server_spec='revisionHistoryLimit: 10
  progressDeadlineSeconds: 600
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}}'
workload_defaults() { replicas=0 labels= annotations= spec= owners= refs= wrote=; }
canary_defaults() {
	suspend=false tracked='{}' marks= holder= more= status= since=2026-01-02T00:00:00Z weight=0
}
workload_defaults
canary_defaults
: >"$T/items"
printf '{"apiVersion":"perch.dev/v1","kind":"ClusterInfo","serverVersion":"v1.36.3"}\n' >"$T/info"

object() {
	cat >"$T/object.yaml"
	perch-test yaml "$T/object.yaml" >"$T/object.json"
	cat "$T/object.json" >>"$T/items"
}

# What Flagger tracks of the ConfigMap or Secret that came last.
tracked_as() { perch-test checksum "$T/object.json"; }

none() { printf '{"apiVersion":"v1","kind":"%sList","items":[]}\n' "$1" >>"$T/info"; }

# The template on standard input, as the server stores it, in one line of JSON.
stored() {
	{
		printf 'apiVersion: apps/v1\nkind: %s\nmetadata: {name: x}\nspec:\n  template:\n' "$kind"
		sed 's/^/    /'
	} >"$T/sent.yaml"
	perch-test apply server-side=x 36 "$T/sent.yaml"
}

workload() {
	cat <<END
apiVersion: apps/v1
kind: $kind
metadata: {name: $1, namespace: shop, uid: uid-$1,
  labels: {$labels}, annotations: {$annotations}, managedFields: [$owners]}
spec:
  replicas: $replicas
  selector: {matchLabels: {app: $1}}
  $server_spec
  $spec
  template: $2
END
}

target() {
	name=$1
	shift
	workload "$name" "$("$@" | stored)" >"$T/object.yaml"
	perch-test yaml "$T/object.yaml" >>"$T/items"
	workload_defaults
}

# Flagger's transform by hand: names with their suffix, its stamp.
transform() {
	renames="s/\"app\":\"$name\"/\"app\":\"$name-primary\"/g"
	for ref in $refs; do
		renames="$renames; s/\"\(name\|secretName\)\":\"$ref\"/\"\1\":\"$ref-primary\"/g"
	done
	stored | sed "$renames" |
		sed 's/^{"metadata":{"annotations":{/&"flagger-id":"7e0c",/; t
			s/^{"metadata":{/&"annotations":{"flagger-id":"7e0c"},/'
}

primary() {
	name=$1
	shift
	[ "$replicas" != 0 ] || replicas=2
	printf 'spec: {template: %s}\n' "$(${wrote:-"$@"} | transform)" >"$T/wrote.json"
	owner "$by" Update <"$T/wrote.json"
	workload "$name-primary" "$("$@" | transform)" >"$T/object.yaml"
	perch-test yaml "$T/object.yaml" >>"$T/items"
	workload_defaults
}

owner() {
	{
		printf 'apiVersion: apps/v1\nkind: %s\n' "$kind"
		grep -v -e '^apiVersion:' -e '^kind:'
	} >"$T/owned.yaml"
	owners="$owners${owners:+, }{manager: $1, operation: $2, apiVersion: apps/v1, time: '2026-01-01T00:00:00Z', fieldsV1: $(perch-test fields "$T/owned.yaml")}"
}

hold() {
	suspend=true
	marks="perch.dev/held-for: $1, perch.dev/held-by: perch, perch.dev/held-at: '2026-01-03T00:00:00Z', perch.dev/held-until: '2026-01-03T02:00:00Z', perch.dev/held-reason: test"
	holder="{manager: perch, operation: Apply, apiVersion: flagger.app/v1beta1, fieldsV1: {f:metadata: {f:annotations: {f:perch.dev/held-for: {}}}, f:spec: {f:suspend: {}}}}"
}

canary() {
	object <<END
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: $1, namespace: shop, uid: uid-canary-$1, annotations: {$marks}, managedFields: [$holder]}
spec: {targetRef: {apiVersion: apps/v1, kind: $kind, name: $1}, suspend: $suspend, service: {port: 80},
  analysis: {interval: 1m, threshold: 5, stepWeight: 10, maxWeight: 50}, $more}
status: {phase: $2, lastAppliedSpec: "$3", lastPromotedSpec: "$4", canaryWeight: $weight, iterations: 0,
  failedChecks: 0, trackedConfigs: $tracked, lastTransitionTime: "$since", $status
  conditions: [{type: Promoted, status: "True", reason: $2, message: m, lastUpdateTime: "$since"}]}
END
	canary_defaults
}

settled() {
	name=$1 release=$2 of_primary=$refs
	shift 2
	target "$name" "$@"
	was=$(hash "$release" "$@")
	canary "$name" Succeeded "$was" "$was"
	refs=$of_primary
	primary "$name" "$@"
}

# The smallest template, of workload $1 with image tag $2.
image() {
	printf 'metadata: {labels: {app: %s}}\nspec: {containers: [{name: %s, image: "registry.example/%s:%s"}]}\n' "$1" "$1" "$1" "$2"
}

desired() {
	name=$1
	shift
	cat >"$T/desired.yaml" <<END
apiVersion: apps/v1
kind: $kind
metadata: {name: $name, namespace: shop, labels: {$labels}, annotations: {$annotations}}
spec:
  $([ "$replicas" = 0 ] || echo "replicas: $replicas")
  selector: {matchLabels: {app: $name}}
  $spec
  template:
$("$@" | sed 's/^/    /')
END
	workload_defaults
}

revision() {
	name=$1 made=$2 label=$3
	shift 3
	object <<END
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: $name-$label, namespace: shop, creationTimestamp: "$made", labels: {app: $name},
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: $name, uid: uid-$name, controller: true}]}
spec:
  template: $("$@" | stored | sed "s/\"labels\":{/&\"pod-template-hash\":\"$label\",/")
END
}

flagger() {
	tag=$1
	shift
	object <<END
apiVersion: apps/v1
kind: Deployment
metadata: {name: flagger, namespace: flagger-system}
spec:
  selector: {matchLabels: {app: flagger}}
  template:
    metadata: {labels: {app: flagger}}
    spec: {containers: [{name: flagger, image: "ghcr.io/fluxcd/flagger:$tag", args: [$*]}]}
END
}

hash() {
	release=$1
	shift
	printf '{"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"x","uid":"x"},"spec":{"template":%s}}\n' "$kind" \
		"$("$@" | stored)" >"$T/hashed.json"
	perch hash --flagger "$release" -o tsv -f "$T/hashed.json" | cut -f 3
}

dump() { cat "$T/info" "$T/items" >"$T/live.json"; }

run() {
	verb=$1
	shift
	dump
	code=0
	perch "$verb" --live "$T/live.json" "$@" >"$T/out" 2>&1 || code=$?
	sed "s#$T/##g" "$T/out"
	[ $code = 0 ] || echo "exit $code"
}
plan() { run plan "$@"; }
predict() { run predict "$@"; }
explain() { run explain "$@"; }
changes() { run diff "$@"; }

# Plan's JSON, an item a line, held against its schema.
json() {
	dump
	perch plan --live "$T/live.json" -o json "$@" >"$T/plan.json" 2>/dev/null || case $? in 1 | 7) ;; *) return 1 ;; esac
	perch-test conforms ../../../docs/schema/plan.json "$T/plan.json"
	grep '^{"namespace"' "$T/plan.json"
}

verdict() {
	json "$@" | sed 's/.*"name":"\([^"]*\)","target.*"verdict":"\([^"]*\)".*"wouldRun":\([a-z]*\),"proof":{\([^}]*\)}.*/\1: \2, wouldRun \3, \4/; s/"//g'
}

action() {
	flow=$1
	shift
	json --flow "$flow" "$@" | sed 's/.*"name":"\([^"]*\)","target.*"verdict":"\([^"]*\)".*"action":{\([^}]*\)}.*/\1 '"$flow"': \2: \3/; s/"//g; s/,text:/ - /'
}

# The same canary under each kind of holder; $1 is the command that makes one of that name.
under_each_holder() {
	make=$1
	shift
	for holder_name in nobody upgrade commit/app policy/app manual others; do
		case $holder_name in
		nobody) ;;
		others) suspend=true ;;
		*) hold $holder_name ;;
		esac
		"$make" "held-by-${holder_name%/app}"
	done
	plan "$@" | head -n 3
	for flow in guard reconcile resume commit; do
		action $flow "$@"
	done
}
