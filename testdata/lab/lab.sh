#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real etcd, kube-apiserver, its controllers and Flagger on loopback, built from Go modules.
#   lab.sh build [api | lab | flagger | RELEASE]...   build what isn't cached (default: lab)
#   lab.sh up [api]                                    start; `api` leaves out controllers and kubelet
#   lab.sh flagger RELEASE [FLAG]...                   start Flagger, or replace the running one: an upgrade
#   lab.sh flagger stop
#   lab.sh down                                        stop everything
#   lab.sh run [api --] COMMAND [ARG]...               up, COMMAND with the environment below, and down whatever happens
# State, logs and credentials live in $LAB_RUN; each lab has its own folder and ports, so several can run side by side.
# COMMAND sees `fleet` on its PATH, LAB_SH, LAB_RUN, LAB_SERVER, LAB_CA, LAB_CERT, LAB_KEY and KUBECONFIG (also in $LAB_RUN/env).
# Binaries are cached in $PERCH_LAB_CACHE, one folder per module, keyed by the hash of its files.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
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
	echo "lab: built $module in $((SECONDS - started)) s" >&2
}

# client-go makes the field manager from the binary's name: it must be called flagger.
build_flagger() { # 1.38
	local module=flagger-$1 source
	[ -d "$here/$module" ] || die "no module for Flagger $1"
	build_module "$module" flagger github.com/fluxcd/flagger/cmd/flagger
	[ -f "$(folder "$module")/crd.yaml" ] && return
	source=$(cd "$here/$module" && go list -m -f '{{.Dir}}' github.com/fluxcd/flagger)
	install -m 644 "$source/artifacts/flagger/crd.yaml" "$(folder "$module")/crd.yaml"
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
		lab) build api; build_module kubelet kubelet .; build_module fleet fleet . ;;
		flagger) for r in "$here"/flagger-*; do build_flagger "${r##*-}"; done ;;
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

