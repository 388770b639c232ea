#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real etcd, kube-apiserver, its controllers and Flagger on loopback, built from Go modules.
#   lab.sh build [api | lab | flagger | loadtester | RELEASE]...   build what isn't cached (default: lab)
#   lab.sh up [api]                                    start; `api` leaves out controllers and kubelet
#   lab.sh flagger RELEASE [FLAG]... | stop            start Flagger as a process, or replace the running one: an upgrade
#   lab.sh deploy RELEASE [ha]                         the same as a Deployment, which the kubelet executes (ha: two replicas)
#   lab.sh pod VERB NAMESPACE/POD [CONTAINER]          crash, pause, continue: its processes; linger, reach: its node can't be
#                                                      reached, so it stays Terminating, or can be again; rotate: its tokens
#   lab.sh node NAME                                   a second node
#   lab.sh user NAME [GROUP]...                        a client certificate; prints the path of its kubeconfig
#   lab.sh port                                        a free port
#   lab.sh howto                                       how to use the lab that is up
#   lab.sh down                                        stop everything, and remove its folder
#   lab.sh run [api --] COMMAND [ARG]...               up, COMMAND with the environment below, and down whatever happens
# State, logs and credentials live in $LAB_RUN; each lab has its own folder and ports, so several can run side by side.
# COMMAND sees `fleet` and `kubectl` on its PATH, LAB_SH, LAB_RUN, LAB_SERVER, LAB_CA, LAB_CERT, LAB_KEY and KUBECONFIG (also in $LAB_RUN/env).
# Binaries are cached in $PERCH_LAB_CACHE, one folder per module, keyed by the hash of its files.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}
kube_version=v1.36.3

die() { echo "lab: $*" >&2; exit 1; }

# --- binaries

key() { (cd "$here/$1" && find . -name '*.go' -o -name 'go.*' -o -name '*.yaml' | LC_ALL=C sort | xargs cat; go env GOVERSION) | sha256sum | cut -c1-16; }
folder() { echo "$cache/$1-$(key "$1")"; }

build_module() { # MODULE BINARY [go build argument]...
	local module=$1 binary=$2 into started
	shift 2
	into=$(folder "$module")
	[ -x "$into/$binary" ] && return
	started=$SECONDS
	mkdir -p "$into"
	(cd "$here/$module" && go build -mod=readonly -o "$into/$binary.new" "$@")
	mv "$into/$binary.new" "$into/$binary"
	echo "lab: built $binary of $module in $((SECONDS - started)) s" >&2
}

# client-go makes the field manager from the binary's name: it must be called flagger.
build_flagger() { # 1.38
	local module=flagger-$1 source
	[ -d "$here/$module" ] || die "no module for Flagger $1"
	build_module "$module" flagger github.com/fluxcd/flagger/cmd/flagger
	[ -f "$(folder "$module")/account.yaml" ] && return
	source=$(cd "$here/$module" && go list -m -f '{{.Dir}}' github.com/fluxcd/flagger)
	install -m 644 "$source/artifacts/flagger/account.yaml" "$source/artifacts/flagger/crd.yaml" "$(folder "$module")"
}

build() {
	local what x=k8s.io/component-base/version
	for what in "${@:-lab}"; do
		case $what in
		api)
			# Without a version from the linker /version is not semver, and Flagger exits at start.
			build_module kube kube -ldflags "-s -w -X $x.gitVersion=$kube_version -X $x.gitMajor=1 -X $x.gitMinor=36" .
			for name in kube-apiserver kube-controller-manager; do ln -sf kube "$(folder kube)/$name"; done
			build_module etcd etcd go.etcd.io/etcd/server/v3
			;;
		lab) build api; build_module kubelet kubelet .; build_module fleet fleet .; build_module kubectl kubectl . ;;
		loadtester) build_module flagger-1.44 loadtester github.com/fluxcd/flagger/cmd/loadtester ;;
		flagger) for r in "$here"/flagger-*/; do r=${r%/}; build_flagger "${r##*-}"; done ;;
		1.*) build_flagger "$(echo "$what" | cut -d. -f1,2)" ;;
		*) die "nothing to build called '$what'" ;;
		esac
	done
}

# --- processes

start() { # NAME COMMAND...
	local name=$1
	shift
	setsid "$@" >"$LAB_RUN/$name.log" 2>&1 </dev/null &
	echo $! >"$LAB_RUN/$name.pid"
}

stop() { # NAME
	local pid
	[ -f "$LAB_RUN/$1.pid" ] || return 0
	pid=$(cat "$LAB_RUN/$1.pid")
	rm -f "$LAB_RUN/$1.pid"
	kill "$pid" 2>/dev/null || return 0
	for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
	kill -9 "$pid" 2>/dev/null || true
}

# Below the kernel's ephemeral range, so that no client's outgoing port is in the way.
free_port() {
	local port
	while :; do
		port=$((20000 + RANDOM % 12000))
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
	done
}

certificate() { # NAME SUBJECT
	openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "$1.key" -out "$1.csr" 2>/dev/null
	openssl x509 -req -days 30 -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -out "$1.crt" \
		-extfile <(echo 'subjectAltName=IP:127.0.0.1,DNS:kubernetes.default.svc') 2>/dev/null
	rm -f "$1.csr"
}