certificates() {
	local subject
	openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=lab-ca -keyout ca.key -out ca.crt 2>/dev/null
	for subject in server:/CN=kube-apiserver admin:/O=system:masters/CN=admin; do
		openssl req -newkey rsa:2048 -nodes -subj "${subject#*:}" -keyout "${subject%%:*}.key" -out "${subject%%:*}.csr" 2>/dev/null
		openssl x509 -req -days 30 -in "${subject%%:*}.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -out "${subject%%:*}.crt" \
			-extfile <(echo 'subjectAltName=IP:127.0.0.1,DNS:kubernetes.default.svc') 2>/dev/null
	done
	openssl genrsa -out sa.key 2048 2>/dev/null
	rm -f ./*.csr
}

kubeconfig() {
	cat <<-K
	apiVersion: v1
	kind: Config
	clusters: [{name: lab, cluster: {server: "$LAB_SERVER", certificate-authority: $LAB_CA}}]
	users: [{name: admin, user: {client-certificate: $LAB_CERT, client-key: $LAB_KEY}}]
	contexts: [{name: lab, context: {cluster: lab, user: admin}}]
	current-context: lab
	K
}

environment() {
	cat <<-E
	export LAB_SH=$here/lab.sh PATH=$(folder fleet):\$PATH
	export LAB_RUN=$LAB_RUN LAB_SERVER=$LAB_SERVER LAB_CA=$LAB_CA LAB_CERT=$LAB_CERT LAB_KEY=$LAB_KEY KUBECONFIG=$LAB_RUN/kubeconfig
	E
}

up() {
	local etcd peer api parts=${1:-lab}
	build "$parts"
	[ -e "$LAB_RUN/env" ] && die "'$LAB_RUN' already holds a lab"
	mkdir -p "$LAB_RUN"
	cd "$LAB_RUN"
	etcd=http://127.0.0.1:$(free_port) peer=http://127.0.0.1:$(free_port) api=$(free_port)
	LAB_SERVER=https://127.0.0.1:$api LAB_CA=$LAB_RUN/ca.crt LAB_CERT=$LAB_RUN/admin.crt LAB_KEY=$LAB_RUN/admin.key
	certificates
	kubeconfig >kubeconfig
	start etcd "$(folder etcd)/etcd" --data-dir etcd --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
		--listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer" --unsafe-no-fsync
	start api "$(folder kube)/kube-apiserver" --etcd-servers="$etcd" --secure-port="$api" --bind-address=127.0.0.1 \
		--tls-cert-file=server.crt --tls-private-key-file=server.key --client-ca-file=ca.crt --authorization-mode=RBAC \
		--service-account-key-file=sa.key --service-account-signing-key-file=sa.key \
		--service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.0.0.0/20 \
		--disable-admission-plugins=ServiceAccount --allow-privileged=true
	for _ in $(seq 120); do
		curl -s --cacert ca.crt --cert admin.crt --key admin.key "$LAB_SERVER/readyz" 2>/dev/null | grep -q '^ok$' && break
		kill -0 "$(cat api.pid)" 2>/dev/null || die "kube-apiserver ended: $(tail -1 api.log)"
		sleep 0.25
	done
	environment >env
	[ "$parts" = api ] && return
	start kcm "$(folder kube)/kube-controller-manager" --kubeconfig=kubeconfig --leader-elect=false --secure-port="$(free_port)" \
		--bind-address=127.0.0.1 --service-account-private-key-file=sa.key \
		--controllers=deployment-controller,replicaset-controller,daemonset-controller,endpointslice-controller,garbage-collector-controller,namespace-controller,job-controller,serviceaccount-controller
	start kubelet "$(folder kubelet)/kubelet" -kubeconfig=kubeconfig
}

flagger() {
	local release=$1 module
	shift
	stop flagger
	[ "$release" = stop ] && return
	build "$release"
	module=$(folder "flagger-$(echo "$release" | cut -d. -f1,2)")
	. "$LAB_RUN/env"
	# As with Helm, the CRD of the first release stays.
	[ -f "$LAB_RUN/crd" ] || { "$(folder fleet)/fleet" apply -as update -manager helm "$module/crd.yaml"; touch "$LAB_RUN/crd"; }
	(cd "$LAB_RUN" && start flagger "$module/flagger" -kubeconfig=kubeconfig -mesh-provider=kubernetes \
		-control-loop-interval=3s -metrics-server=http://127.0.0.1:9 -port="$(free_port)" "$@")
}

down() { for p in flagger kubelet kcm api etcd; do stop $p; done; rm -f "$LAB_RUN/env"; }

run() {
	local parts=lab
	if [ "${1:-}" = api ] && [ "${2:-}" = -- ]; then parts=api; shift 2; fi
	LAB_RUN=$(mktemp -d "${TMPDIR:-/tmp}/perch-lab.XXXXXX")
	[ -n "${LAB_KEEP:-}" ] || trap 'down; rm -rf "$LAB_RUN"' EXIT
	[ -z "${LAB_KEEP:-}" ] || trap 'down; echo "lab: kept $LAB_RUN" >&2' EXIT
	trap 'exit 129' HUP; trap 'exit 130' INT; trap 'exit 143' TERM
	watch
	(up "$parts")
	. "$LAB_RUN/env"
	"$@"
}

# Stops the lab of a run that was killed and couldn't itself.
watch() {
	setsid bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 2; done; LAB_RUN=$2 "$3" down; [ -n "$4" ] || rm -rf "$2"' \
		watch $$ "$LAB_RUN" "$here/lab.sh" "${LAB_KEEP:-}" >/dev/null 2>&1 </dev/null &
}

main() {
	local verb=${1:-}
	LAB_RUN=${LAB_RUN:-$PWD/lab-run}
	case $LAB_RUN in /*) ;; *) LAB_RUN=$PWD/$LAB_RUN ;; esac
	[ $# -eq 0 ] || shift
	case $verb in
	build | up | flagger | down | run) "$verb" "$@" ;;
	*) sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
	esac
}
main "$@"; exit