certificates() {
	openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=lab-ca -keyout ca.key -out ca.crt 2>/dev/null
	certificate server /CN=kube-apiserver
	certificate admin /O=system:masters/CN=admin
	openssl genrsa -out sa.key 2048 2>/dev/null
}

kubeconfig() { # USER
	cat <<-K
	apiVersion: v1
	kind: Config
	clusters: [{name: lab, cluster: {server: "$LAB_SERVER", certificate-authority: $LAB_RUN/ca.crt}}]
	users: [{name: $1, user: {client-certificate: $LAB_RUN/$1.crt, client-key: $LAB_RUN/$1.key}}]
	contexts: [{name: lab, context: {cluster: lab, user: $1}}]
	current-context: lab
	K
}

environment() {
	cat <<-E
	export LAB_SH=$here/lab.sh PATH=$(folder fleet):$(folder kubectl):\$PATH
	export LAB_RUN=$LAB_RUN LAB_SERVER=$LAB_SERVER LAB_CA=$LAB_CA LAB_CERT=$LAB_CERT LAB_KEY=$LAB_KEY KUBECONFIG=$LAB_RUN/kubeconfig
	E
}

# Which binary the kubelet takes for an image; a scenario adds lines of its own.
images() {
	local module release
	echo "perch=${PERCH_BINARY:-$root/perch}"
	for module in "$here"/flagger-*/; do
		module=$(basename "$module")
		release=$(sed -n 's/.*github.com\/fluxcd\/flagger v\([0-9.]*\).*/\1/p' "$here/$module/go.mod")
		echo "flagger:$release=$(folder "$module")/flagger"
	done
	echo "loadtester=$(folder flagger-1.44)/loadtester"
	echo "flagger-loadtester=loadtester"
}

up() {
	local etcd peer api parts=${1:-lab}
	build "$parts"
	[ -z "$(ls -A "$LAB_RUN" 2>/dev/null)" ] || die "'$LAB_RUN' already holds something: lab.sh down removes a lab"
	mkdir -p "$LAB_RUN/pods"
	trap '[ -e "$LAB_RUN/env" ] || down' EXIT # what couldn't start leaves nothing
	cd "$LAB_RUN"
	etcd=http://127.0.0.1:$(free_port) peer=http://127.0.0.1:$(free_port) api=$(free_port)
	LAB_SERVER=https://127.0.0.1:$api LAB_CA=$LAB_RUN/ca.crt LAB_CERT=$LAB_RUN/admin.crt LAB_KEY=$LAB_RUN/admin.key
	certificates
	kubeconfig admin >kubeconfig
	start etcd "$(folder etcd)/etcd" --data-dir etcd --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
		--listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer" --unsafe-no-fsync
	start api "$(folder kube)/kube-apiserver" --etcd-servers="$etcd" --secure-port="$api" --bind-address=127.0.0.1 \
		--tls-cert-file=server.crt --tls-private-key-file=server.key --client-ca-file=ca.crt --authorization-mode=RBAC \
		--service-account-key-file=sa.key --service-account-signing-key-file=sa.key \
		--service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.0.0.0/20 \
		--allow-privileged=true --audit-policy-file="$here/audit.yaml" --audit-log-path=audit.log --audit-log-maxsize=100000
	for _ in $(seq 120); do
		curl -s --cacert ca.crt --cert admin.crt --key admin.key "$LAB_SERVER/readyz" 2>/dev/null | grep -q '^ok$' && break
		kill -0 "$(cat api.pid)" 2>/dev/null || die "kube-apiserver ended: $(tail -1 api.log)"
		sleep 0.25
	done
	environment >env
	[ "$parts" = api ] && return
	start kcm "$(folder kube)/kube-controller-manager" --kubeconfig=kubeconfig --leader-elect=false --secure-port="$(free_port)" \
		--bind-address=127.0.0.1 --service-account-private-key-file=sa.key --root-ca-file=ca.crt \
		--controllers="$(controllers)"
	images >images
	"$(folder kubelet)/kubelet" check 2>kubelet-check.log || echo "lab: no container can be executed: $(cat kubelet-check.log)" >&2
	start kubelet "$(folder kubelet)/kubelet" -kubeconfig=kubeconfig -run=. -schedule
}

howto() {
	local here=${here#"$PWD/"} run=${LAB_RUN#"$PWD/"} perch
	perch=$(sed -n 's/^perch=//p' "$LAB_RUN/images")
	cat <<-H
	The lab is up. In a shell:
	  . $run/env
	      kubectl and fleet on the PATH, KUBECONFIG
	  $here/lab.sh deploy 1.38.0
	      Flagger in flagger-system, RBAC and CRD
	  kubectl create namespace selftest; kubectl apply -f $here/selftest/canary.yaml
	      a canary
	  ${perch/#"$PWD"/.} plan -A
	      what perch says; a container of an image whose last name is perch runs this file too
	  $here/lab.sh build 1.41.0 && kubectl -n flagger-system set image deployment/flagger flagger=ghcr.io/fluxcd/flagger:1.41.0
	      an upgrade
	  $here/lab.sh down
	      the end of it
	What containers print is in $run/pods, who asked for what in $run/audit.log.
	H
}

controllers() {
	local c=deployment,replicaset,daemonset,endpoints,endpointslice,garbage-collector,namespace,job,cronjob,ttl-after-finished
	c=$c,serviceaccount,serviceaccount-token,root-ca-certificate-publisher,clusterrole-aggregation
	echo "${c//,/-controller,}-controller"
}

# As with Helm, the CRD of the first release stays.
crd() { # FOLDER
	[ -f "$LAB_RUN/crd" ] || { "$(folder fleet)/fleet" apply -as update -manager helm "$1/crd.yaml"; touch "$LAB_RUN/crd"; }
}

deploy() { # RELEASE [ha]
	local release=$1 module file=$here/flagger${2:+-$2}.yaml
	[ -f "$file" ] || die "no Flagger called '$2'"
	build "$release"
	module=$(folder "flagger-$(echo "$release" | cut -d. -f1,2)")
	. "$LAB_RUN/env"
	crd "$module"
	kubectl create namespace flagger-system --dry-run=client -o yaml | kubectl apply --server-side -f - >/dev/null
	sed 's/namespace: default/namespace: flagger-system/' "$module/account.yaml" | kubectl apply --server-side -f - >/dev/null
	sed "s|/flagger:1.38.0|/flagger:$release|" "$file" | kubectl apply --server-side --field-manager=helm -f -
}

flagger() {
	local release=$1 module
	shift
	stop flagger
	[ "$release" = stop ] && return
	build "$release"
	module=$(folder "flagger-$(echo "$release" | cut -d. -f1,2)")
	. "$LAB_RUN/env"
	crd "$module"
	(cd "$LAB_RUN" && start flagger "$module/flagger" -kubeconfig=kubeconfig -mesh-provider=kubernetes \
		-control-loop-interval=3s -metrics-server=http://127.0.0.1:9 -port="$(free_port)" "$@")
}

pod() { # VERB NAMESPACE/POD [CONTAINER]
	local verb=${1:-} base=$LAB_RUN/pods/${2/\//_} pid
	local -A signals=([crash]=KILL [pause]=STOP [continue]=CONT)
	case $verb in
	linger | rotate) touch "$base.$verb" ;;
	reach) rm -f "$base.linger" ;;
	crash | pause | continue)
		for pid in "$base"_${3:-*}.pid; do
			[ -f "$pid" ] || die "'$2' has no process"
			kill -"${signals[$verb]}" "$(cat "$pid")"
		done
		;;
	*) die "a pod can't be told to '$verb'" ;;
	esac
}

node() { # NAME
	(cd "$LAB_RUN" && start "kubelet-$1" "$(folder kubelet)/kubelet" -kubeconfig=kubeconfig -run=. -node="$1")
}

user() { # NAME [GROUP]...
	local name=$1 groups=
	shift
	. "$LAB_RUN/env"
	cd "$LAB_RUN"
	for g in "$@"; do groups=$groups/O=$g; done
	certificate "$name" "$groups/CN=$name"
	kubeconfig "$name" >"kubeconfig-$name"
	echo "$LAB_RUN/kubeconfig-$name"
}

down() {
	local p
	[ -e "$LAB_RUN/pods" ] || die "'$LAB_RUN' holds no lab"
	for p in flagger $(cd "$LAB_RUN" && ls kubelet*.pid 2>/dev/null) kcm api etcd; do stop "${p%.pid}"; done
	if [ -n "${LAB_KEEP:-}" ]; then rm -f "$LAB_RUN/env"; echo "lab: kept $LAB_RUN" >&2; else rm -rf "$LAB_RUN"; fi
}

run() {
	local parts=lab
	if [ "${1:-}" = api ] && [ "${2:-}" = -- ]; then parts=api; shift 2; fi
	LAB_RUN=$(mktemp -d "${TMPDIR:-/tmp}/perch-lab.XXXXXX")
	trap 'if [ -e "$LAB_RUN/pods" ]; then down; else rmdir "$LAB_RUN" 2>/dev/null || :; fi' EXIT
	trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM
	watch
	(up "$parts")
	. "$LAB_RUN/env"
	"$@"
}

# Stops the lab of a run that was killed and couldn't itself.
watch() {
	setsid bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 2; done; LAB_RUN=$2 "$3" down || rmdir "$2"' \
		watch $$ "$LAB_RUN" "$here/lab.sh" >/dev/null 2>&1 </dev/null &
}

main() {
	local verb=${1:-}
	LAB_RUN=${LAB_RUN:-$PWD/lab-run}
	case $LAB_RUN in /*) ;; *) LAB_RUN=$PWD/$LAB_RUN ;; esac
	[ $# -eq 0 ] || shift
	case $verb in
	build | up | howto | flagger | deploy | pod | node | user | down | run) "$verb" "$@" ;;
	port) free_port ;;
	*) sed -n '3,18s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
}
main "$@"; exit
